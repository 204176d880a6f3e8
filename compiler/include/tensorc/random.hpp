//===- random.hpp - random numbers; included by tensorc.hpp ---------------===//
//
//   tensorc::RandomKey key = tensorc::random_key(42);
//   std::vector<tensorc::RandomKey> keys = tensorc::split(key, 2);
//   tensorc::Tensor w = tensorc::randn(keys[0], {64, 10});
//   tensorc::Tensor u = tensorc::uniform(keys[1], {100}, -1, 1);
//
// The numbers depend only on the key and the other arguments, not on the device
// or the number of threads. There is no hidden state: use each key for only one
// call, and split it for more calls.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RANDOM_HPP
#define TENSORC_RANDOM_HPP

#include "tensorc/functions.hpp"
#include "tensorc/indexing.hpp"

namespace tensorc {

enum class RandomAlgorithm {
  philox4x32_10 = TENSORC_PHILOX4X32_10,
  threefry2x32 = TENSORC_THREEFRY2X32
};

namespace detail {
template <typename Fn, typename... Args>
Tensor drawn(Location at, Fn fn, Args... args) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = fn(args..., at, &out);
  return take(status, out);
}
} // namespace detail

/// Returns independent keys.
inline std::vector<RandomKey> split(const RandomKey &key, int64_t count = 2,
                                    Location at = Location::current()) {
  Tensor all =
      detail::drawn(at, tensorc_random_split,
                    static_cast<const tensorc_tensor *>(key.tensor().raw()),
                    count);
  std::vector<RandomKey> keys;
  for (int64_t i = 0; i < count; ++i) {
    int64_t start = i, stop = i + 1, step = 1, two = 2;
    tensorc_tensor *row = nullptr, *out = nullptr;
    tensorc_status *status =
        tensorc_slice(all.raw(), 1, &start, &stop, &step, at, &row);
    Tensor slice = detail::take(status, row, "split");
    status = tensorc_reshape(slice.raw(), 1, &two, at, &out);
    keys.emplace_back(detail::take(status, out, "split"));
  }
  return keys;
}

/// Returns uniform bits as ui32 or ui64.
inline Tensor
random_bits(const RandomKey &key, const Shape &shape, DType dtype = ui32,
            RandomAlgorithm algorithm = RandomAlgorithm::philox4x32_10,
            Location at = Location::current()) {
  return detail::drawn(at, tensorc_random_bits, key.tensor().raw(),
                       static_cast<tensorc_random_algorithm>(algorithm),
                       detail::raw(dtype), detail::rankOf(shape), shape.data());
}
/// Returns uniform integers in [low, high).
template <typename Low, typename High>
Tensor randint(const RandomKey &key, const Shape &shape, Low low, High high,
               DType dtype = i64, Location at = Location::current()) {
  static_assert(std::is_integral_v<Low> && std::is_integral_v<High>,
                "the bounds of randint are integers");
  return detail::drawn(at, tensorc_random_integers, key.tensor().raw(),
                       detail::raw(dtype), detail::rankOf(shape), shape.data(),
                       Arg(low).raw("randint"), Arg(high).raw("randint"));
}
/// Returns uniform numbers in [0, 1) with the shape, dtype and device of x, a
/// tensor of floats.
inline Tensor rand_like(const RandomKey &key, const Tensor &x,
                        Location at = Location::current()) {
  return uniform(key, x.shape(at), 0, 1, x.dtype(at), at).to(x.device(at), at);
}
/// Returns normal numbers of mean 0 and variance 1 with the shape, dtype and
/// device of x, a tensor of floats.
inline Tensor randn_like(const RandomKey &key, const Tensor &x,
                         Location at = Location::current()) {
  return randn(key, x.shape(at), x.dtype(at), at).to(x.device(at), at);
}
/// Returns x with its slices along the axis in random order.
inline Tensor permutation(const RandomKey &key, const Tensor &x,
                          int64_t axis = 0,
                          Location at = Location::current()) {
  Arg whole(x, at.file, at.line);
  int64_t dim = detail::axisOf("permutation", whole, axis);
  return take(whole, permutation(key, x.shape()[static_cast<size_t>(dim)], at), axis);
}

} // namespace tensorc

#endif
