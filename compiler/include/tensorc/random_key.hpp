//===- random_key.hpp - keys of random numbers; included by tensorc.hpp ---===//
#ifndef TENSORC_RANDOM_KEY_HPP
#define TENSORC_RANDOM_KEY_HPP

#include "tensorc/random.h"
#include "tensorc/tensor.hpp"

namespace tensorc {

/// A key that determines random numbers.
class RandomKey {
public:
  RandomKey() = default;
  /// Makes a key from its words, a ui32[2].
  explicit RandomKey(Tensor two) : words(std::move(two)) {}
  /// Returns the words, a ui32[2], to store or to pass to a compiled function.
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
