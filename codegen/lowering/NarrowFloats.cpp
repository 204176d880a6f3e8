//===- NarrowFloats.cpp - Conversion of f16, bf16 and f8 from and to f32 --===//

#include "codegen/lowering/NarrowFloats.h"
#include "codegen/lowering/math/FloatBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tensorc::codegen {

/// A float format with a narrower exponent and mantissa than f32.
struct NarrowFormat {
  int width;
  /// Number of mantissa bits of f32 that are rounded away, and difference
  /// between the exponent biases.
  int shift;
  int64_t rebias;
  /// 2^23 times the smallest subnormal number of the format.
  double anchor;
  /// Bits of f32 numbers: the smallest normal number of the format, and the
  /// number above which all numbers become `infinity`. Numbers up to `largest`
  /// that round up beyond the largest finite number become infinity by the
  /// carry.
  int64_t smallestNormal, largest;
  int64_t infinity, nan;
};

static constexpr NarrowFormat half = {16,         13,         112,    0x1p-1,
                                      0x38800000, 0x477fffff, 0x7c00, 0x7e00};
static constexpr NarrowFormat e5m2 = {8,          21,         112,  0x1p7,
                                      0x38800000, 0x477fffff, 0x7c, 0x7e};
/// f8E4M3FN has no infinity. Numbers above 464, which rounds to 448, become
/// NaN.
static constexpr NarrowFormat e4m3fn = {8,          20,         120,  0x1p14,
                                        0x3c800000, 0x43e80000, 0x7f, 0x7f};

Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

/// Returns the bits of `x`, zero-extended to i32.
Value NarrowFloats::widenBits(Location loc, Value x) {
  unsigned width = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
  Type narrow = withElement(x.getType(), b.getIntegerType(width));
  Type i32 = withElement(x.getType(), b.getI32Type());
  Value bits = arith::BitcastOp::create(b, loc, narrow, x);
  return arith::ExtUIOp::create(b, loc, i32, bits);
}

Value NarrowFloats::widen(Location loc, Value x) {
  Type f32 = withElement(x.getType(), b.getF32Type());
  Type element = getElementTypeOrSelf(x.getType());
  if (element.isF16() && native.f16)
    return arith::ExtFOp::create(b, loc, f32, x);
  Value bits = widenBits(loc, x);
  FloatBuilder e(b, loc, f32);
  if (element.isF16())
    return widenHalf(loc, bits);
  if (isa<Float8E4M3FNType>(element))
    return widenE4M3(loc, bits);
  if (isa<Float8E5M2Type>(element)) // f8E5M2 is the upper half of an f16
    return widenHalf(loc, e.shl(bits, 8));
  return e.fromBits(e.shl(bits, 16));
}

/// Widens f8E4M3FN, which has no infinities and whose NaN has all bits but the
/// sign set.
Value NarrowFloats::widenE4M3(Location loc, Value bits) {
  FloatBuilder e(b, loc, withElement(bits.getType(), b.getF32Type()));
  Value sign = e.shl(e.iand(bits, e.i(0x80)), 24);
  Value magnitude = e.iand(bits, e.i(0x7f));
  Value normal = e.iadd(e.shl(magnitude, 20), e.i(120 << 23));
  Value subnormal = e.bits(e.mul(e.toFloat(magnitude), e.f(0x1p-9)));
  Value isSubnormal = e.icmp(arith::CmpIPredicate::ult, magnitude, e.i(0x08));
  Value isNaN = e.icmp(arith::CmpIPredicate::eq, magnitude, e.i(0x7f));
  Value result = e.select(isSubnormal, subnormal, normal);
  result = e.select(isNaN, e.i(0x7fc00000), result);
  return e.fromBits(e.ior(result, sign));
}

Value NarrowFloats::widenHalf(Location loc, Value bits) {
  FloatBuilder e(b, loc, withElement(bits.getType(), b.getF32Type()));
  Value sign = e.shl(e.iand(bits, e.i(0x8000)), 16);
  Value magnitude = e.iand(bits, e.i(0x7fff));
  Value rebias = e.i(112 << 23);
  Value normal = e.iadd(e.shl(magnitude, 13), rebias);
  Value special = e.iadd(normal, rebias); // infinity and NaN: exponent 255
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
  if (element.isF16() && native.f16)
    return arith::TruncFOp::create(b, loc, type, x);
  if (element.isBF16() && native.roundsBFloat)
    return roundNatively(loc, x, type);
  unsigned width = element.getIntOrFloatBitWidth();
  Value bits = element.isBF16()               ? roundToBFloat(loc, x)
               : element.isF16()              ? roundTo(loc, x, half)
               : isa<Float8E5M2Type>(element) ? roundTo(loc, x, e5m2)
                                              : roundTo(loc, x, e4m3fn);
  Type integer = withElement(type, b.getIntegerType(width));
  Value narrow = arith::TruncIOp::create(b, loc, integer, bits);
  return arith::BitcastOp::create(b, loc, type, narrow);
}

