//===- RandomArray.cpp - Random arrays from a seed ------------------------===//

#include "compiler/session/tuning/RandomArray.h"

#include <cmath>
#include <numbers>

namespace tensorc::tuning {

using reference::Array;

namespace {
/// SplitMix64. Unlike the distributions of <random>, it gives the same numbers
/// on every machine.
class Generator {
public:
  explicit Generator(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// Box-Muller transform of two uniforms in (0, 1].
  double normal() {
    double u = uniform(), v = uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

private:
  uint64_t state;
  double uniform() { return ((next() >> 11) + 1) * 0x1p-53; }
};
} // namespace

void fillRandom(Array &array, uint64_t seed) {
  Generator generator(seed);
  int64_t size = array.size();
  if (tx::isComplex(array.dtype)) {
    Array parts{tx::planeOf(array.dtype), {2 * size}, array.bytes};
    fillRandom(parts, seed);
    array.bytes = std::move(parts.bytes);
    return;
  }
  if (reference::isFloat(array.dtype)) {
    std::vector<double> values(size);
    for (double &value : values)
      value = generator.normal();
    return reference::write<double>(array, values);
  }
  uint64_t count = array.dtype == reference::DType::I1 ? 2 : 10;
  std::vector<uint64_t> values(size);
  for (uint64_t &value : values)
    value = generator.next() % count;
  reference::write<uint64_t>(array, values);
}

} // namespace tensorc::tuning
