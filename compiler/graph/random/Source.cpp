//===- Source.cpp - Building blocks of random distributions ---------------===//

#include "compiler/graph/random/Source.h"

#include <cmath>
#include <limits>

namespace tensorc::graph {

constexpr double inf = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Logarithms and exponentials
//===----------------------------------------------------------------------===//

namespace {
/// An integer dtype of a float's width, its number of mantissa bits, the
/// exponent's bias, and the bits of sqrt(1/2).
struct Format {
  DType integer;
  int64_t mantissa, bias, rootHalf;
};
constexpr Format single{DType::I32, 23, 127, 0x3f3504f3};
constexpr Format wide{DType::I64, 52, 1023, 0x3fe6a09e667f3bcc};
constexpr double log2 = 0.6931471805599453;

constexpr double factorial(int n) { return n == 0 ? 1 : n * factorial(n - 1); }
} // namespace

/// x = m 2^e with m in [sqrt 1/2, sqrt 2), log m = 2 artanh((m - 1) / (m + 1)).
Term log(const Term &x) {
  if (!x)
    return x;
  bool isWide = x->dtype() == DType::F64;
  const Format &format = isWide ? wide : single;
  Term offset = x.bitsAs(format.integer) - format.rootHalf;
  Term exponent = offset.map(OpKind::ShrArith, format.mantissa).as(x->dtype());
  Term m = ((offset & (int64_t(1) << format.mantissa) - 1) + format.rootHalf)
               .bitsAs(x->dtype());
  Term s = (m - 1) / (m + 1), z = s * s;
  int last = isWide ? 21 : 9;
  Term series = z * (1.0 / last);
  for (int k = last - 2; k > 1; k -= 2)
    series = (series + 1.0 / k) * z;
  Term half = s * series + s;
  return exponent * log2 + (half + half);
}

/// Writes x as n log 2 + r and sums the series of e^r.
Term exp(const Term &x) {
  if (!x)
    return x;
  bool isWide = x->dtype() == DType::F64;
  const Format &format = isWide ? wide : single;
  double low = isWide ? -708.0 : -87.0, high = isWide ? 709.0 : 88.0;
  int terms = isWide ? 13 : 8;
  Term inside = max(min(x, high), low);
  Term n = floor(inside * (1 / log2) + 0.5);
  constexpr double upper = 0.693359375; // nine bits: n times it is exact
  Term r = (inside - n * upper) - n * (log2 - upper);
  Term series = r * (1 / factorial(terms)) + 1 / factorial(terms - 1);
  for (int k = terms - 2; k >= 0; --k)
    series = series * r + 1 / factorial(k);
  Term power = (n.as(format.integer) + format.bias)
                   .map(OpKind::Shl, format.mantissa)
                   .bitsAs(x->dtype());
  Term result = select(x > high, inf, series * power);
  result = select(x < low, 0.0, result);
  return select(x.map(OpKind::IsNan), x, result);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

Source Source::child(int64_t number) const {
  return {r, op, foldIn(r, key, Scalar::of(number)), real};
}

Term Source::bits(Ints shape) const {
  return {r, randomBits(r, key, real == DType::F64 ? DType::UI64 : DType::UI32,
                        shape, RandomAlgorithm::Philox4x32_10)};
}

Term Source::unit(Ints shape) const {
  Term all = bits(shape);
  // Integers of up to 53 bits have the same value as signed and as unsigned
  // integers.
  if (real == DType::F64)
    return min(
        (all.map(OpKind::ShrLogical, 11).bitsAs(DType::I64).as(real) + 0.5) *
            0x1p-53,
        1 - 0x1p-53);
  return min((all.as(real) + 0.5) * 0x1p-32, 1 - 0x1p-24);
}

std::pair<Term, Term> Source::half(Ints shape) const {
  bool isWide = real == DType::F64;
  DType integer = isWide ? DType::I64 : DType::I32;
  Term all = bits(shape);
  Term magnitude = all.map(OpKind::Shl, 1).map(OpKind::ShrLogical, 1);
  Term count = magnitude.bitsAs(integer).as(real);
  return {(count + 0.5) * (isWide ? 0x1p-64 : 0x1p-32),
          all.bitsAs(integer) < 0};
}

Term Source::normal(Ints shape) const {
  return {r, randn(r, key, real, shape)};
}

Term Source::exponential(Ints shape) const { return -log(unit(shape)); }

Term Source::gumbel(Ints shape) const { return -log(exponential(shape)); }

/// Returns the shape of `tries` draws at once.
static Shape many(int64_t tries, Ints shape) {
  Shape result{tries};
  result.append(shape.begin(), shape.end());
  return result;
}

/// Returns the first accepted value along the first axis, or the last value.
static Term first(const Term &accepted, const Term &value) {
  if (!accepted || !value)
    return accepted;
  Recorder &r = *accepted.r;
  int64_t count = accepted->shape()[0];
  Shape column(accepted->rank(), 1);
  column[0] = count;
  Term place(r, iota(r, DType::I32, column, 0));
  Term chosen = select(accepted, place, count - 1);
  Term earliest(r, reduce(r, OpKind::ReduceMin, chosen, int64_t(0), false));
  Term kept = select(equals(place, earliest), value, value * 0);
  return {r, reduce(r, OpKind::Sum, kept, int64_t(0), false)};
}

//===----------------------------------------------------------------------===//
// Gamma: Marsaglia and Tsang, A simple method for generating gamma variables
// (2000)
//===----------------------------------------------------------------------===//

/// Number of tries. Each try is accepted with a probability above 0.95, so the
/// probability that all are rejected is below 4e-11.
constexpr int64_t gammaTries = 8;

Term Source::logGamma(const Term &alpha) const {
  if (!alpha)
    return alpha;
  Ints shape = alpha->shape();
  Term isSmall = alpha < 1;
  Term d = select(isSmall, alpha + 1, alpha) - 1.0 / 3;
  Term c = 1 / (sqrt(d) * 3);
  Shape all = many(gammaTries, shape);
  Term x = child(0).normal(all);
  Term root = c * x + 1;
  Term positive = max(root, 0x1p-20);
  Term v = positive * positive * positive;
  Term u = child(1).unit(all);
  Term accepted = (root > 0) & (log(u) < x * x * 0.5 + d * ((1 - v) + log(v)));
  Term result = log(d) + log(first(accepted, v));
  // For a small alpha, a sample for alpha + 1 is scaled by a power of a uniform
  // number.
  result = select(isSmall, result + log(child(2).unit(shape)) / alpha, result);
  result =
      select(equals(alpha, 0), -inf, select(equals(alpha, inf), inf, result));
  return select(alpha >= 0, result, notANumber);
}

//===----------------------------------------------------------------------===//
// Poisson and binomial numbers: Hoermann, The transformed rejection method
// (1993); for small means, summation of probabilities
//===----------------------------------------------------------------------===//

/// Number of tries. Each try is accepted with a probability above 0.75, so the
/// probability that all are rejected is below 1e-12.
constexpr int64_t countTries = 20;
/// Maximum count that is found by summing probabilities. A number with a mean
/// below 10 exceeds it with a probability below 1e-12.
constexpr int maxCounted = 40;

/// Returns log k! by Stirling's series at k + 9, minus the logarithm of the
/// product of the factors in between.
static Term logFactorial(const Term &k) {
  Term x = k + 9, product = k + 1;
  for (int i = 2; i < 9; ++i)
    product = product * (k + i);
  Term z = 1 / (x * x);
  Term series = z * (-691.0 / 360360);
  for (double c : {1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360})
    series = (series + c) * z;
  series = series + 1.0 / 12;
  return (x - 0.5) * log(x) - x + std::log(2 * M_PI) / 2 + series / x -
         log(product);
}

/// Returns the number of k < maxCounted with P(0) + ... + P(k) <= u, where P(0)
/// is `first` and P(k) is P(k - 1) * ratio(k).
static Term counted(const Term &u, const Term &first,
                    llvm::function_ref<Term(int)> ratio) {
  Term term = first, total = first, count = u * 0;
  for (int k = 1; k <= maxCounted; ++k) {
    count = count + (u >= total).as(DType::F64);
    term = term * ratio(k);
    total = total + term;
  }
  return count;
}

/// Returns candidates, the distances of their uniform numbers in [-1/2, 1/2]
/// from the ends, and the uniform numbers that determine whether a candidate is
/// accepted.
Source::Candidates Source::transformed(Ints shape, const Term &a, const Term &b,
                                       const Term &center) const {
  Shape all = many(countTries, shape);
  Term u = child(0).unit(all) - 0.5;
  Term us = 0.5 - abs(u);
  return {floor((a * 2 / us + b) * u + center), us, child(1).unit(all)};
}

Term Source::poisson(const Term &rate) const {
  if (!rate)
    return rate;
  Ints shape = rate->shape();
  Term few = max(min(rate, 10.0), 0.0);
  Term small =
      counted(child(2).unit(shape), exp(-few), [&](int k) { return few / k; });
  Term many = min(max(rate, 10.0), 1e18);
  Term b = sqrt(many) * 2.53 + 0.931;
  Term a = b * 0.02483 + -0.059;
  auto [k, us, v] = transformed(shape, a, b, many + 0.43);
  Term inside = (k >= 0) & ((us >= 0.013) | (v <= us));
  Term kept = max(k, 0.0);
  Term bound = kept * log(many) - many - logFactorial(kept);
  Term ratio = v * (1.1328 / (b - 3.4) + 1.1239) / (a / (us * us) + b);
  Term accepted = ((us >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))) |
                  (inside & (log(ratio) <= bound));
  Term result = select(rate < 10, small, first(accepted, kept));
  // The standard deviation for such a large rate is below the precision of the
  // result's dtype.
  result = select(rate > 1e18, rate, result);
  return select(rate >= 0, result, -1.0);
}

Term Source::binomial(const Term &n, const Term &p) const {
  if (!n || !p)
    return n;
  Ints shape = n->shape();
  Term isMirrored = p > 0.5;
  Term q = max(min(select(isMirrored, 1 - p, p), 0.5), 0.0);
  Term n0 = max(floor(n), 0.0);
  Term mean = n0 * q, rest = 1 - q, odds = q / rest;
  Term isFew = mean < 10;
  // For a large mean the terms would underflow to 0, so n is replaced by
  // another number. The result is not selected then.
  Term few = select(isFew, n0, 10.0);
  Term none = exp(few * (log(rest) + ((1 - rest) - q) / rest));
  Term small = counted(child(2).unit(shape), none, [&](int k) {
    return max(few - (k - 1), 0.0) / k * odds;
  });
  small = min(small, n0);
  Term many = select(isFew, 40.0, n0);
  q = select(isFew, 0.5, q);
  odds = q / (1 - q);
  Term deviation = sqrt(many * q * (1 - q));
  Term b = deviation * 2.53 + 1.15;
  Term a = b * 0.0248 + -0.0873 + q * 0.01;
  auto [k, us, v] = transformed(shape, a, b, many * q + 0.5);
  Term inside = (k >= 0) & (k <= many);
  Term kept = max(min(k, many), 0.0);
  Term mode = floor((many + 1) * q);
  Term bound = logFactorial(mode) + logFactorial(many - mode) -
               logFactorial(kept) - logFactorial(many - kept);
  bound = bound + (kept - mode) * log(odds);
  Term ratio = v * ((5.1 / b + 2.83) * deviation) / (a / (us * us) + b);
  Term accepted =
      inside & (((us >= 0.07) & (v <= 0.92 - 4.2 / b)) | (log(ratio) <= bound));
  Term result = select(isFew, small, first(accepted, kept));
  result = select(isMirrored, n0 - result, result);
  // For an infinite n the candidates are NaN.
  result = select(equals(n0, inf), select(p > 0, n0, 0.0), result);
  return select((n >= 0) & (p >= 0) & (p <= 1), result, -1.0);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

bool checkDraw(Recorder &r, const char *op, const NodeRef &key, DType dtype,
               DTypeMask mask, const char *kind) {
  if (!isIn(dtype, mask))
    r.fail(op,
           llvm::Twine("dtype must be ") + kind + ", not " + dtypeName(dtype));
  return r.error.empty() && checkKey(r, op, key);
}

llvm::SmallVector<Term> parametersOf(Recorder &r, const char *op, DType dtype,
                                     Ints dims, llvm::ArrayRef<Operand> given) {
  Shape shape(dims);
  for (const Operand &x : given) {
    if (x.isScalar) {
      if (x.scalar.kind == Scalar::Complex)
        r.fail(op, "a parameter must be real, not " + toString(x.scalar));
      continue;
    }
    if (!x.node) {
      r.fail(op, "a parameter is an undefined tensor");
    } else if (!isIn(x.node->dtype(), computeMask)) {
      r.fail(op,
             llvm::Twine("a parameter must be an integer or a float, not ") +
                 dtypeName(x.node->dtype()));
    } else if (dims.empty()) {
      Shape both;
      if (broadcastShapes(r, op, shape, x.node->shape(), both))
        shape = both;
    }
  }
  llvm::SmallVector<Term> result;
  if (!r.error.empty() || !checkShape(r, op, dtype, shape))
    return result;
  for (const Operand &x : given)
    result.emplace_back(
        r, x.isScalar ? full(r, dtype, shape, x.scalar)
                      : broadcastTo(r, astype(r, x.node, dtype), shape));
  if (!r.error.empty())
    result.clear();
  return result;
}

} // namespace tensorc::graph
