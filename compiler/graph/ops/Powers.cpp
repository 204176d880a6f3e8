//===- Powers.cpp - Powers by products ------------------------------------===//

#include "compiler/graph/ops/Powers.h"

#include "compiler/graph/ops/Term.h"

namespace tensorc::graph {

/// Computes a power with a constant exponent by one or two products per bit of
/// the exponent.
static NodeRef powerOfNumber(Recorder &r, Term x, Scalar exponent) {
  if (exponent.kind == Scalar::Int && exponent.i < 0)
    return r.fail("pow", "an integer to a negative power, " +
                             toString(exponent) +
                             "; convert with astype to a float dtype");
  Term result(r, {});
  for (auto n = static_cast<uint64_t>(exponent.i); n; n >>= 1) {
    if (n & 1)
      result = result ? result * x : x;
    if (n > 1)
      x = x * x;
  }
  return result ? result
                : full(r, x->dtype(), x->shape(), Scalar::of(int64_t(1)));
}

/// Returns 1 / x^n, rounded towards 0, for n > 0: 1 for x = 1, 1 or -1 for x =
/// -1, else 0.
static Term truncatedInverse(const Term &x, const Term &isOdd) {
  Term ofUnit = select(isOdd, x, 1);
  return select(equals(x, 1) | equals(x, -1), ofUnit, 0);
}

NodeRef integerPower(Recorder &r, const Operand &x, const Operand &y,
                     DType dtype) {
  Term base(r, x.isScalar ? full(r, dtype, {}, x.scalar)
                          : astype(r, NodeRef(x.node), dtype));
  if (!base)
    return {};
  if (y.isScalar)
    return powerOfNumber(r, base, y.scalar);
  // A narrow exponent has few bits, so few steps are needed.
  const int64_t bits =
      y.node->dtype() == DType::I1 ? 1 : 8 * byteWidth(y.node->dtype());
  const Term given = base, exponent(r, astype(r, NodeRef(y.node), dtype));
  if (!exponent)
    return {};
  Term result(r, full(r, dtype, {}, Scalar::of(int64_t(1))));
  for (int64_t bit = 0; bit < bits; ++bit) {
    // The sign bit is handled below.
    if (isIn(dtype, signedMask) && bit + 1 == 8 * byteWidth(dtype))
      break;
    const Scalar mask = Scalar::of(uint64_t(1) << bit);
    Term isSet =
        exponent.map(OpKind::And, {exponent.node, mask}).map(OpKind::Ne, 0);
    result = result * select(isSet, base, 1);
    if (bit + 1 < bits)
      base = base * base;
    if (!result || !base)
      return {};
  }
  if (!isIn(dtype, signedMask))
    return result;
  Term isOdd = (exponent & 1).map(OpKind::Ne, 0);
  return select(exponent < 0, truncatedInverse(given, isOdd), result);
}

NodeRef powerOfKnownExponent(Recorder &r, const Operand &x, const Operand &y) {
  if (x.isScalar || !x.node || !y.isScalar || y.scalar.kind == Scalar::Complex)
    return {};
  DType dtype = x.node->dtype();
  double exponent = y.scalar.kind == Scalar::Float
                        ? y.scalar.f
                        : static_cast<double>(y.scalar.i);
  if (exponent == 2 && isIn(dtype, floatMask | complexMask))
    return elementwise(r, OpKind::Mul, {x, x});
  if (exponent == -1 && isIn(dtype, floatMask))
    return elementwise(r, OpKind::Div, {Scalar::of(1.0), x});
  const Term base(r, NodeRef(x.node));
  // In 16 bits the square would be rounded too early.
  const bool isWide = dtype == DType::F32 || dtype == DType::F64;
  if (exponent == 3 && isWide)
    return base * base * base;
  if (exponent == 4 && isWide)
    return base * base * (base * base);
  return {};
}

} // namespace tensorc::graph
