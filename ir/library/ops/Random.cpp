//===- Random.cpp - Expansions of random distributions --------------------===//
//
// Normal numbers are computed as the quantile function of random bits, by
// Wichura's rational approximations (AS 241). These use only operations that
// every target rounds in the same way (+ - * /, sqrt and integer operations),
// so the numbers have the same bits on every target. tx.log is not such an
// operation.
//
//===----------------------------------------------------------------------===//

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"

#include <array>

using namespace mlir;

namespace tensorc::tx {

using builder::dtypeOf;
using builder::TensorBuilder;

namespace {

/// Coefficients of a quotient of polynomials. The constant terms come first.
template <size_t n> struct Rational {
  std::array<double, n> numerator, denominator;
};

/// Wichura's PPND7 (AS 241), near the centre and in the tail.
constexpr Rational<4> singleCentre{
    {3.3871327179, 50.434271938, 159.29113202, 59.109374720},
    {1.0, 17.895169469, 78.757757664, 67.187563600}};
constexpr Rational<4> singleTail{
    {1.4234372777, 2.7568153900, 1.3067284816, 0.17023821103},
    {1.0, 0.73700164250, 0.12021132975, 0.0}};

/// Wichura's PPND16 (AS 241), near the centre, in the tail, and far out in the
/// tail.
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

/// Properties of a float format that depend on the dtype.
struct Format {
  DType real, bits, integer;
  int64_t width, mantissa;
  /// The bits of sqrt(1/2), and a mask of the mantissa's bits.
  int64_t rootHalf, mask;
  /// Number of terms of the logarithm's series.
  int terms;
};
constexpr Format single{DType::F32, DType::UI32, DType::I32, 32,
                        23,         0x3f3504f3,  0x7fffff,   5};
constexpr Format wide{DType::F64, DType::UI64,        DType::I64,      64,
                      52,         0x3fe6a09e667f3bcc, 0xfffffffffffff, 11};

class Quantile {
public:
  Quantile(TensorBuilder &b, const Format &format) : b(b), format(format) {}

  Value run(Value bits);

private:
  TensorBuilder &b;
  const Format &format;

  Value log(Value x);
  template <size_t n> Value polynomial(Value x, const std::array<double, n> &c);
  template <size_t n> Value quotient(Value x, const Rational<n> &q) {
    Value numerator = polynomial(x, q.numerator);
    return b.div(numerator, polynomial(x, q.denominator));
  }
};

} // namespace

/// Evaluates a polynomial by Horner's rule, in which every product and every
/// sum is rounded.
template <size_t n>
Value Quantile::polynomial(Value x, const std::array<double, n> &c) {
  size_t degree = n - 1;
  while (c[degree] == 0)
    --degree;
  Value sum = b.mul(x, c[degree]);
  for (size_t k = degree - 1; k > 0; --k)
    sum = b.mul(b.add(sum, c[k]), x);
  return b.add(sum, c[0]);
}

/// Returns the logarithm of a positive normal number. With x = m 2^e and m in
/// [sqrt 1/2, sqrt 2), log m is 2 artanh((m - 1) / (m + 1)), which is computed
/// by its series.
Value Quantile::log(Value x) {
  Value offset = b.sub(b.bitcast(x, format.integer), format.rootHalf);
  Value exponent =
      b.convert(b.map<ShrArithOp>({offset, format.mantissa}), format.real);
  Value m = b.bitcast(
      b.add(b.map<AndOp>({offset, format.mask}), format.rootHalf), format.real);
  Value less = b.sub(m, 1.0);
  Value s = b.div(less, b.add(m, 1.0));
  Value z = b.mul(s, s);
  int last = 2 * format.terms - 1;
  Value series = b.mul(z, 1.0 / last);
  for (int k = last - 2; k > 1; k -= 2)
    series = b.mul(b.add(series, 1.0 / k), z);
  Value half = b.add(b.mul(s, series), s);
  return b.add(b.mul(exponent, 0.6931471805599453), b.add(half, half));
}

Value Quantile::run(Value bits) {
  // The highest bit is the sign; the other bits are a probability in (0, 1/2].
  Value negative = b.less(b.bitcast(bits, format.integer), 0);
  Value magnitude = b.map<ShrLogicalOp>({b.map<ShlOp>({bits, 1}), 1});
  Value count = b.convert(b.bitcast(magnitude, format.integer), format.real);
  Value p = b.mul(b.add(count, 0.5), format.width == 32 ? 0x1p-32 : 0x1p-64);
  Value q = b.sub(0.5, p);
  Value isCentral = b.greaterOrEqual(p, 0.075);
  Value nearArgument = b.sub(0.180625, b.mul(q, q));
  Value root = b.sqrt(b.neg(log(p)));
  Value tailArgument = b.sub(root, 1.6);
  Value centre, tail;
  if (format.width == 32) {
    centre = quotient(nearArgument, singleCentre);
    tail = quotient(tailArgument, singleTail);
  } else {
    centre = quotient(nearArgument, doubleCentre);
    Value isFar = b.greater(root, 5.0);
    Value far = quotient(b.sub(root, 5.0), doubleFar);
    tail = b.select(isFar, far, quotient(tailArgument, doubleTail));
  }
  Value x = b.select(isCentral, b.mul(q, centre), tail);
  return b.select(negative, b.neg(x), x);
}

Value RandnOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  bool isDouble = dtypeOf(getBits()) == DType::UI64;
  Value x = Quantile(b, isDouble ? wide : single).run(getBits());
  return b.convertLike(x, getResult());
}

Value DropoutOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  Value kept = b.greaterOrEqual(getUniform(), getLimit());
  Value scaled = b.mul(getX(), b.convertLike(getFactor(), getX()));
  return b.select(kept, scaled, 0.0);
}

} // namespace tensorc::tx
