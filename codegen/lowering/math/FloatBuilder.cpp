//===- FloatBuilder.cpp - Builds float expressions ------------------------===//

#include "codegen/lowering/math/FloatBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/Sequence.h"

#include <functional>
#include <string>

using namespace mlir;

namespace tensorc::codegen {

FloatBuilder::FloatBuilder(OpBuilder &b, Location loc, Type type,
                           bool hasScalef)
    : b(b), loc(loc), type(type),
      width(getElementTypeOrSelf(type).getIntOrFloatBitWidth()) {
  assert((width == 32 || width == 64) && "f16 and bf16 are widened before");
  intType = withElement(b.getIntegerType(width));
  auto vector = dyn_cast<VectorType>(type);
  if (!hasScalef || !vector || vector.getRank() != 1 || vector.isScalable())
    return;
  int64_t bits = vector.getDimSize(0) * width;
  if (bits >= 256 && llvm::isPowerOf2_64(bits))
    scalefLanes = std::min<int64_t>(bits, 512) / width;
}

Type FloatBuilder::withElement(Type element) const {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

Value FloatBuilder::constant(Type resultType, Attribute value) {
  if (auto vector = dyn_cast<VectorType>(resultType))
    value = DenseElementsAttr::get(vector, value);
  return arith::ConstantOp::create(b, loc, cast<TypedAttr>(value));
}

Value FloatBuilder::f(double value) {
  return constant(type, b.getFloatAttr(getElementTypeOrSelf(type), value));
}
Value FloatBuilder::i(int64_t value) {
  return constant(intType, b.getIntegerAttr(b.getIntegerType(width), value));
}
Value FloatBuilder::inf() { return f(INFINITY); }
Value FloatBuilder::nan() { return f(NAN); }

Value FloatBuilder::add(Value x, Value y) {
  return arith::AddFOp::create(b, loc, x, y);
}
Value FloatBuilder::sub(Value x, Value y) {
  return arith::SubFOp::create(b, loc, x, y);
}
Value FloatBuilder::mul(Value x, Value y) {
  return arith::MulFOp::create(b, loc, x, y);
}
Value FloatBuilder::div(Value x, Value y) {
  return arith::DivFOp::create(b, loc, x, y);
}
Value FloatBuilder::fma(Value x, Value y, Value z) {
  return math::FmaOp::create(b, loc, x, y, z);
}
Value FloatBuilder::mulAdd(Value x, Value y, Value z) {
  // Only ExpandFma.cpp uses this flag.
  auto flags = arith::FastMathFlags::contract;
  return math::FmaOp::create(b, loc, x, y, z, flags);
}
Value FloatBuilder::neg(Value x) { return arith::NegFOp::create(b, loc, x); }
Value FloatBuilder::abs(Value x) { return math::AbsFOp::create(b, loc, x); }
Value FloatBuilder::sqrt(Value x) { return math::SqrtOp::create(b, loc, x); }
Value FloatBuilder::trunc(Value x) { return math::TruncOp::create(b, loc, x); }
Value FloatBuilder::copysign(Value magnitude, Value sign) {
  return math::CopySignOp::create(b, loc, magnitude, sign);
}
Value FloatBuilder::scale(Value x, Value n) {
  assert(canScale());
  bool isFull = scalefLanes * width == 512;
  std::string name = "llvm.x86.avx512.mask.scalef.";
  name += isDouble() ? "pd" : "ps";
  name += isFull ? ".512" : ".256";
  Type mask = b.getIntegerType(std::max<int64_t>(8, scalefLanes));
  auto scaled = [&](Value x, Value n) -> Value {
    SmallVector<Value, 5> operands{
        x, n, x, arith::ConstantOp::create(b, loc, b.getIntegerAttr(mask, -1))};
    if (isFull) // rounds according to MXCSR, like all arithmetic
      operands.push_back(
          arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(4)));
    return LLVM::CallIntrinsicOp::create(b, loc, x.getType(),
                                         b.getStringAttr(name), operands)
        .getResult(0);
  };
  auto lanesOf = [](Value v) {
    return cast<VectorType>(v.getType()).getDimSize(0);
  };
  auto shuffled = [&](Value v, Value w, int64_t from, int64_t count) -> Value {
    auto lanes = llvm::to_vector(llvm::seq(from, from + count));
    return vector::ShuffleOp::create(b, loc, v, w, lanes);
  };
  // Splits vectors in halves until each of them fits in a register.
  std::function<Value(Value, Value)> scaleAll = [&](Value x, Value n) -> Value {
    int64_t lanes = lanesOf(x), half = lanes / 2;
    if (lanes == scalefLanes)
      return scaled(x, n);
    Value low = scaleAll(shuffled(x, x, 0, half), shuffled(n, n, 0, half));
    Value high =
        scaleAll(shuffled(x, x, half, half), shuffled(n, n, half, half));
    return shuffled(low, high, 0, lanes);
  };
  return scaleAll(x, n);
}

Value FloatBuilder::poly(Value x, ArrayRef<double> coefficients) {
  Value sum = f(coefficients.back());
  for (double c : llvm::reverse(coefficients.drop_back()))
    sum = mulAdd(sum, x, f(c));
  return sum;
}

Value FloatBuilder::polyByHalves(Value x, ArrayRef<double> coefficients) {
  SmallVector<double> halves[2];
  for (auto [degree, c] : llvm::enumerate(coefficients))
    halves[degree % 2].push_back(c);
  Value square = mul(x, x);
  return mulAdd(x, poly(square, halves[1]), poly(square, halves[0]));
}

// If x is NaN, the comparison is false and x is returned. x86's min and max do
// exactly this.
Value FloatBuilder::atLeast(Value x, double low) {
  Value bound = f(low);
  return select(lt(x, bound), bound, x);
}
Value FloatBuilder::atMost(Value x, double high) {
  Value bound = f(high);
  return select(gt(x, bound), bound, x);
}

Value FloatBuilder::compare(arith::CmpFPredicate predicate, Value x, Value y) {
  return arith::CmpFOp::create(b, loc, predicate, x, y);
}
Value FloatBuilder::lt(Value x, Value y) {
  return compare(arith::CmpFPredicate::OLT, x, y);
}
Value FloatBuilder::le(Value x, Value y) {
  return compare(arith::CmpFPredicate::OLE, x, y);
}
Value FloatBuilder::gt(Value x, Value y) {
  return compare(arith::CmpFPredicate::OGT, x, y);
}
Value FloatBuilder::ge(Value x, Value y) {
  return compare(arith::CmpFPredicate::OGE, x, y);
}
Value FloatBuilder::eq(Value x, Value y) {
  return compare(arith::CmpFPredicate::OEQ, x, y);
}
Value FloatBuilder::isNaN(Value x) {
  return compare(arith::CmpFPredicate::UNO, x, x);
}

Value FloatBuilder::bits(Value x) {
  return arith::BitcastOp::create(b, loc, intType, x);
}
Value FloatBuilder::fromBits(Value x) {
  return arith::BitcastOp::create(b, loc, type, x);
}
Value FloatBuilder::iadd(Value x, Value y) {
  return arith::AddIOp::create(b, loc, x, y);
}
Value FloatBuilder::isub(Value x, Value y) {
  return arith::SubIOp::create(b, loc, x, y);
}
Value FloatBuilder::iand(Value x, Value y) {
  return arith::AndIOp::create(b, loc, x, y);
}
Value FloatBuilder::ior(Value x, Value y) {
  return arith::OrIOp::create(b, loc, x, y);
}
Value FloatBuilder::ixor(Value x, Value y) {
  return arith::XOrIOp::create(b, loc, x, y);
}
Value FloatBuilder::shl(Value x, int by) {
  return arith::ShLIOp::create(b, loc, x, i(by));
}
Value FloatBuilder::lshr(Value x, int by) {
  return arith::ShRUIOp::create(b, loc, x, i(by));
}
Value FloatBuilder::ashr(Value x, int by) {
  return arith::ShRSIOp::create(b, loc, x, i(by));
}
Value FloatBuilder::icmp(arith::CmpIPredicate predicate, Value x, Value y) {
  return arith::CmpIOp::create(b, loc, predicate, x, y);
}
Value FloatBuilder::toFloat(Value integer) {
  return arith::SIToFPOp::create(b, loc, type, integer);
}
Value FloatBuilder::toInt(Value x) {
  return arith::FPToSIOp::create(b, loc, intType, x);
}

Value FloatBuilder::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(b, loc, condition, x, y);
}
Value FloatBuilder::both(Value x, Value y) {
  return arith::AndIOp::create(b, loc, x, y);
}
Value FloatBuilder::either(Value x, Value y) {
  return arith::OrIOp::create(b, loc, x, y);
}

FloatBuilder::Pair FloatBuilder::fastTwoSum(Value x, Value y) {
  Value hi = add(x, y);
  return {hi, sub(y, sub(hi, x))};
}
FloatBuilder::Pair FloatBuilder::twoSum(Value x, Value y) {
  Value hi = add(x, y);
  Value yPart = sub(hi, x);
  Value xPart = sub(hi, yPart);
  return {hi, add(sub(x, xPart), sub(y, yPart))};
}
FloatBuilder::Pair FloatBuilder::twoProduct(Value x, Value y) {
  Value hi = mul(x, y);
  return {hi, fma(x, y, neg(hi))};
}

} // namespace tensorc::codegen
