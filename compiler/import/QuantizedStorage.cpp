//===- QuantizedStorage.cpp - Which way quantized weights lie in memory ---===//
//
// PyTorch's layers hold [outputs, inputs], so a product would sum along the
// bytes, which it has to weave into lanes in each run. As constants,
//   dot(x, transpose(dequantize(w, s)))  and  dot(x, dequantize(w, s)) by dim 1
// become
//   dot(x, dequantize(transposed w, transpose(s)))
//
//===----------------------------------------------------------------------===//

#include "compiler/import/QuantizedStorage.h"

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace tensorc::importer {

using builder::rankOf;
using builder::TensorBuilder;

/// A matrix of bytes that lies in a file, and that nothing else reads.
static DenseResourceElementsAttr storedMatrix(Value value) {
  auto constant = value.getDefiningOp<tx::ConstantOp>();
  if (!constant || !value.hasOneUse())
    return nullptr;
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  auto type = cast<RankedTensorType>(value.getType());
  if (!resource || !resource.getRawHandle().getBlob() || type.getRank() != 2 ||
      tx::bitWidth(builder::dtypeOf(value)) != 8)
    return nullptr;
  ArrayRef<char> bytes = resource.getRawHandle().getBlob()->getData();
  return static_cast<int64_t>(bytes.size()) == type.getNumElements() ? resource
                                                                     : nullptr;
}

static Value transposed(TensorBuilder &e, DenseResourceElementsAttr matrix) {
  int64_t rows = matrix.getType().getShape()[0],
          columns = matrix.getType().getShape()[1];
  ArrayRef<char> from = matrix.getRawHandle().getBlob()->getData();
  std::vector<char> to(from.size());
  // Squares that the first cache holds.
  static constexpr int64_t side = 64;
  for (int64_t i0 = 0; i0 < rows; i0 += side)
    for (int64_t j0 = 0; j0 < columns; j0 += side)
      for (int64_t i = i0; i < std::min(rows, i0 + side); ++i)
        for (int64_t j = j0; j < std::min(columns, j0 + side); ++j)
          to[j * rows + i] = from[i * columns + j];
  auto type =
      RankedTensorType::get({columns, rows}, matrix.getType().getElementType());
  auto value = DenseResourceElementsAttr::get(
      type, matrix.getRawHandle().getKey(),
      HeapAsmResourceBlob::allocateAndCopyWithAlign(ArrayRef<char>(to), 64));
  return tx::ConstantOp::create(e.b, e.loc, type, value);
}

/// The second operand of a product and its dim that is summed over: both
/// change.
static void storeByRows(OpOperand &operand, int64_t &dim) {
  auto transpose = operand.get().getDefiningOp<tx::TransposeOp>();
  if (transpose && (!transpose->hasOneUse() || rankOf(transpose.getX()) != 2 ||
                    transpose.getPermutation()[0] != 1))
    return;
  Value weight = transpose ? transpose.getX() : operand.get();
  auto dequantize = weight.getDefiningOp<tx::DequantizeOp>();
  if (!dequantize || !weight.hasOneUse() || dim != (transpose ? 0 : 1))
    return;
  DenseResourceElementsAttr matrix = storedMatrix(dequantize.getX());
  if (!matrix)
    return;
  OpBuilder b(dequantize);
  TensorBuilder e(b, dequantize);
  auto turned = [&](Value scales) {
    return scales && rankOf(scales) == 2 ? e.transpose(scales, {1, 0}) : scales;
  };
  Value scale = turned(dequantize.getScale()),
        zero = turned(dequantize.getZeroPoint());
  auto type = cast<RankedTensorType>(weight.getType());
  auto result = RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)},
                                      type.getElementType());
  operand.set(tx::DequantizeOp::create(b, e.loc, result, transposed(e, matrix),
                                       scale, zero));
  dim = 0;
}

void storeByRows(func::FuncOp function) {
  function.walk([](tx::DotGeneralOp dot) {
    if (!dot.getXBatch().empty() || dot.getYContracting().size() != 1)
      return;
    int64_t dim = dot.getYContracting()[0];
    storeByRows(dot.getYMutable(), dim);
    dot.setYContracting({dim});
  });
}

} // namespace tensorc::importer
