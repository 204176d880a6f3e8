//===- Samples.h - Where functions are hard ---------------------*- C++ -*-===//
#ifndef TENSORC_TESTS_ACCURACY_SAMPLES_H
#define TENSORC_TESTS_ACCURACY_SAMPLES_H

#include <cstdint>
#include <vector>

namespace tensorc::accuracy {

/// Arguments in a fixed order: all bit patterns, moderate magnitudes, and the
/// neighbourhoods (down to the next float) of values at which expansions
/// change, cancel or overflow.
class Samples {
public:
  template <typename T>
  std::vector<std::vector<T>> block(int arity, size_t count);

private:
  uint64_t next(); // splitmix64
  double unit();
  template <typename T> T single();
  double nearHardPoint();
  uint64_t state = 1;
};

} // namespace tensorc::accuracy

#endif // TENSORC_TESTS_ACCURACY_SAMPLES_H