Value NarrowFloats::truncateToBFloat(Location loc, Value x, Type type) {
  FloatBuilder e(b, loc, x.getType());
  Value bits = e.lshr(e.bits(x), 16);
  bits = e.select(e.isNaN(x), e.ior(bits, e.i(0x40)), bits);
  Value narrow =
      arith::TruncIOp::create(b, loc, withElement(type, b.getI16Type()), bits);
  return arith::BitcastOp::create(b, loc, type, narrow);
}

Value NarrowFloats::roundToBFloat(Location loc, Value x) {
  FloatBuilder e(b, loc, x.getType());
  Value bits = e.bits(x);
  Value odd = e.iand(e.lshr(bits, 16), e.i(1));
  Value rounded = e.lshr(e.iadd(bits, e.iadd(odd, e.i(0x7fff))), 16);
  // The carry of rounding could change a NaN to infinity or zero.
  Value quiet = e.ior(e.lshr(bits, 16), e.i(0x40));
  return e.select(e.isNaN(x), quiet, rounded);
}

/// True if a NaN of x must be the result of arithmetic, and not an input's.
static bool isArithmetic(Value x) {
  return isa_and_present<arith::AddFOp, arith::SubFOp, arith::MulFOp,
                         arith::DivFOp, math::FmaOp, math::SqrtOp>(
      x.getDefiningOp());
}

/// Rounds by the target's instruction, with the NaN of roundToBFloat. For a NaN
/// of arithmetic that is what the instruction returns.
Value NarrowFloats::roundNatively(Location loc, Value x, Type type) {
  FloatBuilder e(b, loc, x.getType());
  Type i16 = withElement(type, b.getI16Type());
  Value rounded = arith::TruncFOp::create(b, loc, type, x);
  rounded = arith::BitcastOp::create(b, loc, i16, rounded);
  if (isArithmetic(x))
    return arith::BitcastOp::create(b, loc, type, rounded);
  Value quiet = e.lshr(e.ior(e.bits(x), e.i(0x400000)), 16);
  quiet = arith::TruncIOp::create(b, loc, i16, quiet);
  Value bits = arith::SelectOp::create(b, loc, e.isNaN(x), quiet, rounded);
  return arith::BitcastOp::create(b, loc, type, bits);
}

Value NarrowFloats::roundTo(Location loc, Value x, const NarrowFormat &format) {
  FloatBuilder e(b, loc, x.getType());
  Value bits = e.bits(x);
  Value sign = e.iand(e.lshr(bits, 32 - format.width),
                      e.i(int64_t(1) << (format.width - 1)));
  Value magnitude = e.iand(bits, e.i(0x7fffffff));
  Value odd = e.iand(e.lshr(magnitude, format.shift), e.i(1));
  int64_t belowHalf = (int64_t(1) << (format.shift - 1)) - 1;
  Value bias = e.iadd(odd, e.i(belowHalf - (format.rebias << 23)));
  Value normal = e.lshr(e.iadd(magnitude, bias), format.shift);
  // Adding the anchor rounds the number, because the lowest bit of the sum has
  // the weight of the smallest subnormal number.
  Value anchor = e.f(format.anchor);
  Value subnormal = e.isub(e.bits(e.add(e.abs(x), anchor)), e.bits(anchor));
  Value isNaN = e.icmp(arith::CmpIPredicate::ugt, magnitude, e.i(0x7f800000));
  Value special = e.select(isNaN, e.i(format.nan), e.i(format.infinity));
  Value isSubnormal =
      e.icmp(arith::CmpIPredicate::ult, magnitude, e.i(format.smallestNormal));
  Value isSpecial =
      e.icmp(arith::CmpIPredicate::ugt, magnitude, e.i(format.largest));
  Value result = e.select(isSubnormal, subnormal, normal);
  return e.ior(e.select(isSpecial, special, result), sign);
}

/// Converts f64 to f32 with rounding to odd: truncates, and sets the last bit
/// of inexact results. A second rounding then gives the same result as a single
/// one.
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
