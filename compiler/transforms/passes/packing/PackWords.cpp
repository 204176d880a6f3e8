//===- PackWords.cpp - Packs constants for tile registers -----------------===//
//
//   %k = tx.constant : 512x768xbf16
//   %0 = tx.dot_general %x, %k contracting [1] x [1]
//        : (128x768, 512x768) -> 128x512
// becomes
//   %k = tx.constant : 32x384x16x2xbf16
//   %1 = tx.reshape %x : 128x768 -> 128x384x2
//   %2 = tx.dot_general %1, %k contracting [1, 2] x [1, 3]
//        : (128x384x2, 32x384x16x2) -> 128x32x16
//   %0 = tx.reshape %2 : 128x32x16 -> 128x512
//
// The order of the reduction is unchanged.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/packing/PackWords.h"
#include "codegen/kernel/ProductOrder.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/shape/ColumnBlocks.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cstring>

using namespace mlir;

namespace tensorc::compiler {

using builder::dimsOf;
using builder::TensorBuilder;

/// Number of columns of a kernel's tile, which must divide those of the matrix.
static constexpr int64_t tileColumns = 2 * shape::columnsOfWords;

namespace {
/// A constant second factor. `convert` widens its bytes, and is null for bf16.
struct Weight {
  tx::ConstantOp constant;
  tx::ConvertOp convert;
  /// Number of reduction steps per word; 0 if the dtype has no words.
  int64_t wordSteps = 0;
};
} // namespace

static Type elementOf(Value v) {
  return cast<RankedTensorType>(v.getType()).getElementType();
}

/// True if the value is bytes that are widened to i32.
static bool isOfBytes(Value v) {
  auto convert = v.getDefiningOp<tx::ConvertOp>();
  return convert && elementOf(v).isInteger(32) &&
         elementOf(convert.getX()).isInteger(8);
}

static Weight weightOf(tx::DotGeneralOp dot) {
  Weight weight;
  Value y = dot.getY();
  if (elementOf(y).isBF16() && elementOf(dot.getX()).isBF16()) {
    weight.wordSteps = 2;
  } else if (isOfBytes(y) && isOfBytes(dot.getX())) {
    weight.wordSteps = 4;
    weight.convert = y.getDefiningOp<tx::ConvertOp>();
    y = weight.convert.getX();
  }
  weight.constant = y.getDefiningOp<tx::ConstantOp>();
  return weight;
}

/// True if the product has one row, which is computed without tiles.
static bool hasOneRow(tx::DotGeneralOp dot) {
  RankedTensorType x = dot.getX().getType();
  for (int64_t d = 0; d < x.getRank(); ++d)
    if (!llvm::is_contained(dot.getXContracting(), d) && x.getDimSize(d) != 1)
      return false;
  return true;
}

static bool demandsFmas(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto order = module
                   ? module->getAttrOfType<StringAttr>(codegen::kBf16OrderAttr)
                   : StringAttr();
  return order && order.getValue() == "fma";
}

static ArrayRef<char> rawBytes(ElementsAttr value) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    return blob ? blob->getData() : ArrayRef<char>();
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  return dense && !dense.isSplat() ? dense.getRawData() : ArrayRef<char>();
}

/// Copies a matrix into words. `stepBytes` and `columnBytes` are its strides.
static void copyWords(const char *from, char *to, int64_t steps,
                      int64_t columns, int64_t wordSteps, int64_t stepBytes,
                      int64_t columnBytes) {
  int64_t elementBytes = 4 / wordSteps;
  bool isContiguous = stepBytes == elementBytes;
  for (int64_t block = 0; block < columns; block += shape::columnsOfWords)
    for (int64_t step = 0; step < steps; step += wordSteps)
      for (int64_t column = block; column < block + shape::columnsOfWords;
           ++column, to += 4) {
        const char *word = from + step * stepBytes + column * columnBytes;
        if (isContiguous) {
          std::memcpy(to, word, 4);
          continue;
        }
        for (int64_t s = 0; s < wordSteps; ++s)
          std::memcpy(to + s * elementBytes, word + s * stepBytes,
                      elementBytes);
      }
}

bool packWords(tx::DotGeneralOp dot, const codegen::TargetInfo &target) {
  if (target.getMatrixUnit() != codegen::MatrixUnit::TileRegisters ||
      !dot.getYBatch().empty() || dot.getYContracting().size() != 1 ||
      dot.getY().getType().getRank() != 2 || dot.getX().getType().getRank() < 2)
    return false;
  Weight weight = weightOf(dot);
  if (!weight.constant || !weight.constant->hasOneUse() ||
      !dot.getY().hasOneUse() || weight.wordSteps == 0 || hasOneRow(dot) ||
      (!weight.convert && demandsFmas(dot)))
    return false;
  int64_t summed = dot.getYContracting()[0];
  RankedTensorType type = weight.constant.getType();
  int64_t steps = type.getDimSize(summed),
          columns = type.getDimSize(1 - summed);
  ArrayRef<char> bytes = rawBytes(weight.constant.getValue());
  int64_t elementBytes = 4 / weight.wordSteps;
  if (bytes.size() != static_cast<size_t>(steps * columns * elementBytes) ||
      bytes.empty() || columns % tileColumns != 0 ||
      steps % (shape::columnsOfWords * weight.wordSteps) != 0)
    return false;

  OpBuilder b(weight.constant);
  AsmResourceBlob blob = HeapAsmResourceBlob::allocate(bytes.size(), 64);
  copyWords(bytes.data(), blob.getMutableData().data(), steps, columns,
            weight.wordSteps, (summed == 0 ? columns : 1) * elementBytes,
            (summed == 0 ? 1 : steps) * elementBytes);
  auto packedType = RankedTensorType::get(
      {columns / shape::columnsOfWords, steps / weight.wordSteps,
       shape::columnsOfWords, weight.wordSteps},
      type.getElementType());
  Value packed = tx::ConstantOp::create(
      b, weight.constant.getLoc(), packedType,
      DenseResourceElementsAttr::get(packedType, "packed", std::move(blob)));
  b.setInsertionPoint(dot);
  TensorBuilder e(b, dot);
  if (weight.convert)
    packed = e.convertLike(packed, dot.getY());
  SmallVector<shape::Dim> split(dimsOf(dot.getX()));
  int64_t k = dot.getXContracting()[0];
  split[k] = steps / weight.wordSteps;
  split.insert(split.begin() + k + 1, weight.wordSteps);
  Value product = e.dot(e.reshape(dot.getX(), split), packed,
                        shape::numbersOfWords({k, k + 1}),
                        builder::dtypeOf(dot.getResult()));
  dot.replaceAllUsesWith(e.reshape(product, dimsOf(dot.getResult())));
  dot.erase();
  if (weight.convert)
    weight.convert.erase();
  weight.constant.erase();
  return true;
}

} // namespace tensorc::compiler
