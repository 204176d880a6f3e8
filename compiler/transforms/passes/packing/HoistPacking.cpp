//===- HoistPacking.cpp - Packs operands of contractions before loops -----===//
//
// A contraction of few rows in a loop spends more time on packing y than on its
// products. If y is loop-invariant, it is packed once before the loop:
//
//   tx.scan (..., %w) {
//     %0 = tx.dot_general %h, %w : (16x128, 128x512) -> 16x512
//   }
// becomes
//   %1 = tx.reshape %w : 128x512 -> 128x16x32
//   %2 = tx.transpose %1 permutation = [1, 0, 2] : 128x16x32 -> 16x128x32
//   tx.scan (..., %2) {
//     %3 = tx.dot_general %h, %2 : (16x128, 16x128x32) -> 16x16x32
//     %0 = tx.reshape %3 : 16x16x32 -> 16x512
//   }
//
// The skeleton reads y in place if it has the layout of a packed panel.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/TargetOf.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/shape/ColumnBlocks.h"
#include "ir/tx/Control.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_HOISTPACKINGPASS
#include "compiler/transforms/passes/Passes.h.inc"

namespace {

using builder::dimsOf;
using builder::TensorBuilder;

/// Maximum size of a row-major matrix that is packed for one or two rows of x.
/// A larger one is streamed from the last-level cache in any layout, so packing
/// does not pay off.
constexpr int64_t maxRowMajorBytes = 1 << 20;
/// Minimum number of iterations for which packing y pays off.
constexpr int64_t minIterations = 8;

int64_t rowsOf(tx::DotGeneralOp dot) {
  RankedTensorType x = dot.getX().getType();
  return x.getNumElements() /
         std::max<int64_t>(1, x.getDimSize(dot.getXContracting()[0]));
}

bool isSuitable(tx::DotGeneralOp dot, Value y) {
  if (dot.getX() == y || dot.getY() != y || !dot.getYBatch().empty() ||
      dot.getYContracting().size() != 1 ||
      !dot.getX().getType().hasStaticShape())
    return false;
  int64_t rows = rowsOf(dot);
  return rows > 0 && rows <= shape::maxRowsOfBlock;
}

/// Returns the contractions that read y if these are its only uses and all of
/// them reduce the same dim of y.
std::optional<SmallVector<tx::DotGeneralOp>> dotsOf(Value y) {
  SmallVector<tx::DotGeneralOp> dots;
  for (Operation *user : y.getUsers()) {
    auto dot = dyn_cast<tx::DotGeneralOp>(user);
    if (!dot || !isSuitable(dot, y) ||
        (!dots.empty() &&
         dot.getYContracting() != dots.front().getYContracting()))
      return std::nullopt;
    dots.push_back(dot);
  }
  return dots.empty() ? std::nullopt : std::optional(dots);
}

void pack(tx::ScanOp scan, unsigned input, const codegen::TargetInfo &target) {
  BlockArgument y = scan.bodyArguments()[1 + input];
  auto type = cast<RankedTensorType>(y.getType());
  Type element = type.getElementType();
  if (type.getRank() != 2 || !type.hasStaticShape() ||
      !isa<Float32Type, Float64Type>(element))
    return;
  auto dots = dotsOf(y);
  if (!dots)
    return;
  int64_t summed = dots->front().getYContracting()[0];
  int64_t columns = type.getDimSize(1 - summed);
  int64_t lanes = target.getLanes(element);
  int64_t block = shape::columnsOfBlock(lanes),
          wide = shape::columnsOfWideBlock(lanes);
  auto isFew = [](tx::DotGeneralOp dot) {
    return rowsOf(dot) <= shape::rowsOfWideBlock;
  };
  bool areFew = llvm::all_of(*dots, isFew);
  if (areFew && summed == 0 &&
      type.getNumElements() * element.getIntOrFloatBitWidth() >
          maxRowMajorBytes * 8)
    return;
  if (areFew && columns % wide == 0)
    block = wide;
  if (columns == 0 || columns % block != 0)
    return;
  OpBuilder b(scan);
  TensorBuilder e(b, scan);
  Value matrix = scan.getInputs()[input];
  auto layout = shape::columnBlocks(dimsOf(matrix), summed, block);
  Value panels =
      e.transpose(e.reshape(matrix, layout.dims), layout.permutation);
  scan.getInputsMutable().slice(input, 1).assign(panels);
  y.setType(panels.getType());
  for (tx::DotGeneralOp dot : *dots) {
    b.setInsertionPoint(dot);
    TensorBuilder inside(b, dot);
    Value product = inside.dot(dot.getX(), y,
                               shape::numbersOfBlocks(dot.getXContracting()));
    dot.replaceAllUsesWith(inside.reshape(product, dimsOf(dot.getResult())));
    dot.erase();
  }
}

struct HoistPacking : impl::HoistPackingPassBase<HoistPacking> {
  void runOnOperation() override {
    auto target = targetOf(getOperation());
    if (!target || target->isSimt())
      return;
    getOperation().walk([&](tx::ScanOp scan) {
      auto length = scan.lengthDim().number();
      if (length && *length < minIterations)
        return;
      for (unsigned i = scan.getCarried() + scan.getScanned(),
                    e = scan.getInputs().size();
           i < e; ++i)
        pack(scan, i, *target);
    });
  }
};
} // namespace

} // namespace tensorc::compiler
