//===- RegisterMemory.cpp - Values of a loop that stay in memory ----------===//

#include "codegen/emitters/registers/RegisterMemory.h"
#include "codegen/emitters/registers/RegisterValues.h"
#include "ir/tx/Tx.h"
#include "ir/tx/structure/TxFusion.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::codegen {

/// Sets the slices of a gather. Returns false if the elements of a slice are not
/// contiguous in the result, or those of an index vector in the indices.
static bool fillGather(tx::GatherOp gather, Window &window) {
  int64_t components = gather.getVectorSize();
  auto indices = gather.getIndices().getType();
  window.count = elementsOf(indices) / std::max<int64_t>(components, 1);
  if (window.count != 1 &&
      (components == 0 ||
       (components > 1 &&
        int64_t(gather.getIndexVectorDim()) < indices.getRank() - 1) ||
       !llvm::equal(gather.getBatchDims(),
                    llvm::seq<int64_t>(0, gather.getBatchDims().size()))))
    return false;
  window.x = gather.getX();
  llvm::append_range(window.sizes, gather.getSliceSizes());
  for (auto [k, d] : llvm::enumerate(gather.getStartIndexMap()))
    window.starts.push_back(
        {d, gather.getIndices(), static_cast<int64_t>(k), components});
  return true;
}

std::optional<Window> windowOf(Operation *op) {
  Window window;
  if (auto slice = dyn_cast<tx::DynamicSliceOp>(op)) {
    window.x = slice.getX();
    llvm::append_range(window.sizes, slice.getSliceSizes());
    for (auto [d, start] : llvm::enumerate(slice.getStarts()))
      window.starts.push_back({static_cast<int64_t>(d), start, 0, 0});
  } else if (auto gather = dyn_cast<tx::GatherOp>(op);
             gather && !fillGather(gather, window)) {
    return std::nullopt;
  }
  if (!window.x || elementsOf(window.x.getType()) == 0)
    return std::nullopt;
  bool isInside = false; // an outer dim of the slice has several elements
  for (auto [size, full] : llvm::zip_equal(window.sizes, shapeOf(window.x))) {
    size = size == -1 ? full : size;
    if (isInside && size != full)
      return std::nullopt;
    isInside |= size > 1;
  }
  return window;
}

unsigned argumentNumber(Operation *loop, unsigned operand) {
  return operand + isa<tx::ScanOp>(loop);
}

/// Returns the number of values that the loop carries.
static unsigned carriedOf(Operation *loop) {
  auto scan = dyn_cast<tx::ScanOp>(loop);
  return scan ? scan.getCarried() : loop->getNumResults();
}

static bool hasOnlySlices(Value value);

/// True if the use reads contiguous slices, and needs no other elements.
static bool readsSlices(OpOperand &use) {
  Operation *user = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (auto fusion = dyn_cast<tx::FusionOp>(user))
    return hasOnlySlices(fusion.getBody().getArgument(number));
  if (isa<tx::ScanOp, tx::WhileOp>(user)) {
    if (number < carriedOf(user))
      return false;
    auto scan = dyn_cast<tx::ScanOp>(user);
    if (scan && number < scan.getCarried() + scan.getScanned())
      return true;
    return llvm::all_of(user->getRegions(), [&](Region &region) {
      Value argument = region.getArgument(argumentNumber(user, number));
      return argument.use_empty() || hasOnlySlices(argument);
    });
  }
  return number == 0 && windowOf(user);
}

static bool hasOnlySlices(Value value) {
  return !value.use_empty() && llvm::all_of(value.getUses(), readsSlices);
}

bool isInMemory(Value value) {
  if (auto result = dyn_cast<OpResult>(value)) {
    auto scan = dyn_cast<tx::ScanOp>(result.getOwner());
    return scan && result.getResultNumber() >= scan.getCarried() &&
           hasOnlySlices(value);
  }
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto fusion = dyn_cast<tx::FusionOp>(parent))
    return isInMemory(fusion.getInputs()[argument.getArgNumber()]);
  return isa<tx::ScanOp, tx::WhileOp>(parent) &&
         argument.getArgNumber() >= argumentNumber(parent, carriedOf(parent)) &&
         hasOnlySlices(value);
}

std::optional<unsigned> outerResult(OpResult stacked) {
  auto scan = dyn_cast<tx::ScanOp>(stacked.getOwner());
  if (!scan || stacked.getResultNumber() < scan.getCarried() ||
      !stacked.hasOneUse())
    return std::nullopt;
  OpOperand &use = *stacked.use_begin();
  auto outer = dyn_cast<tx::ScanOp>(use.getOwner()->getParentOp());
  if (!outer || use.getOwner() != outer.getBody().front().getTerminator() ||
      use.getOperandNumber() < outer.getCarried())
    return std::nullopt;
  return use.getOperandNumber();
}

} // namespace tensorc::codegen
