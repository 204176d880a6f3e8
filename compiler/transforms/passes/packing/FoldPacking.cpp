//===- FoldPacking.cpp - Packs convolution kernels and constant matrices --===//
//
// If the lanes are the result's channels, they fill whole vectors for any size
// of the image, and pixels are read in place with any stride. That requires the
// kernels to be packed in blocks of columns. Constants are packed at compile
// time, other kernels by a reshape and a transpose at each run:
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
// The order of the reduction is unchanged. The skeleton reads y in place, as it
// has the layout of a packed panel, and transposes each tile before it is
// stored.
//
// A constant matrix that is contiguous along K, and is multiplied by few rows
// (but more than one), is packed as well:
//   %0 = tx.dot_general %x, %k contracting [1] x [1]
//        : (4x512, 64x512) -> 4x64
// becomes
//   %1 = tx.dot_general %x, %k contracting [1] x [1]
//        : (4x512, 2x512x32) -> 4x2x32
//   %0 = tx.reshape %1 : 4x2x32 -> 4x64
//
// PackWords.h packs constant matrices for tile registers.
//
// A convolution with one tap and a stride reads every other pixel of a line.
// These pixels are copied, so that lanes may run along them and no cache line
// is read in part:
//   %0 = tx.windows %x dims = [2, 3] sizes = [1, 1] strides = [2, 2]
//        : 1x16x56x56 -> 1x16x28x28x1x1
// becomes
//   %1 = tx.slice %x offsets = [0, 0, 0, 0] strides = [1, 1, 2, 2]
//        : 1x16x56x56 -> 1x16x28x28
//   %0 = tx.windows %1 dims = [2, 3] sizes = [1, 1] strides = [1, 1]
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/TargetOf.h"
#include "compiler/transforms/passes/packing/PackWords.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/shape/ColumnBlocks.h"
#include "ir/tx/Control.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cstring>

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_FOLDPACKINGPASS
#include "compiler/transforms/passes/Passes.h.inc"

namespace {

using builder::dimsOf;
using builder::TensorBuilder;

/// Minimum number of contiguous pixels (one line) of an image for packing the
/// kernels. With shorter lines a tile would cover several of them.
constexpr int64_t minLineLength = 7;

/// Limits for packing kernels at run time: the minimum number of pixels for
/// which packing pays off, and the maximum length of a line. For longer lines,
/// vector lanes along the pixels are as fast.
constexpr int64_t minPixelsAtRun = 32, maxLineLengthAtRun = 1024;

/// Minimum ratio of the columns to the padding of the last block. The padding
/// columns are computed, too.
constexpr int64_t minColumnsPerPadding = 16;

ArrayRef<char> bytesOf(ElementsAttr value) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    return blob ? blob->getData() : ArrayRef<char>();
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  return dense && !dense.isSplat() ? dense.getRawData() : ArrayRef<char>();
}

/// Copies a matrix that is reduced along its columns into blocks of rows,
/// interleaving the rows of a block. Processes as many columns at a time as
/// fill a cache line of 64 bytes per row, so that they stay in L1.
template <typename T>
void copyBlocks(ArrayRef<char> from, MutableArrayRef<char> to, int64_t rows,
                int64_t block) {
  constexpr int64_t stepsAtOnce = 64 / sizeof(T);
  int64_t steps = static_cast<int64_t>(from.size() / sizeof(T)) / rows;
  const char *x = from.data();
  char *y = to.data();
  for (int64_t first = 0; first < rows; first += block)
    for (int64_t begin = 0; begin < steps; begin += stepsAtOnce)
      for (int64_t row = 0; row < std::min(block, rows - first); ++row)
        for (int64_t step = begin; step < std::min(begin + stepsAtOnce, steps);
             ++step)
          std::memcpy(y + (first * steps + step * block + row) * sizeof(T),
                      x + ((first + row) * steps + step) * sizeof(T),
                      sizeof(T));
}

/// Returns the transpose of a convolution's result to channels first, which
/// makes the pixels contiguous, or null if the result is not transposed so.
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
                    type.getDimSize(last) >= minLineLength;
  return isSuitable ? transpose : tx::TransposeOp();
}

/// Returns the number of pixels of an image, or nullopt if it is known only at
/// run time.
std::optional<int64_t> pixelsOf(tx::DotGeneralOp dot,
                                tx::TransposeOp transpose) {
  int64_t channels = dot.getType().getRank() - 1, pixels = 1;
  RankedTensorType type = transpose.getType();
  for (int64_t d = type.getRank() - 1;
       transpose.getPermutation()[d] != channels; --d) {
    if (type.isDynamicDim(d))
      return std::nullopt;
    pixels *= type.getDimSize(d);
  }
  return pixels;
}

