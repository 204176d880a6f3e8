//===- NormalQuantile.cpp - Normal numbers from random bits ---------------===//
//
// The quantile function by Wichura's rational approximations (AS 241), made of
// operations that every target rounds alike: + - * /, sqrt and integers; so the
// numbers have the same bits everywhere. tx.log is not one of these.
//
//===----------------------------------------------------------------------===//

#include "compiler/graph/random/NormalQuantile.h"

#include <array>

namespace tensorc::graph {

namespace {

/// Coefficients of a quotient of polynomials, the constant ones first.
template <size_t n> struct Rational {
  std::array<double, n> numerator, denominator;
};

/// PPND7, near the centre and in the tail.
constexpr Rational<4> singleCentre{
    {3.3871327179, 50.434271938, 159.29113202, 59.109374720},
    {1.0, 17.895169469, 78.757757664, 67.187563600}};
constexpr Rational<4> singleTail{
    {1.4234372777, 2.7568153900, 1.3067284816, 0.17023821103},
    {1.0, 0.73700164250, 0.12021132975, 0.0}};

/// PPND16, near the centre, in the tail, and far out.
constexpr Rational<8> doubleCentre{
    {3.387132872796366608, 133.14166789178437745, 1971.5909503065514427,
     13731.693765509461125, 45921.953931549871457, 67265.770927008700853,
     33430.575583588128105, 2509.0809287301226727},
    {1.0, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077,
     21213.794301586595867, 39307.89580009271061, 28729.085735721942674,
     5226.495278852854561}};
constexpr Rational<8> doubleTail{
    {1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055,
     3.64784832476320460504, 1.27045825245236838258, 0.24178072517745061177,
     0.0227238449892691845833, 7.7454501427834140764e-4},
    {1.0, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455,
     0.14810397642748007459, 0.0151986665636164571966, 5.475938084995344946e-4,
     1.05075007164441684324e-9}};
constexpr Rational<8> doubleFar{
    {6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358,
     0.29656057182850489123, 0.026532189526576123093, 0.0012426609473880784386,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 0.59983220655588793769, 0.13692988092273580531,
     0.0148753612908506148525, 7.868691311456132591e-4,
     1.8463183175100546818e-5, 1.4215117583164458887e-7,
     2.04426310338993978564e-15}};

/// What the two dtypes differ in.
struct Format {
  DType real, bits, integer;
  int64_t width, mantissa;
  /// Bits of sqrt(1/2), and of a mantissa.
  int64_t rootHalf, mask;
  /// Terms of the logarithm's series.
  int terms;
};
constexpr Format single{DType::F32, DType::UI32, DType::I32, 32,
                        23,         0x3f3504f3,  0x7fffff,   5};
constexpr Format wide{DType::F64, DType::UI64,        DType::I64,      64,
                      52,         0x3fe6a09e667f3bcc, 0xfffffffffffff, 11};

class Quantile {
public:
  Quantile(Recorder &r, const Format &format) : r(r), format(format) {}

  NodeRef run(const NodeRef &bits);

private:
  Recorder &r;
  const Format &format;

  using In = const Operand &;
  static Operand f(double value) { return Scalar::of(value); }
  static Operand i(int64_t value) { return Scalar::of(value); }
  NodeRef op(OpKind kind, In x) { return elementwise(r, kind, {x}); }
  NodeRef op(OpKind kind, In x, In y) { return elementwise(r, kind, {x, y}); }
  NodeRef add(In x, In y) { return op(OpKind::Add, x, y); }
  NodeRef sub(In x, In y) { return op(OpKind::Sub, x, y); }
  NodeRef mul(In x, In y) { return op(OpKind::Mul, x, y); }
  NodeRef div(In x, In y) { return op(OpKind::Div, x, y); }
  NodeRef select(In p, In x, In y) {
    return elementwise(r, OpKind::Select, {p, x, y});
  }

  NodeRef log(const NodeRef &x);
  template <size_t n>
  NodeRef polynomial(const NodeRef &x, const std::array<double, n> &c);
  template <size_t n> NodeRef quotient(const NodeRef &x, const Rational<n> &q) {
    return div(polynomial(x, q.numerator), polynomial(x, q.denominator));
  }
};

} // namespace

/// Horner's rule; every product and sum is rounded.
template <size_t n>
NodeRef Quantile::polynomial(const NodeRef &x, const std::array<double, n> &c) {
  size_t degree = n - 1;
  while (c[degree] == 0)
    --degree;
  NodeRef sum = mul(x, f(c[degree]));
  for (size_t k = degree - 1; k > 0; --k)
    sum = mul(add(sum, f(c[k])), x);
  return add(sum, f(c[0]));
}

/// Of a positive normal number: x = m 2^e with m in [sqrt 1/2, sqrt 2), and
/// log m = 2 artanh((m - 1) / (m + 1)) by its series.
NodeRef Quantile::log(const NodeRef &x) {
  NodeRef offset = sub(bitcast(r, x, format.integer), i(format.rootHalf));
  NodeRef exponent =
      astype(r, op(OpKind::ShrArith, offset, i(format.mantissa)), format.real);
  NodeRef m = bitcast(
      r, add(op(OpKind::And, offset, i(format.mask)), i(format.rootHalf)),
      format.real);
  NodeRef s = div(sub(m, f(1.0)), add(m, f(1.0)));
  NodeRef z = mul(s, s);
  int last = 2 * format.terms - 1;
  NodeRef series = mul(z, f(1.0 / last));
  for (int k = last - 2; k > 1; k -= 2)
    series = mul(add(series, f(1.0 / k)), z);
  NodeRef half = add(mul(s, series), s);
  return add(mul(exponent, f(0.6931471805599453)), add(half, half));
}

NodeRef Quantile::run(const NodeRef &bits) {
  // The highest bit is the sign, the others a probability in (0, 1/2].
  NodeRef negative = op(OpKind::Lt, bitcast(r, bits, format.integer), i(0));
  NodeRef magnitude = op(OpKind::ShrLogical, op(OpKind::Shl, bits, i(1)), i(1));
  NodeRef count = astype(r, bitcast(r, magnitude, format.integer), format.real);
  NodeRef p =
      mul(add(count, f(0.5)), f(format.width == 32 ? 0x1p-32 : 0x1p-64));
  NodeRef q = sub(f(0.5), p);
  NodeRef isCentral = op(OpKind::Ge, p, f(0.075));
  NodeRef nearArgument = sub(f(0.180625), mul(q, q));
  NodeRef root = op(OpKind::Sqrt, op(OpKind::Neg, log(p)));
  NodeRef tailArgument = sub(root, f(1.6));
  NodeRef centre, tail;
  if (format.width == 32) {
    centre = quotient(nearArgument, singleCentre);
    tail = quotient(tailArgument, singleTail);
  } else {
    centre = quotient(nearArgument, doubleCentre);
    NodeRef isFar = op(OpKind::Gt, root, f(5.0));
    tail = select(isFar, quotient(sub(root, f(5.0)), doubleFar),
                  quotient(tailArgument, doubleTail));
  }
  NodeRef x = select(isCentral, mul(q, centre), tail);
  return select(negative, op(OpKind::Neg, x), x);
}

NodeRef normalQuantile(Recorder &r, const NodeRef &bits) {
  if (!bits)
    return {};
  return Quantile(r, bits->dtype() == DType::UI64 ? wide : single).run(bits);
}

} // namespace tensorc::graph
