//===- FoldPacking.cpp - Kernels of convolutions, packed as constants -----===//
//
// Channels of the result as lanes fill whole vectors, whatever the image's
// size, and pixels are read as they lie, whatever the stride. That needs the
// kernels in blocks of columns, which a constant is given once:
//   %k = tx.constant : 64x16x3x3
//   %0 = tx.dot_general %windows, %k contracting [1, 4, 5] x [1, 2, 3]
//        : (1x16x8x8x3x3, 64x16x3x3) -> 1x8x8x64
//   %1 = tx.transpose %0 permutation = [0, 3, 1, 2] : 1x8x8x64 -> 1x64x8x8
// becomes
//   %k = tx.constant : 2x16x3x3x32
//   %0 = tx.dot_general %windows, %k contracting [1, 4, 5] x [1, 2, 3]
//        : (1x16x8x8x3x3, 2x16x3x3x32) -> 1x8x8x2x32
//   %2 = tx.transpose %0 permutation = [0, 3, 4, 1, 2] -> 1x2x32x8x8
//   %1 = tx.reshape %2 : 1x2x32x8x8 -> 1x64x8x8
// The sum keeps its order. The skeleton reads in place what lies as its panel
// would, and turns each tile before it is stored.
//
//===----------------------------------------------------------------------===//

#include "compiler/passes/Passes.h"
#include "compiler/passes/TargetOf.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/shape/ColumnBlocks.h"
#include "ir/tx/Control.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cstring>

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_FOLDPACKINGPASS
#include "compiler/passes/Passes.h.inc"

namespace {

using builder::dimsOf;
using builder::TensorBuilder;

/// Pixels side by side, of which a tile has several rows if they are few.
constexpr int64_t fewestPixels = 7;

ArrayRef<char> bytesOf(ElementsAttr value) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    return blob ? blob->getData() : ArrayRef<char>();
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  return dense && !dense.isSplat() ? dense.getRawData() : ArrayRef<char>();
}

/// A matrix whose columns are summed over, in blocks of rows: those of a block
/// lie side by side.
void copyBlocks(ArrayRef<char> from, MutableArrayRef<char> to, int64_t rows,
                int64_t block, int64_t bytes) {
  int64_t steps = static_cast<int64_t>(from.size()) / (rows * bytes);
  char *next = to.data();
  for (int64_t first = 0; first < rows; first += block)
    for (int64_t step = 0; step < steps; ++step)
      for (int64_t row = first; row < first + block; ++row, next += bytes)
        std::memcpy(next, from.data() + (row * steps + step) * bytes, bytes);
}

/// The convolution's result where channels come before pixels that are stored
/// side by side; null: it is none.
tx::TransposeOp channelsFirst(tx::DotGeneralOp dot) {
  if (!dot->hasOneUse())
    return {};
  auto transpose = dyn_cast<tx::TransposeOp>(*dot->user_begin());
  if (!transpose)
    return {};
  RankedTensorType type = transpose.getType();
  int64_t last = type.getRank() - 1;
  bool isSuitable = last >= 2 && transpose.getPermutation().back() != last &&
                    !type.isDynamicDim(last) &&
                    type.getDimSize(last) >= fewestPixels;
  return isSuitable ? transpose : tx::TransposeOp();
}

/// Whether a line of pixels serves several steps. Of one tap it serves one,
/// which pays only where pixels as lanes would leave an eighth of them empty.
bool paysForPixels(tx::DotGeneralOp dot, tx::TransposeOp transpose,
                   int64_t lanes) {
  ArrayRef<int64_t> kernel = dot.getY().getType().getShape();
  if (llvm::any_of(kernel.drop_front(2), [](int64_t taps) { return taps > 1; }))
    return true;
  auto windows = dot.getX().getDefiningOp<tx::WindowsOp>();
  if (windows && llvm::any_of(windows.getStrides(),
                              [](int64_t stride) { return stride != 1; }))
    return false;
  int64_t channels = dot.getType().getRank() - 1, pixels = 1;
  RankedTensorType type = transpose.getType();
  for (int64_t d = type.getRank() - 1;
       transpose.getPermutation()[d] != channels; --d) {
    if (type.isDynamicDim(d))
      return false;
    pixels *= type.getDimSize(d);
  }
  int64_t filled = llvm::divideCeil(pixels, lanes) * lanes;
  return filled * 8 >= pixels * 9;
}

