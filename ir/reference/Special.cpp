//===- Special.cpp - Reference special functions --------------------------===//

#include "ir/reference/Special.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tensorc::reference {

using Long = long double;

static constexpr Long kPi = 3.14159265358979323846264338327950288L;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

//===----------------------------------------------------------------------===//
// Error functions
//===----------------------------------------------------------------------===//

static Long longErfcx(Long x) {
  if (x < 6)
    return std::exp(x * x) * std::erfc(x);
  // Evaluates the continued fraction of erfc, starting with its last term.
  Long tail = x;
  for (int k = 200; k > 0; --k)
    tail = x + k / 2.0L / tail;
  return 1 / (std::sqrt(kPi) * tail);
}

double erfcx(double x) { return longErfcx(x); }

/// Returns the logarithm of the area below x under the normal density.
static Long longLogNdtr(Long x) {
  if (x > 0)
    return std::log1p(-std::erfc(x / std::sqrt(2.0L)) / 2);
  return std::log(longErfcx(-x / std::sqrt(2.0L)) / 2) - x * x / 2;
}

double ndtr(double x) { return std::erfc(-Long(x) / std::sqrt(2.0L)) / 2; }
double logNdtr(double x) {
  return std::isinf(x) ? (x < 0 ? -kInfinity : 0) : double(longLogNdtr(x));
}

/// Returns the x <= 0 below which the normal density has the given area, by
/// Newton's method on the logarithm of the area.
static Long lowerQuantile(Long area) {
  Long x = 0, goal = std::log(area);
  for (int k = 0; k < 100; ++k) {
    Long value = longLogNdtr(x);
    Long slope = std::exp(-x * x / 2 - value) / std::sqrt(2 * kPi);
    Long next = std::min(x - (value - goal) / slope, 0.0L);
    if (std::abs(next - x) <= std::abs(x) * 1e-19L)
      break;
    x = next;
  }
  return x;
}

double ndtri(double x) {
  if (!(x >= 0 && x <= 1))
    return kNaN;
  if (x == 0 || x == 1)
    return x == 0 ? -kInfinity : kInfinity;
  return x < 0.5 ? lowerQuantile(x) : -lowerQuantile(1 - Long(x));
}

double erfinv(double x) {
  if (!(std::abs(x) <= 1))
    return kNaN;
  if (std::abs(x) == 1)
    return std::copysign(kInfinity, x);
  // Near 0 it is computed by its series, elsewhere as a quantile.
  if (std::abs(x) < 1e-3) {
    Long y = x * std::sqrt(kPi) / 2;
    for (int k = 0; k < 6; ++k)
      y -= (std::erf(y) - x) * std::exp(y * y) * std::sqrt(kPi) / 2;
    return y;
  }
  Long y = -lowerQuantile((1 - std::abs(Long(x))) / 2) / std::sqrt(2.0L);
  return std::copysign(double(y), x);
}

//===----------------------------------------------------------------------===//
// Gamma functions
//===----------------------------------------------------------------------===//

/// Return sin and cos of pi x, both with the same possibly wrong sign.
static Long sinPi(Long x) { return std::sin(kPi * (x - std::nearbyint(x))); }
static Long cosPi(Long x) { return std::cos(kPi * (x - std::nearbyint(x))); }

/// The coefficients B_2k / (2k (2k - 1)) of Stirling's series.
static constexpr Long kStirling[] = {
    1 / 12.0L,         -1 / 360.0L,        1 / 1260.0L, -1 / 1680.0L,
    1 / 1188.0L,       -691 / 360360.L,    1 / 156.0L,  -3617 / 122400.0L,
    43867 / 244188.0L, -174611 / 125400.0L};

/// Returns lgamma for x > 0. For small x this is glibc's function, whose
/// relative error is also small near 1 and 2.
static Long positiveLgamma(Long x) {
  if (x < 40) {
    int sign;
    return lgammal_r(x, &sign);
  }
  Long sum = 0;
  for (int k = 9; k >= 0; --k)
    sum = sum / (x * x) + kStirling[k];
  return (x - 0.5L) * std::log(x) - x + std::log(2 * kPi) / 2 + sum / x;
}