/// True if packing the kernels pays off for this number of pixels. It does if
/// there are several taps, because a line of pixels is used in several K steps.
/// With a single tap it does if lanes along the pixels would leave an eighth of
/// them empty, or if the pixels would be gathered.
bool paysForPixels(tx::DotGeneralOp dot, std::optional<int64_t> pixels,
                   int64_t lanes) {
  ArrayRef<int64_t> kernel = dot.getY().getType().getShape();
  if (llvm::any_of(kernel.drop_front(2), [](int64_t taps) { return taps > 1; }))
    return true;
  if (!pixels)
    return false;
  auto windows = dot.getX().getDefiningOp<tx::WindowsOp>();
  if (windows && llvm::any_of(windows.getStrides(),
                              [](int64_t stride) { return stride != 1; }))
    return true;
  int64_t filled = llvm::divideCeil(*pixels, lanes) * lanes;
  return filled * 8 >= *pixels * 9;
}

/// Returns the loop-invariant input that a loop over images passes to its body
/// as the kernels. Returns null if the kernels are not such an argument, or
/// have other uses.
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

/// Returns the only free dim of y. Returns nullopt if y has several free dims,
/// a batch, no elements, sizes known only at run time, or a dtype other than
/// f32 and f64.
std::optional<int64_t> columnsOf(tx::DotGeneralOp dot) {
  RankedTensorType type = dot.getY().getType();
  ArrayRef<int64_t> sums = dot.getYContracting();
  if (!dot.getYBatch().empty() ||
      static_cast<int64_t>(sums.size()) + 1 != type.getRank() ||
      !isa<Float32Type, Float64Type>(type.getElementType()) ||
      !type.hasStaticShape() || type.getNumElements() == 0)
    return std::nullopt;
  int64_t columns = 0;
  while (llvm::is_contained(sums, columns))
    ++columns;
  return columns;
}

/// Returns y if it is a constant all but one of whose dims are reduced, else
/// null.
tx::ConstantOp constantOf(tx::DotGeneralOp dot) {
  OpOperand *input = inputOfLoop(dot.getY());
  auto kernels =
      (input ? input->get() : dot.getY()).getDefiningOp<tx::ConstantOp>();
  RankedTensorType type = dot.getY().getType();
  if (!kernels || !llvm::equal(dot.getYContracting(),
                               llvm::seq<int64_t>(1, type.getRank())))
    return {};
  int64_t each = type.getElementTypeBitWidth() / 8;
  int64_t bytes = bytesOf(kernels.getValue()).size();
  return bytes != 0 && bytes == type.getNumElements() * each ? kernels
                                                             : tx::ConstantOp();
}

/// Returns the value that the contraction reads instead of y: the packed value
/// itself, or the argument for it in a loop over images.
Value read(tx::DotGeneralOp dot, Value packed) {
  OpOperand *input = inputOfLoop(dot.getY());
  if (!input)
    return packed;
  input->set(packed);
  dot.getY().setType(cast<RankedTensorType>(packed.getType()));
  return dot.getY();
}

/// Returns a constant with y's elements in blocks. The last block is padded
/// with zeros.
Value packed(tx::DotGeneralOp dot, tx::ConstantOp kernels, int64_t block) {
  RankedTensorType type = dot.getY().getType();
  Type element = type.getElementType();
  ArrayRef<char> bytes = bytesOf(kernels.getValue());
  SmallVector<int64_t> sizes(type.getShape());
  sizes.front() = llvm::divideCeil(type.getDimSize(0), block);
  sizes.push_back(block);
  size_t size = bytes.size() / type.getDimSize(0) * sizes.front() * block;
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(size, 64);
  if (size != bytes.size())
    std::memset(blob.getMutableData().data(), 0, size);
  auto copy = element.isF32() ? copyBlocks<uint32_t> : copyBlocks<uint64_t>;
  copy(bytes, blob.getMutableData(), type.getDimSize(0), block);
  auto packedType = RankedTensorType::get(sizes, element);
  OpBuilder b(kernels);
  return read(
      dot, tx::ConstantOp::create(b, kernels.getLoc(), packedType,
                                  DenseResourceElementsAttr::get(
                                      packedType, "packed", std::move(blob))));
}

/// Packs kernels at run time, by a separate kernel.
Value packedAtRun(tx::DotGeneralOp dot, int64_t columns, int64_t block) {
  OpOperand *input = inputOfLoop(dot.getY());
  OpBuilder b(input ? input->getOwner() : dot);
  TensorBuilder e(b, dot);
  Value kernels = input ? input->get() : dot.getY();
  SmallVector<shape::Dim> dims(dimsOf(kernels));
  dims[columns] = shape::floorDiv(dims[columns], block);
  dims.insert(dims.begin() + columns + 1, block);
  SmallVector<int64_t> order{columns};
  for (int64_t d : dot.getYContracting())
    order.push_back(d < columns ? d : d + 1);
  order.push_back(columns + 1);
  return read(dot, e.transpose(e.reshape(kernels, dims), order));
}

Value productOf(tx::DotGeneralOp dot, Value packed, TensorBuilder &e) {
  auto sums =
      llvm::to_vector(llvm::seq<int64_t>(1, dot.getYContracting().size() + 1));
  return e.dot(dot.getX(), packed, {{}, {}, dot.getXContracting(), sums});
}

