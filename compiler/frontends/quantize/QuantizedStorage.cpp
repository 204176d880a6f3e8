//===- QuantizedStorage.cpp - Memory layout of quantized weights ----------===//
//
// PyTorch's layers store weights as [outputs, inputs], so a contraction reduces
// along contiguous bytes and would have to interleave them into lanes in each
// run. For constants,
//   dot(x, transpose(dequantize(w, s)))  and  dot(x, dequantize(w, s)) by dim 1
// become
//   dot(x, dequantize(transposed w, transposed s))
// Two neighboring 4-bit elements share a byte; they become the two halves of a
// group (compiler/frontends/quantize/WeightOrder.h).
//
//===----------------------------------------------------------------------===//

#include "compiler/frontends/quantize/QuantizedStorage.h"
#include "compiler/frontends/quantize/WeightOrder.h"
#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace tensorc::frontends {

using builder::dtypeOf;
using builder::rankOf;
using reference::Array;

ArrayRef<char> bytesOf(Value value) {
  auto constant = value.getDefiningOp<tx::ConstantOp>();
  if (!constant)
    return {};
  ArrayRef<char> bytes;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue()))
    bytes = resource.getRawHandle().getBlob()
                ? resource.getRawHandle().getBlob()->getData()
                : ArrayRef<char>();
  else if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
    bytes = dense.getRawData(); // a single element for a splat
  auto type = cast<RankedTensorType>(value.getType());
  auto needed = tx::bytesOf(dtypeOf(value), type.getNumElements());
  return static_cast<int64_t>(bytes.size()) == needed ? bytes
                                                      : ArrayRef<char>();
}

/// Returns the elements of a constant, looking through reshapes.
static std::optional<Array> arrayOf(Value value) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  if (auto reshape = value.getDefiningOp<tx::ReshapeOp>())
    value = reshape.getX();
  ArrayRef<char> bytes = bytesOf(value);
  std::optional<Array> array = Array::create(dtypeOf(value), shape);
  if (bytes.empty() || !array)
    return std::nullopt;
  reference::unpack(*array, reinterpret_cast<const uint8_t *>(bytes.data()));
  return array;
}

/// Returns the weight in the layout that a contraction reads efficiently. `dim`
/// is its reduction dim.
static Value ordered(tx::DequantizeOp weight, int64_t dim) {
  Value x = weight.getX(), scale = weight.getScale(),
        zero = weight.getZeroPoint();
  auto type = cast<RankedTensorType>(x.getType());
  unsigned bits = tx::bitWidth(dtypeOf(x));
  if (type.getRank() != 2 || !type.hasStaticShape() || !x.hasOneUse() ||
      bits > 8 || (bits == 8 && dim == 0))
    return Value();
  SmallVector<int64_t> groups(type.getShape());
  if (rankOf(scale) == 2)
    for (auto [group, count] :
         llvm::zip(groups, cast<RankedTensorType>(scale.getType()).getShape()))
      group = count ? group / count : 1;
  // The two elements of a byte come from the two halves of a group, so its size
  // must be even.
  if (bits == 4 && groups[dim] % 2)
    return Value();
  compiler::WeightOrder order(type.getShape(), groups, {dim}, true, dtypeOf(x));
  OpBuilder b(weight);
  Location loc = weight.getLoc();
  auto arranged = [&](Value value) {
    if (rankOf(value) == 0)
      return value;
    std::optional<Array> array = arrayOf(value);
    return array ? compiler::constantOf(b, loc, order.arrange(*array))
                 : Value();
  };
  // Rearranges the scales first. If they are not constant, no large array has
  // been made yet.
  scale = arranged(scale);
  zero = zero && scale ? arranged(zero) : zero;
  if (!scale || bool(zero) != bool(weight.getZeroPoint()))
    return Value();
  x = arranged(x);
  if (!x)
    return Value();
  auto result =
      cast<RankedTensorType>(x.getType())
          .clone(cast<RankedTensorType>(weight.getType()).getElementType());
  Value y = tx::DequantizeOp::create(b, loc, result, x, scale, zero);
  return order.restore(b, loc, y);
}

/// Changes the layout of the second operand of a contraction, and its reduction
/// dim.
static void storeByRows(OpOperand &operand, int64_t &dim) {
  auto transpose = operand.get().getDefiningOp<tx::TransposeOp>();
  if (transpose && (!transpose->hasOneUse() || rankOf(transpose.getX()) != 2))
    return;
  Value weight = transpose ? transpose.getX() : operand.get();
  auto dequantize = weight.getDefiningOp<tx::DequantizeOp>();
  if (!dequantize || !weight.hasOneUse())
    return;
  int64_t own = transpose ? transpose.getPermutation()[dim] : dim;
  Value better = ordered(dequantize, own);
  if (!better)
    return;
  dim = own;
  if (auto transpose = better.getDefiningOp<tx::TransposeOp>();
      transpose && rankOf(better) == 2) {
    better = transpose.getX();
    dim = transpose.getPermutation()[dim];
  }
  operand.set(better);
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

} // namespace tensorc::frontends
