//===- Samples.cpp - Where functions are hard -----------------------------===//

#include "tests/accuracy/Samples.h"

#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

namespace tensorc::accuracy {

namespace {

/// Ends of ranges of f32 and f64, bounds of the expansions' intervals, and the
/// double that is nearest to a multiple of pi/2 (Kahan).
constexpr double kHardPoints[] = {
    0.25,       0.4375,       0.5,       0.6875,
    1.0,        1.1875,       1.5,       2.0,
    2.4375,     3.0,          4.0,       M_E,
    M_SQRT2,    M_SQRT1_2,    M_LN2,     M_LN10,
    19.0,       22.0,         36.7368,   37.42994775,
    39.0,       0x1p20,       0x1p30,    0x1p24,
    0x1p53,     0x1p-26,      0x1p-54,   87.3365447,
    88.7228390, 103.97208,    104.0,     708.3964185,
    709.782712, 745.13321910, 126.0,     128.0,
    149.0,      1022.0,       1024.0,    1074.0,
    0x1p500,    0x1p-450,     0x1p-1022, 0x1p1023,
    0x1p-126,   0x1p127,      0x1p-149,  0x1.6ac5b262ca1ffp+849,
    6.0,        3.9192059,    5.8637,    27.2269};

} // namespace

uint64_t Samples::next() {
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double Samples::unit() { return double(next() >> 11) * 0x1p-53; }

double Samples::nearHardPoint() {
  uint64_t r = next();
  double center;
  switch (r % 5) {
  case 0: // zeros and poles of the trigonometric functions
    center = double(next() >> (34 + (r >> 8) % 30)) * M_PI_2;
    break;
  case 1: // where exp changes its power of two
    center = (double(int64_t(next() % 2200)) - 1100 + 0.5) * M_LN2;
    break;
  case 2:
    center = double(int64_t(next() % 4400)) * 0.5 - 1100;
    break;
  case 3:
    center = std::ldexp(r & 256 ? 1.0 : M_SQRT2, int(next() % 2098) - 1074);
    break;
  default:
    center = kHardPoints[(r >> 8) % std::size(kHardPoints)];
  }
  // At any distance, the smallest of them a few ulp.
  double distance = std::ldexp(unit() - 0.5, -int(next() % 54));
  return (r >> 63 ? -center : center) * (1 + distance);
}

template <typename T> T Samples::single() {
  uint64_t r = next();
  switch (r & 7) {
  case 0:
  case 1: {
    T value;
    r = next();
    std::memcpy(&value, &r, sizeof(T));
    return value;
  }
  case 2:
    return T((unit() - 0.5) * 80);
  case 3:
    return T((unit() - 0.5) * 8);
  case 4:
    return T((unit() - 0.5) * 2.5);
  default:
    return T(nearHardPoint());
  }
}

template <typename T>
std::vector<std::vector<T>> Samples::block(int arity, size_t count) {
  std::vector<std::vector<T>> x(arity, std::vector<T>(count));
  for (size_t i = 0; i < count; ++i) {
    for (int k = 0; k < arity; ++k)
      x[k][i] = single<T>();
    // Arguments that are close to one another, or to their negatives: where
    // sums cancel and quotients are near 1.
    if (arity > 1 && next() % 4 == 0)
      x[1][i] = x[0][i] * T((next() & 1 ? 1 : -1) *
                            (1 + std::ldexp(unit() - 0.5, -int(next() % 54))));
    if (arity > 2 && next() % 2 == 0)
      x[2][i] = -x[0][i] * x[1][i] *
                T(1 + std::ldexp(unit() - 0.5, -int(next() % 54)));
  }
  return x;
}

template std::vector<std::vector<float>> Samples::block(int, size_t);
template std::vector<std::vector<double>> Samples::block(int, size_t);

} // namespace tensorc::accuracy
