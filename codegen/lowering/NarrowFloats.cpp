//===- NarrowFloats.cpp - f16 and bf16 to and from f32 --------------------===//

#include "codegen/lowering/NarrowFloats.h"
#include "codegen/lowering/FloatBuilder.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tensorc::codegen {

Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

/// The 16 bits of `x` in 32-bit integers.
Value NarrowFloats::widenBits(Location loc, Value x) {
  Type i16 = withElement(x.getType(), b.getI16Type());
  Type i32 = withElement(x.getType(), b.getI32Type());
  Value bits = arith::BitcastOp::create(b, loc, i16, x);
  return arith::ExtUIOp::create(b, loc, i32, bits);
}

Value NarrowFloats::widen(Location loc, Value x) {
  Type f32 = withElement(x.getType(), b.getF32Type());
  bool bfloat = getElementTypeOrSelf(x.getType()).isBF16();
  if (!bfloat && f16Converts)
    return arith::ExtFOp::create(b, loc, f32, x);
  Value bits = widenBits(loc, x);
  if (!bfloat)
    return widenHalf(loc, bits);
  FloatBuilder e(b, loc, f32);
  return e.fromBits(e.shl(bits, 16));
}

Value NarrowFloats::widenHalf(Location loc, Value bits) {
  FloatBuilder e(b, loc, withElement(bits.getType(), b.getF32Type()));
  Value sign = e.shl(e.iand(bits, e.i(0x8000)), 16);
  Value magnitude = e.iand(bits, e.i(0x7fff));
  Value rebias = e.i(112 << 23);
  Value normal = e.iadd(e.shl(magnitude, 13), rebias);
  Value special = e.iadd(normal, rebias); // inf and NaN: exponent 255
  Value isSpecial = e.icmp(arith::CmpIPredicate::uge, magnitude, e.i(0x7c00));
  Value subnormal = e.bits(e.mul(e.toFloat(magnitude), e.f(0x1p-24)));
  Value isSubnormal = e.icmp(arith::CmpIPredicate::ult, magnitude, e.i(0x0400));
  Value result = e.select(isSpecial, special, normal);
  result = e.select(isSubnormal, subnormal, result);
  return e.fromBits(e.ior(result, sign));
}

Value NarrowFloats::round(Location loc, Value x, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (getElementTypeOrSelf(x.getType()).isF64())
    x = roundDoubleToOdd(loc, x);
  if (element.isF16() && f16Converts)
    return arith::TruncFOp::create(b, loc, type, x);
  Value bits = element.isBF16() ? roundToBFloat(loc, x) : roundToHalf(loc, x);
  Type i16 = withElement(type, b.getI16Type());
  Value narrow = arith::TruncIOp::create(b, loc, i16, bits);
  return arith::BitcastOp::create(b, loc, type, narrow);
}

Value NarrowFloats::roundToBFloat(Location loc, Value x) {
  FloatBuilder e(b, loc, x.getType());
  Value bits = e.bits(x);
  Value odd = e.iand(e.lshr(bits, 16), e.i(1));
  Value rounded = e.lshr(e.iadd(bits, e.iadd(odd, e.i(0x7fff))), 16);
  // The carry could turn a NaN into infinity or zero.
  Value quiet = e.ior(e.lshr(bits, 16), e.i(0x40));
  return e.select(e.isNaN(x), quiet, rounded);
}

Value NarrowFloats::roundToHalf(Location loc, Value x) {
  FloatBuilder e(b, loc, x.getType());
  Value bits = e.bits(x);
  Value sign = e.iand(e.lshr(bits, 16), e.i(0x8000));
  Value magnitude = e.iand(bits, e.i(0x7fffffff));
  Value odd = e.iand(e.lshr(magnitude, 13), e.i(1));
  Value bias = e.iadd(odd, e.i(0xfff - (112 << 23)));
  Value normal = e.lshr(e.iadd(magnitude, bias), 13);
  // One half's last bit is worth as much as a subnormal's: the sum rounds.
  Value subnormal = e.isub(e.bits(e.add(e.abs(x), e.f(0.5))), e.i(0x3f000000));
  Value isNaN = e.icmp(arith::CmpIPredicate::ugt, magnitude, e.i(0x7f800000));
  Value special = e.select(isNaN, e.i(0x7e00), e.i(0x7c00));
  Value isSubnormal =
      e.icmp(arith::CmpIPredicate::ult, magnitude, e.i(0x38800000));
  Value isSpecial =
      e.icmp(arith::CmpIPredicate::uge, magnitude, e.i(0x47800000));
  Value result = e.select(isSubnormal, subnormal, normal);
  return e.ior(e.select(isSpecial, special, result), sign);
}

/// f64 to f32 such that a second rounding gives what one would: truncated, and
/// inexact results get an odd last bit.
Value NarrowFloats::roundDoubleToOdd(Location loc, Value x) {
  FloatBuilder d(b, loc, x.getType());
  FloatBuilder e(b, loc, d.withElement(b.getF32Type()));
  Value nearest = arith::TruncFOp::create(b, loc, e.getType(), x);
  Value back = arith::ExtFOp::create(b, loc, d.getType(), nearest);
  Value tooLarge = d.gt(d.abs(back), d.abs(x));
  Value inexact = d.either(d.lt(back, x), d.gt(back, x));
  Value bits = e.bits(nearest);
  Value truncated = e.select(tooLarge, e.isub(bits, e.i(1)), bits);
  Value sticky = e.ior(truncated, e.i(1));
  return e.fromBits(e.select(inexact, sticky, truncated));
}

} // namespace tensorc::codegen