double lgamma(double x) {
  if (std::isnan(x) || std::isinf(x))
    return std::abs(x);
  if (x > 0)
    return positiveLgamma(x);
  Long sine = std::abs(sinPi(x));
  if (sine == 0)
    return kInfinity;
  int sign;
  // Near the zeros below 0 only the C library's function is accurate enough.
  return x > -20 ? lgammal_r(x, &sign)
                 : std::log(kPi / sine) - positiveLgamma(1 - Long(x));
}

static Long longDigamma(Long x) {
  Long sum = 0;
  for (; x < 30; x += 1)
    sum -= 1 / x;
  Long series = 0;
  for (int k = 9; k >= 0; --k)
    series = series / (x * x) + kStirling[k] * (2 * k + 1);
  return sum + std::log(x) - 1 / (2 * x) - series / (x * x);
}

double digamma(double x) {
  if (x == 0)
    return -std::copysign(kInfinity, x);
  if (x > 0 || std::isnan(x))
    return std::isinf(x) ? x : double(longDigamma(x));
  if (std::isinf(x) || sinPi(x) == 0)
    return kNaN;
  return longDigamma(1 - Long(x)) - kPi * cosPi(x) / sinPi(x);
}

/// Returns the sum of (q + k)^-s over k >= 0: 40 terms, and the Euler-Maclaurin
/// formula for the other terms, whose coefficients are B_2k / (2k)!.
static Long longZeta(Long s, Long q) {
  Long sum = 0;
  for (int k = 0; k < 40; ++k)
    sum += std::pow(q + k, -s);
  Long w = q + 40, power = std::pow(w, -s), factor = s * power / w;
  sum += power * w / (s - 1) + power / 2;
  for (int k = 0; k < 10; ++k) {
    Long bernoulli = kStirling[k] * (2 * k + 2) * (2 * k + 1);
    sum += bernoulli * factor / std::tgamma(Long(2 * k + 3));
    factor *= (s + 2 * k + 1) * (s + 2 * k + 2) / (w * w);
  }
  return sum;
}

/// Returns the Hurwitz zeta function for an integer s and a negative q that is
/// not an integer. Terms with a negative base have the sign of (-1)^s. Up to 64
/// negative terms whose base is closest to 0 are summed individually, and all
/// others at once.
static Long longZetaBelow(Long s, Long q) {
  Long size = -q, least = size - std::floor(size), above = 1 - least;
  int64_t count = std::min<Long>(size + above, 64);
  Long sum = 0;
  for (int64_t k = count; k-- > 0;)
    sum += std::pow(least + k, -s);
  if (size + above > count)
    sum += longZeta(s, least + count) - longZeta(s, size + 1);
  return longZeta(s, above) + (std::fmod(s, 2) == 0 ? sum : -sum);
}

static bool isWhole(double x) { return x == std::nearbyint(x); }

/// Returns the Hurwitz zeta function for arguments for which the sum is defined
/// and finite.
static Long longZetaOfAny(Long s, Long q) {
  return q < 0 ? longZetaBelow(s, q) : longZeta(s, q);
}

double zeta(double s, double q) {
  if ((s == 1 && q == q) || (q <= 0 && isWhole(q) && s >= 1))
    return kInfinity;
  if (!(s > 1) || !(q > 0 || (q < 0 && isWhole(s))))
    return kNaN;
  if (std::isinf(q))
    return 0;
  if (std::isinf(s)) // only the largest term contributes
    return std::pow(q < 0 ? std::min(q - std::floor(q), std::ceil(q) - q) : q,
                    -s);
  return double(longZetaOfAny(s, q));
}

