//===- SoftDouble.cpp - Emulates f64 arithmetic by integers ---------------===//
//
// A result is a sign, a biased exponent, and a significand whose leading one is
// bit 62. Below the 53 bits that remain, the significand has bits for rounding;
// bit 0 is set if any lower bit was not zero ("sticky"). pack() rounds it once.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/math/SoftDouble.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace tensorc::codegen {

Word Word::constant(uint64_t bits) const {
  Type type = value.getType();
  APInt number(type.getIntOrFloatBitWidth(), bits, /*isSigned=*/false,
               /*implicitTrunc=*/true);
  return {*b, arith::ConstantOp::create(*b, b->getIntegerAttr(type, number))};
}
Word Word::operator+(const Word &y) const {
  return {*b, arith::AddIOp::create(*b, value, y.value)};
}
Word Word::operator-(const Word &y) const {
  return {*b, arith::SubIOp::create(*b, value, y.value)};
}
Word Word::operator*(const Word &y) const {
  return {*b, arith::MulIOp::create(*b, value, y.value)};
}
Word Word::operator&(const Word &y) const {
  return {*b, arith::AndIOp::create(*b, value, y.value)};
}
Word Word::operator|(const Word &y) const {
  return {*b, arith::OrIOp::create(*b, value, y.value)};
}
Word Word::operator^(const Word &y) const {
  return {*b, arith::XOrIOp::create(*b, value, y.value)};
}
Word Word::operator<<(const Word &by) const {
  return {*b, arith::ShLIOp::create(*b, value, by.value)};
}
Word Word::operator>>(const Word &by) const {
  return {*b, arith::ShRUIOp::create(*b, value, by.value)};
}
Word Word::shiftSigned(const Word &by) const {
  return {*b, arith::ShRSIOp::create(*b, value, by.value)};
}
Word Word::compare(CmpIPredicate predicate, const Word &y) const {
  return {*b, arith::CmpIOp::create(*b, predicate, value, y.value)};
}
Word Word::operator==(const Word &y) const {
  return compare(CmpIPredicate::eq, y);
}
Word Word::operator<(const Word &y) const {
  return compare(CmpIPredicate::ult, y);
}
Word Word::isLess(const Word &y) const {
  return compare(CmpIPredicate::slt, y);
}
Word Word::select(const Word &x, const Word &y) const {
  return {*b, arith::SelectOp::create(*b, value, x.value, y.value)};
}
Word Word::countLeadingZeros() const {
  return {*b, math::CountLeadingZerosOp::create(*b, value)};
}
Word Word::widen(const Word &flag) const {
  return {*b, arith::ExtUIOp::create(*b, value.getType(), flag.value)};
}

