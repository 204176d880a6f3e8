//===- Ulp.cpp - Errors in units of the last place ------------------------===//

#include "tests/accuracy/Ulp.h"

#include <algorithm>
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

#if defined(__x86_64__)
#define FOR_EACH_CPU                                                           \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_EACH_CPU
#endif

FOR_EACH_CPU void everyFloat(uint32_t first, uint32_t stride, float *values,
                             double *wide, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    values[i] = std::bit_cast<float>(first + uint32_t(i) * stride);
    wide[i] = values[i];
  }
}

FOR_EACH_CPU double largestUlpError(const float *got, const double *exact,
                                    size_t count) {
  double largest[16] = {};
  for (size_t i = 0; i < count; i += 16)
    for (size_t k = 0; k < 16; ++k) {
      double here = error(got[i + k], exact[i + k], 0);
      largest[k] = here > largest[k] ? here : largest[k];
    }
  return *std::max_element(largest, largest + 16);
}

} // namespace tensorc::accuracy