double polygamma(double n, double x) {
  if (!(n >= 1) || !isWhole(n))
    return kNaN;
  // An infinite n counts as even.
  double sign = std::isinf(n) || std::fmod(n, 2) == 0 ? -1 : 1;
  // n! is infinite for n >= 171 (as on devices and in SciPy).
  if (n > 170 || std::isnan(x) || std::isinf(x) || (x <= 0 && isWhole(x)))
    return sign * std::tgamma(n + 1) * zeta(n + 1, x);
  Long sum = longZetaOfAny(Long(n) + 1, x);
  Long y = std::exp(positiveLgamma(Long(n) + 1) + std::log(std::abs(sum)));
  return sign * std::copysign(y, sum);
}

/// Returns the incomplete gamma function for an a so large that series and
/// continued fractions would take millions of terms. Uses the first two terms
/// of Temme's uniform expansion (DLMF 8.12.7, 8.12.8).
static Long incompleteGammaOfLarge(Long a, Long x, bool upper) {
  Long mu = (x - a) / a, half = mu - std::log1p(mu);
  if (std::abs(mu) < 1e-3L) { // mu^2/2 - mu^3/3 + ...
    half = 0;
    for (int k = 12; k >= 2; --k)
      half = 1 / Long(k) - mu * half;
    half *= mu * mu;
  }
  Long eta = std::copysign(std::sqrt(2 * half), mu);
  Long first = std::abs(eta) < 1e-3L ? -1 / 3.0L + eta / 12 : 1 / mu - 1 / eta;
  Long rest = std::exp(-a * half) / std::sqrt(2 * kPi * a) * first;
  Long sign = upper ? 1 : -1;
  return std::erfc(sign * eta * std::sqrt(a / 2)) / 2 + sign * rest;
}

/// Returns P(a, x) or Q(a, x) for finite arguments above 0. Computes the
/// smaller of the two and derives the other.
static Long incompleteGamma(Long a, Long x, bool upper) {
  if (a > 1e12L)
    return incompleteGammaOfLarge(a, x, upper);
  // The factor x^a e^-x / gamma(a + 1)
  Long factor = std::exp(a * std::log(x) - x - positiveLgamma(a + 1));
  if (a > 30) { // otherwise large terms of the formula above would cancel
    Long mu = (x - a) / a, sum = 0;
    for (int k = 9; k >= 0; --k)
      sum = sum / (a * a) + kStirling[k];
    factor =
        std::exp(-a * (mu - std::log1p(mu)) - sum / a) / std::sqrt(2 * kPi * a);
  }
  if (x < a + 1) {
    Long term = 1, sum = 1;
    for (int k = 1; k < 1000000 && term > sum * 1e-20L; ++k)
      sum += term *= x / (a + k);
    Long lower = factor * sum;
    if (!upper)
      return lower;
    if (lower < 0.5L || x > 0.5L || a > 0.5L)
      return 1 - lower;
    // Computes 1 - x^a / gamma(1 + a) + ... directly. In 1 + a, a small a would
    // be lost by rounding.
    Long euler = 0.577215664901532860606512L;
    Long series = a * (-euler + a * (0.822467033424113218236L -
                                     a * 0.400685634386531428467L));
    Long logarithm = a < 1e-4L ? series : positiveLgamma(1 + a);
    Long exponent = a * std::log(x) - logarithm, rest = 0, power = 1;
    for (int k = 1; k < 60; ++k)
      rest += (power *= -x / k) / (a + k);
    return -std::expm1(exponent) - std::exp(exponent) * a * rest;
  }
  Long b = x + 1 - a, c = 1e300L, d = 1 / b, h = d;
  for (int k = 1; k < 1000000; ++k) {
    Long numerator = k * (a - k);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    h *= c * d;
    if (std::abs(c * d - 1) < 1e-19L)
      break;
  }
  Long higher = factor * a * h;
  return upper ? higher : 1 - higher;
}

static double incompleteGammaWithEnds(double a, double x, bool upper) {
  if (!(a >= 0 && x >= 0))
    return kNaN;
  bool none = x == 0 || std::isinf(a), all = a == 0 || std::isinf(x);
  if (none && all)
    return kNaN;
  if (none || all)
    return none == upper;
  return incompleteGamma(a, x, upper);
}

