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
  explicit RandomKey(Tensor two) : words(std::move(two)) {}
  /// The words, ui32[2]: to keep, or to pass to a compiled function.
  const Tensor &tensor() const { return words; }
  friend auto tensorc_members(RandomKey &key) { return std::tie(key.words); }
  friend auto tensorc_members(const RandomKey &key) {
    return std::tie(key.words);
  }

private:
  Tensor words;
};

} // namespace tensorc

#endif
