//===- Elements.h - 16-bit floats as f32 ------------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_ELEMENTS_H
#define TENSORC_RUNTIME_DRIVERS_SIM_ELEMENTS_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace tensorc::rt::sim {

inline float fromHalf(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  auto fraction = static_cast<float>(bits & 1023);
  float value = exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
                : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                               : std::ldexp(fraction, -24);
  return bits >> 15 ? -value : value;
}

inline float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

inline uint32_t toBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

} // namespace tensorc::rt::sim

#endif