namespace soft {
namespace {

constexpr uint64_t kSign = uint64_t(1) << 63;
constexpr uint64_t kInfinity = uint64_t(0x7ff) << 52;
constexpr uint64_t kNaN = uint64_t(0xfff) << 51;
constexpr uint64_t kHidden = uint64_t(1) << 52;
constexpr uint64_t kBias = 1023;

uint64_t lowBits(unsigned count) { return (uint64_t(1) << count) - 1; }

/// Returns 1 if x is not 0, else 0.
Word isSome(const Word &x) { return x.widen(x != 0); }

/// Returns x >> by with a sticky bit. A `by` of more than 63 counts as 63.
Word shiftSticky(const Word &x, const Word &by) {
  Word amount = (by > 63).select(63, by);
  Word lost = x & ((x.constant(1) << amount) - 1);
  return (x >> amount) | isSome(lost);
}

/// A finite number. The leading one of `mantissa` is bit 52 even for subnormal
/// numbers, whose exponents are 0 or negative. The mantissa of 0 is 0.
struct Parts {
  Word exponent, mantissa;
};

Parts unpack(const Word &x) {
  Word magnitude = x & ~kSign, exponent = magnitude >> 52;
  Word fraction = magnitude & lowBits(52);
  Word isSubnormal = exponent == 0;
  Word shift = fraction.countLeadingZeros() - 11;
  return {isSubnormal.select(x.constant(1) - shift, exponent),
          isSubnormal.select(fraction << (shift & 63), fraction | kHidden)};
}

/// A binary format: the number of explicit mantissa bits and the exponent of
/// infinity.
struct Format {
  unsigned mantissaBits;
  uint64_t maxExponent;
};
constexpr Format kDouble{52, 0x7ff}, kSingle{23, 0xff};

/// Rounds a significand whose leading one is bit 62 to a format, and returns
/// the bits without the sign.
Word pack(const Word &exponent, const Word &significand,
          const Format &format = kDouble) {
  unsigned guard = 62 - format.mantissaBits;
  // A subnormal result is shifted so that its exponent becomes 1. The exponent
  // field is then 0, because the leading one is missing.
  Word isSmall = exponent.isLess(1);
  Word shifted = shiftSticky(significand, exponent.constant(1) - exponent);
  Word sig = isSmall.select(shifted, significand);
  Word field = isSmall.select(0, exponent - 1);
  Word odd = (sig >> guard) & 1;
  Word rounded = (sig + (odd + lowBits(guard - 1))) >> guard;
  // The leading one, or a carry, adds 1 to the exponent's field.
  Word bits = (field << format.mantissaBits) + rounded;
  Word overflows = exponent.isGreater(format.maxExponent - 1);
  return overflows.select(format.maxExponent << format.mantissaBits, bits);
}

/// Shifts a significand of any size, which is not 0, so that its leading one
/// becomes bit 62. `exponent` belongs to bit 62.
Word normalizeAndPack(const Word &exponent, const Word &significand) {
  Word zeros = significand.countLeadingZeros() & 63;
  Word left = significand << zeros;
  Word sig = (left >> 1) | (left & 1);
  return pack(exponent + 1 - zeros, sig);
}

Word isInfinite(const Word &magnitude) { return magnitude == kInfinity; }
Word isBeyondInfinity(const Word &magnitude) { return magnitude > kInfinity; }

/// A word of 128 bits.
struct Wide {
  Word high, low;
};

Wide shiftSticky(const Wide &x, const Word &by) {
  Word amount = (by > 127).select(127, by);
  Word isFar = amount > 63, inner = amount & 63;
  Word high = isFar.select(0, x.high), low = isFar.select(x.high, x.low);
  Word lost = isFar.select(x.low, 0);
  Word rest = inner.constant(63) - inner;
  lost = lost | ((low << 1) << rest);
  low = (low >> inner) | ((high << 1) << rest);
  return {high >> inner, low | isSome(lost)};
}

Wide add(const Wide &x, const Wide &y) {
  Word low = x.low + y.low;
  return {x.high + y.high + low.widen(low < x.low), low};
}
Wide subtract(const Wide &x, const Wide &y) {
  return {x.high - y.high - x.low.widen(x.low < y.low), x.low - y.low};
}
Wide select(const Word &condition, const Wide &x, const Wide &y) {
  return {condition.select(x.high, y.high), condition.select(x.low, y.low)};
}

/// Returns the product of two mantissas as high * 2^54 + low.
Wide multiplyMantissas(const Word &x, const Word &y) {
  Word xHigh = x >> 27, xLow = x & lowBits(27);
  Word yHigh = y >> 27, yLow = y & lowBits(27);
  Word middle = xHigh * yLow + xLow * yHigh;
  Word low = xLow * yLow + ((middle & lowBits(27)) << 27);
  return {xHigh * yHigh + (middle >> 27) + (low >> 54), low & lowBits(54)};
}

/// Float arithmetic that is used only to estimate the digits of quotients.
struct Estimate {
  Word::Builder &b;
  Value single(const Word &x) {
    return arith::SIToFPOp::create(b, b.getF32Type(), x.get());
  }
  Value number(float x) {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(x));
  }
  Value divide(Value x, Value y) { return arith::DivFOp::create(b, x, y); }
  Value multiply(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value squareRoot(Value x) { return math::SqrtOp::create(b, x); }
  Word digit(Value x) {
    return {b, arith::FPToSIOp::create(b, b.getI64Type(), x)};
  }
};

/// Orders all numbers as signed integers: -0 is before +0.
Word toOrdered(const Word &x) { return x.isNegative().select(x ^ ~kSign, x); }

} // namespace

Word isNaN(const Word &x) { return isBeyondInfinity(x & ~kSign); }

Word isEqual(const Word &x, const Word &y) {
  Word bothZero = ((x | y) & ~kSign) == 0;
  return ((x == y) | bothZero) & !(isNaN(x) | isNaN(y));
}

Word isLess(const Word &x, const Word &y) {
  Word bothZero = ((x | y) & ~kSign) == 0;
  Word less = toOrdered(x).isLess(toOrdered(y));
  return less & !(bothZero | isNaN(x) | isNaN(y));
}

Word maximum(const Word &x, const Word &y) {
  Word larger = toOrdered(x).isLess(toOrdered(y)).select(y, x);
  return (isNaN(x) | isNaN(y)).select(kNaN, larger);
}
Word minimum(const Word &x, const Word &y) {
  Word smaller = toOrdered(x).isLess(toOrdered(y)).select(x, y);
  return (isNaN(x) | isNaN(y)).select(kNaN, smaller);
}

Word add(const Word &x, const Word &y) {
  Word swap = (x & ~kSign) < (y & ~kSign);
  Word large = swap.select(y, x), small = swap.select(x, y);
  Word magnitude = large & ~kSign, sign = large & kSign;
  Word sameSign = ((x ^ y) & kSign) == 0;
  Parts a = unpack(large), b = unpack(small);
  // The leading one of the larger mantissa becomes bit 61.
  Word first = a.mantissa << 9;
  Word second = shiftSticky(b.mantissa << 9, a.exponent - b.exponent);
  Word sum = sameSign.select(first + second, first - second);
  Word result = normalizeAndPack(a.exponent + 1, sum) | sign;
  result = (sum == 0).select(sameSign.select(sign, 0), result);
  Word opposed = isInfinite(small & ~kSign) & !sameSign;
  result = isInfinite(magnitude).select(opposed.select(kNaN, large), result);
  return isBeyondInfinity(magnitude).select(kNaN, result);
}

Word multiply(const Word &x, const Word &y) {
  Word sign = (x ^ y) & kSign;
  Word xSize = x & ~kSign, ySize = y & ~kSign;
  Parts a = unpack(x), b = unpack(y);
  Wide product = multiplyMantissas(a.mantissa, b.mantissa);
  // The leading one is bit 105 or 104 of the product, here bit 62 or 61.
  Word sig = (product.high << 11) | (product.low >> 43) |
             isSome(product.low & lowBits(43));
  Word exponent = a.exponent + b.exponent - (kBias - 1);
  Word result = normalizeAndPack(exponent, sig);
  Word isZero = (xSize == 0) | (ySize == 0);
  result = isZero.select(0, result);
  Word infinite = isInfinite(xSize) | isInfinite(ySize);
  result = infinite.select(isZero.select(kNaN, x.constant(kInfinity)), result);
  return (isNaN(x) | isNaN(y)).select(kNaN, result | sign);
}

Word multiplyAdd(const Word &x, const Word &y, const Word &z) {
  Word xSize = x & ~kSign, ySize = y & ~kSign, zSize = z & ~kSign;
  Word sign = (x ^ y) & kSign, zSign = z & kSign;
  Word sameSign = sign == zSign;
  Parts a = unpack(x), b = unpack(y), c = unpack(z);
  Wide product = multiplyMantissas(a.mantissa, b.mantissa);
  // Both operands are aligned so that an exponent belongs to bit 61 of the high
  // word.
  Word low = (product.high << 54) | product.low, high = product.high >> 10;
  Wide first{(high << 20) | (low >> 44), low << 20};
  Wide second{c.mantissa << 9, z.constant(0)};
  Word firstExponent = a.exponent + b.exponent - (kBias - 1);
  // The exponent of a zero operand must not shift the other operand away.
  Word firstIsZero = (xSize == 0) | (ySize == 0), secondIsZero = zSize == 0;
  firstExponent = firstIsZero.select(c.exponent, firstExponent);
  Word secondExponent = secondIsZero.select(firstExponent, c.exponent);
  Word distance = firstExponent - secondExponent;
  Word shiftsFirst = distance.isNegative();
  Word by = shiftsFirst.select(-distance, distance);
  Wide shifted = shiftSticky(select(shiftsFirst, first, second), by);
  first = select(shiftsFirst, shifted, first);
  second = select(shiftsFirst, second, shifted);
  Word exponent = shiftsFirst.select(secondExponent, firstExponent);

  Wide sum = add(first, second), difference = subtract(first, second);
  Word isReversed = difference.high.isNegative();
  Wide zero{z.constant(0), z.constant(0)};
  difference = select(isReversed, subtract(zero, difference), difference);
  Wide total = select(sameSign, sum, difference);
  Word totalSign = ((!sameSign) & isReversed).select(zSign, sign);
  // Shifts the leading one to bit 63 of the high word.
  Word isNarrow = total.high == 0;
  Word top = isNarrow.select(total.low, total.high);
  Word rest = isNarrow.select(0, total.low);
  exponent = isNarrow.select(exponent - 64, exponent);
  Word zeros = top.countLeadingZeros() & 63;
  Word left = (top << zeros) | ((rest >> 1) >> (zeros.constant(63) - zeros));
  Word sig = (left >> 1) | (left & 1) | isSome(rest << zeros);
  Word result = pack(exponent + 2 - zeros, sig) | totalSign;

  Word isZero = (total.high | total.low) == 0;
  result = isZero.select(sameSign.select(sign, 0), result);
  Word productInfinite = isInfinite(xSize) | isInfinite(ySize);
  Word zInfinite = isInfinite(zSize);
  result = zInfinite.select(z, result);
  result = productInfinite.select(
      (zInfinite & !sameSign).select(kNaN, sign | kInfinity), result);
  Word invalid = productInfinite & firstIsZero;
  return (invalid | isNaN(x) | isNaN(y) | isNaN(z)).select(kNaN, result);
}

Word divide(const Word &x, const Word &y) {
  Word sign = (x ^ y) & kSign;
  Word xSize = x & ~kSign, ySize = y & ~kSign;
  Parts a = unpack(x), b = unpack(y);
  // The quotient has four signed digits of 15 bits. An estimated digit is off
  // by less than 1.1, which leaves a remainder of at most 1.1 divisors. The
  // remainder wraps around before the share of the digit is subtracted.
  constexpr unsigned digitBits = 15;
  Estimate e{x.getBuilder()};
  Value inverse =
      e.divide(e.number(1 << digitBits), e.single(b.mantissa | kHidden));
  Word rest = a.mantissa, quotient = x.constant(0);
  for (int i = 0; i < 4; ++i) {
    Word digit = e.digit(e.multiply(e.single(rest), inverse));
    quotient = (quotient << digitBits) + digit;
    rest = (rest << digitBits) - digit * b.mantissa;
  }
  for (int i = 0; i < 2; ++i) {
    Word isLow = rest.isNegative();
    quotient = isLow.select(quotient - 1, quotient);
    rest = isLow.select(rest + b.mantissa, rest);
  }
  Word isHigh = !rest.isLess(b.mantissa);
  quotient = isHigh.select(quotient + 1, quotient);
  rest = isHigh.select(rest - b.mantissa, rest);
  // This is 2^60 times the quotient, which is between 1/2 and 2.
  Word exponent = a.exponent - b.exponent + (kBias + 2);
  Word result = normalizeAndPack(exponent, quotient | isSome(rest)) | sign;

  Word xInfinite = isInfinite(xSize), yInfinite = isInfinite(ySize);
  Word xZero = xSize == 0, yZero = ySize == 0;
  result = (xZero | yInfinite).select(sign, result);
  result = (xInfinite | yZero).select(sign | kInfinity, result);
  Word invalid = (xZero & yZero) | (xInfinite & yInfinite);
  return (invalid | isNaN(x) | isNaN(y)).select(kNaN, result);
}

Word squareRoot(const Word &x) {
  Parts a = unpack(x);
  Word unbiased = a.exponent - kBias;
  Word isOdd = (unbiased & 1) != 0;
  Word mantissa = isOdd.select(a.mantissa << 1, a.mantissa);
  // The root is computed from a root of 28 bits with its remainder, which the
  // f32 estimate gives, and two further digits of 13 bits.
  constexpr unsigned digitBits = 13;
  Estimate e{x.getBuilder()};
  Word scaled = mantissa << 2;
  Word root = e.digit(e.squareRoot(e.single(scaled)));
  root = root +
         e.digit(e.divide(e.single(scaled - root * root), e.single(root << 1)));
  Word rest = scaled - root * root;
  Value slope = e.divide(e.number(1 << (digitBits - 1)), e.single(root));
  for (int i = 0; i < 2; ++i) {
    Word digit = e.digit(e.multiply(e.single(rest), slope));
    root = root << digitBits;
    rest = (rest << (2 * digitBits)) - digit * ((root << 1) + digit);
    root = root + digit;
    slope = e.multiply(slope, e.number(1.0f / (1 << digitBits)));
  }
  for (int i = 0; i < 2; ++i) {
    Word isLow = rest.isNegative();
    root = isLow.select(root - 1, root);
    rest = isLow.select(rest + (root << 1) + 1, rest);
  }
  Word isHigh = (root << 1).isLess(rest);
  rest = isHigh.select(rest - (root << 1) - 1, rest);
  root = isHigh.select(root + 1, root);
  Word exponent = unbiased.shiftSigned(1) + kBias;
  Word result = pack(exponent, (root << 9) | isSome(rest));

  Word isSpecial = ((x & ~kSign) == 0) | (x == kInfinity);
  result = (x.isNegative() | isNaN(x)).select(kNaN, result);
  return isSpecial.select(x, result);
}

Word roundToInteger(const Word &x, Direction direction) {
  Word magnitude = x & ~kSign, sign = x & kSign;
  Word exponent = magnitude >> 52;
  // Numbers from 1 to 2^52 have fraction bits in the mantissa.
  Word shift = (exponent.constant(kBias + 52) - exponent) & 63;
  Word fraction = (x.constant(1) << shift) - 1;
  Word outward = x.constant(0), tiny = x.constant(0);
  Word one = x.constant(kBias << 52), isZero = magnitude == 0;
  switch (direction) {
  case Direction::Zero:
    break;
  case Direction::Down:
  case Direction::Up: {
    Word isAway = direction == Direction::Down ? sign != 0 : sign == 0;
    outward = isAway.select(fraction, 0);
    tiny = (isAway & !isZero).select(one, 0);
    break;
  }
  case Direction::NearestEven:
    outward = (fraction >> 1) + ((magnitude >> shift) & 1);
    tiny = (magnitude > (kBias - 1) << 52).select(one, 0);
    break;
  }
  Word rounded = ((magnitude + outward) >> shift) << shift;
  Word result = (exponent < kBias).select(tiny, rounded);
  result = (exponent > kBias + 51).select(magnitude, result);
  return result | sign;
}

Word fromSingle(const Word &bits) {
  Word sign = (bits >> 31) << 63, magnitude = bits & lowBits(31);
  Word normal = (magnitude << 29) + ((kBias - 127) << 52);
  // A subnormal number is f * 2^-149.
  Word zeros = magnitude.countLeadingZeros();
  Word mantissa = (magnitude << ((zeros - 11) & 63)) & lowBits(52);
  Word exponent = bits.constant(kBias - 149 + 63) - zeros;
  Word subnormal = mantissa | (exponent << 52);
  Word result = (magnitude < uint64_t(1) << 23).select(subnormal, normal);
  result = (magnitude == 0).select(0, result);
  Word infinity = bits.constant(uint64_t(0xff) << 23);
  result = (magnitude == infinity).select(kInfinity, result);
  result = (infinity < magnitude).select(kNaN, result);
  return result | sign;
}

Word toSingle(const Word &x) {
  Word magnitude = x & ~kSign;
  Parts a = unpack(x);
  Word bits = pack(a.exponent - (kBias - 127), a.mantissa << 10, kSingle);
  bits = (magnitude == 0).select(0, bits);
  bits = isBeyondInfinity(magnitude).select(0x7fc00000, bits);
  return bits | (x >> 63 << 31);
}

Word fromInteger(const Word &integer, bool isSigned) {
  Word zero = integer.constant(0), sign = zero, magnitude = integer;
  if (isSigned) {
    sign = integer & kSign;
    magnitude = integer.isNegative().select(-integer, integer);
  }
  Word result = normalizeAndPack(integer.constant(kBias + 62), magnitude);
  return (integer == 0).select(zero, result | sign);
}

Word toInteger(const Word &x, bool isSigned) {
  Word magnitude = x & ~kSign, exponent = magnitude >> 52;
  Word mantissa = (magnitude & lowBits(52)) | kHidden;
  Word right = mantissa >> ((exponent.constant(kBias + 52) - exponent) & 63);
  Word left = mantissa << ((exponent - (kBias + 52)) & 63);
  Word size = (exponent > kBias + 52).select(left, right);
  size = (exponent < kBias).select(0, size);
  return isSigned ? x.isNegative().select(-size, size) : size;
}

} // namespace soft
} // namespace tensorc::codegen