/// What a loop over images gives its body for the kernels, which it does not
/// change; null: they are not an argument of one, or others read them, too.
OpOperand *inputOfLoop(Value kernels) {
  auto argument = dyn_cast<BlockArgument>(kernels);
  auto scan = argument
                  ? dyn_cast<tx::ScanOp>(argument.getOwner()->getParentOp())
                  : tx::ScanOp();
  if (!scan || !argument.hasOneUse() || argument.getArgNumber() == 0)
    return nullptr;
  int64_t input = argument.getArgNumber() - 1;
  return input < static_cast<int64_t>(scan.getCarried() + scan.getScanned())
             ? nullptr
             : &scan.getInputsMutable()[input];
}

void pack(tx::DotGeneralOp dot, const codegen::TargetInfo &target,
          int64_t fewestSteps) {
  OpOperand *input = inputOfLoop(dot.getY());
  auto kernels =
      (input ? input->get() : dot.getY()).getDefiningOp<tx::ConstantOp>();
  tx::TransposeOp transpose = channelsFirst(dot);
  if (!kernels || !transpose || !dot.getYBatch().empty())
    return;
  RankedTensorType type = dot.getY().getType();
  Type element = type.getElementType();
  int64_t rank = type.getRank();
  if (!isa<Float32Type, Float64Type>(element) || !type.hasStaticShape() ||
      !llvm::equal(dot.getYContracting(), llvm::seq<int64_t>(1, rank)))
    return;
  int64_t lanes = target.getLanes(element), rows = type.getDimSize(0),
          block = shape::columnsOfBlock(lanes);
  ArrayRef<char> bytes = bytesOf(kernels.getValue());
  int64_t each = element.getIntOrFloatBitWidth() / 8;
  if (rows == 0 || rows % block != 0 ||
      static_cast<int64_t>(bytes.size()) != type.getNumElements() * each ||
      type.getNumElements() / rows < fewestSteps ||
      !paysForPixels(dot, transpose, lanes))
    return;
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(bytes.size(), 64);
  copyBlocks(bytes, blob.getMutableData(), rows, block, each);
  SmallVector<int64_t> sizes(type.getShape());
  sizes.front() = rows / block;
  sizes.push_back(block);
  auto packedType = RankedTensorType::get(sizes, element);

  OpBuilder b(kernels);
  Value packed = tx::ConstantOp::create(
      b, kernels.getLoc(), packedType,
      DenseResourceElementsAttr::get(packedType, "packed", std::move(blob)));
  if (input) {
    input->set(packed);
    packed = dot.getY();
    packed.setType(packedType);
  }
  b.setInsertionPoint(dot);
  TensorBuilder e(b, dot);
  Value product = e.dot(dot.getX(), packed,
                        {{}, {}, dot.getXContracting(), dot.getYContracting()});
  int64_t channels = dot.getType().getRank() - 1;
  SmallVector<int64_t> order;
  for (int64_t d : transpose.getPermutation()) {
    order.push_back(d);
    if (d == channels)
      order.push_back(d + 1);
  }
  Value result =
      e.reshape(e.transpose(product, order), dimsOf(transpose.getResult()));
  transpose.replaceAllUsesWith(result);
  transpose.erase();
  dot.erase();
  if (kernels.use_empty())
    kernels.erase();
}

struct FoldPacking : impl::FoldPackingPassBase<FoldPacking> {
  using FoldPackingPassBase::FoldPackingPassBase;

  void runOnOperation() override {
    auto target = targetOf(getOperation());
    if (!target || target->isSimt())
      return;
    SmallVector<tx::DotGeneralOp> dots;
    getOperation().walk([&](tx::DotGeneralOp dot) { dots.push_back(dot); });
    for (tx::DotGeneralOp dot : dots)
      pack(dot, *target, fewestSteps);
  }
};
} // namespace

} // namespace tensorc::compiler
