//===- Ulp.cpp - Errors in units of the last place ------------------------===//

#include "tests/accuracy/Ulp.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tensorc::accuracy {

namespace {

constexpr uint64_t kExponent = 0x7ff0000000000000;
constexpr uint64_t kMinNormal = std::bit_cast<uint64_t>(0x1p-126);

/// Branch-free, so that loops over it are vectorized.
inline double error(float got, double exact, double atLeast) {
  uint64_t exponent = std::bit_cast<uint64_t>(exact) & kExponent;
  uint64_t floor = std::bit_cast<uint64_t>(atLeast) & kExponent;
  exponent = exponent < floor ? floor : exponent;
  exponent = exponent < kMinNormal ? kMinNormal : exponent;
  // 2^(23 - exponent); infinite exact values are treated below.
  double scale =
      std::bit_cast<double>((uint64_t(2 * 1023 + 23) << 52) - exponent);
  double value = std::isinf(got) ? std::copysign(0x1p128, double(got)) : got;
  double distance = std::fabs(value - exact) * scale;
  float nearest = float(exact);
  uint32_t bits = std::bit_cast<uint32_t>(got);
  uint32_t nearestBits = std::bit_cast<uint32_t>(nearest);
  bool signOfZero = got == 0 && nearest == 0 && bits != nearestBits;
  bool rightInfinity = std::isinf(got) && bits == nearestBits;
  bool bothNaN = got != got && exact != exact;
  distance = distance == distance && !signOfZero
                 ? distance
                 : std::numeric_limits<double>::infinity();
  return rightInfinity || bothNaN ? 0.0 : distance;
}

} // namespace

double ulpError(float got, double exact, double atLeast) {
  return error(got, exact, atLeast);
}

void ulpErrors(const float *got, const double *exact, double *errors,
               size_t count) {
  for (size_t i = 0; i < count; ++i)
    errors[i] = error(got[i], exact[i], 0);
}

} // namespace tensorc::accuracy