double gammainc(double a, double x) {
  return incompleteGammaWithEnds(a, x, false);
}
double gammaincc(double a, double x) {
  return incompleteGammaWithEnds(a, x, true);
}

/// Returns the regularized incomplete beta function by its continued fraction,
/// or NaN if that does not converge. `logX` and `logY` are the logarithms of x
/// and 1 - x.
static Long incompleteBeta(Long a, Long b, Long x, Long logX, Long logY) {
  Long log = a * logX + b * logY + positiveLgamma(a + b) - positiveLgamma(a) -
             positiveLgamma(b);
  Long c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), h = d;
  for (int k = 1; k < 1000000; ++k) {
    Long even = k * (b - k) * x / ((a - 1 + 2 * k) * (a + 2 * k));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    h *= c * d;
    Long odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 1 + 2 * k));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    h *= c * d;
    if (std::abs(c * d - 1) < 1e-19L)
      return std::exp(log) * h / a;
  }
  return kNaN;
}

double betainc(double a, double b, double x) {
  if (!(a >= 0 && b >= 0 && x >= 0 && x <= 1))
    return kNaN;
  if ((x == 0 || x == 1) && (a > 0 || b > 0))
    return x;
  bool low = a == 0 || std::isinf(b), high = b == 0 || std::isinf(a);
  if (low || high)
    return low == high ? kNaN : low;
  Long y = 1 - Long(x), logX = std::log(Long(x)), logY = std::log1p(-Long(x));
  if (x < (a + 1) / (a + b + 2))
    return incompleteBeta(a, b, x, logX, logY);
  return 1 - incompleteBeta(b, a, y, logY, logX);
}

//===----------------------------------------------------------------------===//
// Bessel functions, logarithms and sines
//===----------------------------------------------------------------------===//

double bessel(int order, double x, bool scaled) {
  Long a = std::abs(x), sum = 0;
  if (std::isnan(x))
    return x;
  if (std::isinf(x))
    return scaled ? std::copysign(0.0, order ? x : 1.0)
                  : std::copysign(kInfinity, order ? x : 1.0);
  if (a < 60) {
    Long term = order ? a / 2 : 1;
    for (int k = 1; k < 200; ++k) {
      sum += term;
      term *= a * a / 4 / (Long(k) * (k + order));
    }
    sum *= scaled ? std::exp(-a) : 1;
  } else {
    Long term = 1;
    for (int k = 1; k < 30; ++k) {
      sum += term;
      Long odd = 2 * k - 1;
      term *= -(4 * order - odd * odd) / (8 * a * k);
    }
    sum *= (scaled ? 1 : std::exp(a)) / std::sqrt(2 * kPi * a);
  }
  return order && std::signbit(x) ? -double(sum) : double(sum);
}

double sinc(double x) {
  if (x == 0)
    return 1;
  if (std::isinf(x))
    return 0;
  Long n = std::nearbyint(Long(x));
  Long sine = std::sin(kPi * (x - n)) * (std::fmod(n, 2) == 0 ? 1 : -1);
  return sine / (kPi * x);
}

double xlogy(double x, double y) {
  return x == 0 && !std::isnan(y) ? 0 : double(x * std::log(Long(y)));
}
double xlog1py(double x, double y) {
  return x == 0 && !std::isnan(y) ? 0 : double(x * std::log1p(Long(y)));
}
double log1mexp(double x) {
  return x < 0.5 ? std::log(-std::expm1(-Long(x)))
                 : std::log1p(-std::exp(-Long(x)));
}
double logit(double x) {
  return x < 0.25 ? std::log(Long(x)) - std::log1p(-Long(x))
                  : 2 * std::atanh(2 * Long(x) - 1);
}
double entr(double x) {
  return x == 0 ? 0 : x < 0 ? -kInfinity : double(-x * std::log(Long(x)));
}

} // namespace tensorc::reference