void packKernels(tx::DotGeneralOp dot, tx::TransposeOp transpose, int64_t lanes,
                 int64_t minSteps) {
  int64_t block = shape::columnsOfBlock(lanes);
  std::optional<int64_t> pixels = pixelsOf(dot, transpose);
  RankedTensorType type = dot.getY().getType();
  std::optional<int64_t> columns = columnsOf(dot);
  if (!columns || type.getDimSize(*columns) % block != 0 ||
      type.getNumElements() / type.getDimSize(*columns) < minSteps ||
      !paysForPixels(dot, pixels, lanes))
    return;
  tx::ConstantOp constant = constantOf(dot);
  if (!constant && (pixels.value_or(0) < minPixelsAtRun ||
                    transpose.getType().getShape().back() > maxLineLengthAtRun))
    return;
  Value blocks = constant ? packed(dot, constant, block)
                          : packedAtRun(dot, *columns, block);
  OpBuilder b(dot);
  TensorBuilder e(b, dot);
  Value product = productOf(dot, blocks, e);
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
  if (constant && constant.use_empty())
    constant.erase();
}

/// Packs a constant matrix that is contiguous along K. Without packing, a
/// product with few rows of x would transpose the matrix in registers, at half
/// the memory bandwidth. With a single row no packing is needed, because the
/// result is a weighted sum of the matrix's rows.
void packMatrix(tx::DotGeneralOp dot, int64_t lanes) {
  RankedTensorType x = dot.getX().getType(), y = dot.getY().getType();
  if (y.getRank() != 2 || !x.hasStaticShape() || columnsOf(dot) != 0)
    return;
  int64_t rows = x.getNumElements() / y.getDimSize(1);
  int64_t columns = y.getDimSize(0), block = shape::columnsOfBlock(lanes),
          wide = shape::columnsOfWideBlock(lanes);
  if (rows <= shape::rowsOfWideBlock && columns % wide == 0)
    block = wide;
  int64_t all = llvm::alignTo(columns, block);
  tx::ConstantOp matrix = constantOf(dot);
  if (!matrix || !matrix->hasOneUse() || rows <= 1 ||
      rows > shape::maxRowsOfBlock ||
      (all - columns) * minColumnsPerPadding > columns)
    return;
  Value blocks = packed(dot, matrix, block);
  OpBuilder b(dot);
  TensorBuilder e(b, dot);
  SmallVector<shape::Dim> dims(dimsOf(dot.getResult()));
  shape::Dim last = dims.back();
  dims.back() = all;
  Value result = e.reshape(productOf(dot, blocks, e), dims);
  if (all != columns)
    result = e.sliceAlong(result, dims.size() - 1, 0, last);
  dot.replaceAllUsesWith(result);
  dot.erase();
  if (matrix.use_empty())
    matrix.erase();
}

/// Copies the pixels that a convolution with one tap and a stride along lines
/// reads. Channels that are innermost are read in place.
void copyPixels(tx::DotGeneralOp dot) {
  auto windows = dot.getX().getDefiningOp<tx::WindowsOp>();
  if (!windows)
    return;
  Value x = windows.getX();
  int64_t rank = builder::rankOf(x);
  SmallVector<int64_t> offsets(rank, 0), strides(rank, 1),
      steps(windows.getStrides());
  SmallVector<shape::Dim> dims(dimsOf(x));
  for (auto [i, d] : llvm::enumerate(windows.getDims()))
    if (windows.getSizes()[i] == 1) {
      std::swap(strides[d], steps[i]);
      dims[d] = dimsOf(windows.getResult())[d];
    }
  if (strides.back() == 1)
    return;
  OpBuilder b(windows);
  TensorBuilder e(b, windows);
  Value pixels = e.slice(x, offsets, strides, dims);
  dot.getXMutable().assign(e.windows(pixels, windows.getDims(),
                                     windows.getSizes(), steps,
                                     windows.getDilations()));
  if (windows.use_empty())
    windows.erase();
}

struct FoldPacking : impl::FoldPackingPassBase<FoldPacking> {
  using FoldPackingPassBase::FoldPackingPassBase;

  void runOnOperation() override {
    auto target = targetOf(getOperation());
    if (!target || target->isSimt())
      return;
    SmallVector<tx::DotGeneralOp> dots;
    getOperation().walk([&](tx::DotGeneralOp dot) { dots.push_back(dot); });
    for (tx::DotGeneralOp dot : dots) {
      copyPixels(dot);
      if (packWords(dot, *target))
        continue;
      int64_t lanes = target->getLanes(dot.getType().getElementType());
      if (tx::TransposeOp transpose = channelsFirst(dot))
        packKernels(dot, transpose, lanes, minSteps);
      else
        packMatrix(dot, lanes);
    }
  }
};
} // namespace

} // namespace tensorc::compiler
