//===- random_key.hpp - keys of random numbers; included by tensorc.hpp ---===//
#ifndef TENSORC_RANDOM_KEY_HPP
#define TENSORC_RANDOM_KEY_HPP

#include "tensorc/random.h"
#include "tensorc/tensor.hpp"

namespace tensorc {

/// What random numbers are a function of.
class RandomKey {
public:
  RandomKey() = default;
  /// From two words, a ui32[2] that was kept.
  explicit RandomKey(Tensor words) : words(std::move(words)) {}
  /// The words, ui32[2]: to keep, or to pass to a compiled function.
  const Tensor &tensor() const { return words; }

private:
  Tensor words;
};

} // namespace tensorc

#endif
