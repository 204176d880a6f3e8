//===- module.hpp - parameters by name, initial values, layers ------------===//
//
//   struct Net {
//     tensorc::Linear hidden, scores;
//     Tensor operator()(const Tensor &x) const { return scores(relu(hidden(x))); }
//   };
//   TENSORC_STRUCT(Net, hidden, scores)
//
//   Net net{tensorc::Linear(keys[0], 64, 32), tensorc::Linear(keys[1], 32, 10)};
//   tensorc::save_state("net.safetensors", net);    // "hidden.w", "hidden.b", ...
//   net = tensorc::load_state("net.safetensors", net);
//
// A module is a struct of tensors and modules. There is no base class and no
// registration, and a gradient or an optimizer's state is of the same type. To
// resume training, store a tuple of such values and a RandomKey.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_MODULE_HPP
#define TENSORC_MODULE_HPP

#include "tensorc/files.hpp"
#include "tensorc/tensorc.hpp"

#include <cmath>

namespace tensorc {

/// Returns the defined tensors by name.
template <typename T> std::map<std::string, Tensor> state_dict(const T &value) {
  std::map<std::string, Tensor> all;
  for_each_named_tensor(value, [&](const std::string &name, const Tensor &x) {
    if (x.defined())
      all[name] = x;
  });
  return all;
}

/// Returns `like` with each defined tensor replaced by the tensor of the same
/// name in `tensors`, moved to the device of the replaced tensor. Throws if a
/// name is missing, if a dtype or shape differs, or if `tensors` has further
/// names.
template <typename T>
T load_state_dict(const std::map<std::string, Tensor> &tensors, T like,
                  Location at = Location::current()) {
  detail::CalledAt called(at);
  size_t used = 0;
  for_each_named_tensor(like, [&](const std::string &name, Tensor &x) {
    if (!x.defined())
      return;
    auto found = tensors.find(name);
    if (found == tensors.end())
      detail::fail("load_state_dict", "there is no tensor '" + name + "'", at);
    const Tensor &y = found->second;
    if (y.dtype() != x.dtype() || y.shape() != x.shape())
      detail::fail(
          "load_state_dict",
          "'" + name + "' has another dtype or shape than the module's", at);
    x = y.to(x.device());
    ++used;
  });
  if (used == tensors.size())
    return like;
  std::map<std::string, Tensor> known = state_dict(like);
  for (const auto &[name, tensor] : tensors)
    if (!known.count(name))
      detail::fail("load_state_dict", "nothing is called '" + name + "'", at);
  return like;
}

/// Writes a value that contains tensors, such as a tuple of parameters, an
/// optimizer's state and a random key, to an .npz or .safetensors file. The
/// bits are preserved, so training continues with identical results.
template <typename T>
void save_state(const std::string &path, const T &value,
                Location at = Location::current()) {
  save_tensors(path, state_dict(value), at);
}
template <typename T>
T load_state(const std::string &path, T like,
             Location at = Location::current()) {
  return load_state_dict(load_tensors(path, at), std::move(like), at);
}

/// Returns the value with all tensors moved to the device.
template <typename T,
          typename = std::enable_if_t<!std::is_convertible_v<T, Arg>>>
T to(T value, const Device &device, Location at = Location::current()) {
  for_each_tensor(value, [&](Tensor &x) {
    if (x.defined())
      x = x.to(device, at);
  });
  return value;
}

//===----------------------------------------------------------------------===//
// Initial values
//===----------------------------------------------------------------------===//

namespace detail {
struct Fan {
  double in, out;
};
/// Returns the fan-in and the fan-out of a matrix [in, out] or of convolution
/// kernels [out, in, spatial...].
inline Fan fanOf(const char *op, const Shape &shape, Location at) {
  if (shape.size() < 2)
    fail(op, "weights have at least two dimensions", at);
  double places = 1;
  for (size_t i = 2; i < shape.size(); ++i)
    places *= static_cast<double>(shape[i]);
  auto first = static_cast<double>(shape[0]),
       second = static_cast<double>(shape[1]);
  if (shape.size() == 2)
    return {first, second};
  return {second * places, first * places};
}
inline Tensor normalOf(const RandomKey &key, const Shape &shape,
                       double deviation, DType dtype, Location at) {
  CalledAt called(at);
  return randn(key, shape, dtype) * deviation;
}
inline Tensor uniformOf(const RandomKey &key, const Shape &shape, double bound,
                        DType dtype, Location at) {
  return uniform(key, shape, -bound, bound, dtype, at);
}
} // namespace detail

/// Glorot and Bengio's initial values; the variance is a compromise between
/// preserving the variance of activations and that of gradients. For a matrix
/// [in, out] or kernels [out, in, spatial...].
inline Tensor xavier_uniform(const RandomKey &key, const Shape &shape,
                             double gain = 1, DType dtype = default_dtype(),
                             Location at = Location::current()) {
  detail::Fan fan = detail::fanOf("xavier_uniform", shape, at);
  return detail::uniformOf(key, shape, gain * std::sqrt(6 / (fan.in + fan.out)),
                           dtype, at);
}
inline Tensor xavier_normal(const RandomKey &key, const Shape &shape,
                            double gain = 1, DType dtype = default_dtype(),
                            Location at = Location::current()) {
  detail::Fan fan = detail::fanOf("xavier_normal", shape, at);
  return detail::normalOf(key, shape, gain * std::sqrt(2 / (fan.in + fan.out)),
                          dtype, at);
}
/// He et al.'s initial values, which preserve the variance of activations. The
/// default gain is for relu; use 1 without an activation.
inline Tensor kaiming_uniform(const RandomKey &key, const Shape &shape,
                              double gain = M_SQRT2,
                              DType dtype = default_dtype(),
                              Location at = Location::current()) {
  detail::Fan fan = detail::fanOf("kaiming_uniform", shape, at);
  return detail::uniformOf(key, shape, gain * std::sqrt(3 / fan.in), dtype, at);
}
inline Tensor kaiming_normal(const RandomKey &key, const Shape &shape,
                             double gain = M_SQRT2,
                             DType dtype = default_dtype(),
                             Location at = Location::current()) {
  detail::Fan fan = detail::fanOf("kaiming_normal", shape, at);
  return detail::normalOf(key, shape, gain / std::sqrt(fan.in), dtype, at);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// Computes x w + b along the last axis.
struct Linear {
  Tensor w, b; // [in, out], [out]

  Linear() = default;
  Linear(const RandomKey &key, int64_t in, int64_t out,
         DType dtype = default_dtype(), Location at = Location::current())
      : w(kaiming_uniform(key, {in, out}, 1, dtype, at)),
        b(zeros({out}, dtype, at)) {}
  Tensor operator()(const Tensor &x, Location at = Location::current()) const {
    detail::CalledAt called(at);
    return matmul(x, w) + b;
  }
};
TENSORC_STRUCT(Linear, w, b)

struct Conv2dOptions {
  int64_t stride = 1, padding = 0, groups = 1;
};
/// A convolution of images [N, C, H, W] with square kernels.
struct Conv2d {
  Tensor w, b; // [out, in / groups, size, size], [out]
  int64_t stride = 1, padding = 0, groups = 1;

  Conv2d() = default;
  Conv2d(const RandomKey &key, int64_t in, int64_t out, int64_t size,
         const Conv2dOptions &options = {}, DType dtype = default_dtype(),
         Location at = Location::current())
      : w(kaiming_uniform(key, {out, in / options.groups, size, size}, 1, dtype,
                          at)),
        b(zeros({out}, dtype, at)), stride(options.stride),
        padding(options.padding), groups(options.groups) {}
  Tensor operator()(const Tensor &x, Location at = Location::current()) const {
    detail::CalledAt called(at);
    ConvOptions options;
    options.stride = stride;
    options.padding = padding;
    options.groups = groups;
    return conv2d(x, w, b, options);
  }
};
TENSORC_STRUCT(Conv2d, w, b, stride, padding, groups)

/// A lookup table: row i for index i.
struct Embedding {
  Tensor table; // [count, width]

  Embedding() = default;
  Embedding(const RandomKey &key, int64_t count, int64_t width,
            DType dtype = default_dtype(), Location at = Location::current())
      : table(randn(key, {count, width}, dtype, at)) {}
  Tensor operator()(const Tensor &indices,
                    Location at = Location::current()) const {
    detail::CalledAt called(at);
    return take(table, indices, 0);
  }
};
TENSORC_STRUCT(Embedding, table)

/// Normalization along the last axis.
struct LayerNorm {
  Tensor scale, bias;

  LayerNorm() = default;
  explicit LayerNorm(int64_t width, DType dtype = default_dtype(),
                     Location at = Location::current())
      : scale(ones({width}, dtype, at)), bias(zeros({width}, dtype, at)) {}
  Tensor operator()(const Tensor &x, Location at = Location::current()) const {
    detail::CalledAt called(at);
    return layer_norm(x, scale, bias);
  }
};
TENSORC_STRUCT(LayerNorm, scale, bias)

} // namespace tensorc

#endif
