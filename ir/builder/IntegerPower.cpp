//===- IntegerPower.cpp - Powers of integers ------------------------------===//

#include "ir/builder/IntegerPower.h"

using namespace mlir;

namespace tensorc::builder {

/// Returns the number that all elements of a constant have, or nullopt for
/// other values.
static std::optional<int64_t> splatOf(Value x) {
  while (auto broadcast = x.getDefiningOp<tx::BroadcastOp>())
    x = broadcast.getX();
  DenseElementsAttr value;
  if (auto constant = x.getDefiningOp<tx::ConstantOp>())
    value = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!value || !value.isSplat() || tx::isUnsigned(dtypeOf(x)))
    return std::nullopt;
  return value.getSplatValue<APInt>().getSExtValue();
}

/// Exponentiation by squaring, with one step for each bit of the exponent.
static Value powerOfNumber(TensorBuilder &b, Value x, int64_t exponent) {
  Value result;
  for (int64_t left = exponent; left; left >>= 1) {
    if (left & 1)
      result = result ? b.mul(result, x) : x;
    if (left > 1)
      x = b.mul(x, x);
  }
  return result;
}

Value integerPower(TensorBuilder &b, Value x, Value y) {
  if (std::optional<int64_t> number = splatOf(y);
      number && *number > 0 && rankOf(y) <= rankOf(x) &&
      shape::product(dimsOf(y)) == 1)
    return powerOfNumber(b, x, *number);
  DType dtype = dtypeOf(x), exponent = dtypeOf(y);
  bool isSigned = !tx::isUnsigned(exponent);
  Value result = b.full(1, dtype), power = x;
  for (int64_t bit = 0; bit < tx::bitWidth(exponent) - isSigned; ++bit) {
    Value isSet =
        b.notEqual(b.map<tx::AndOp>({b.map<tx::ShrLogicalOp>({y, bit}), 1}), 0);
    result = b.mul(result, b.select(isSet, power, b.full(1, dtype)));
    power = b.mul(power, power);
  }
  if (!isSigned)
    return result;
  // 1 / x^-y is nonzero only for x = 1 and -1.
  Value isOdd = b.notEqual(b.map<tx::AndOp>({y, 1}), 0);
  Value ofUnit = b.select(isOdd, x, b.mul(x, x));
  Value isUnit = b.equal(x, 1);
  if (!tx::isUnsigned(dtype))
    isUnit = b.logicalOr(isUnit, b.equal(x, -1));
  return b.select(b.less(y, 0), b.select(isUnit, ofUnit, b.full(0, dtype)),
                  result);
}

} // namespace tensorc::builder
