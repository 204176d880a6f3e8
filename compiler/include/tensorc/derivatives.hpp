//===- derivatives.hpp - forward mode, Jacobians and Hessians -------------===//
//
// Each call records its expressions again. If these functions are called often,
// call them in a function made by jit().
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_DERIVATIVES_HPP
#define TENSORC_DERIVATIVES_HPP

#include "tensorc/vmap.hpp"

namespace tensorc {

namespace detail {
/// `f32[2,3]`
inline std::string typeText(const Tensor &x) {
  std::string text = name(x.dtype()), separator = "[";
  for (int64_t size : x.shape()) {
    text += separator + std::to_string(size);
    separator = ",";
  }
  return text + (x.rank() ? "]" : "[]");
}
} // namespace detail

/// Returns f(x) and the product of the Jacobian of f at x with a tangent, a
/// value of x's type. The derivatives of integer and boolean results are
/// undefined tensors; tangents of integer and boolean arguments are ignored.
template <typename F, typename X>
auto jvp(F f, const X &x, const X &tangent, Location at = Location::current()) {
  detail::CalledAt called(at);
  auto [recorded, result, inputs] = detail::recordAll("jvp", f, at, x);
  using Result = decltype(result);
  // The pullback is linear in the cotangents, so its derivative along the
  // tangents is the forward derivative and is the same for all cotangents.
  std::vector<Tensor> cotangents;
  detail::Recorded linear;
  for (const Tensor &y : recorded.results) {
    Tensor u;
    if (detail::hasDerivatives(y.dtype())) {
      u = detail::traceArgument(y, at);
      linear.arguments.push_back(u);
      linear.wanted.push_back(1);
    }
    cotangents.push_back(u);
  }
  auto pulled = recorded.pull(recorded.wanted, cotangents, false, at, "jvp");
  for (size_t i = 0; i < cotangents.size(); ++i)
    if (cotangents[i].defined())
      linear.values.push_back(zeros_like(pulled.results[i]));
  std::vector<Tensor> all = detail::listTensors(tangent), along;
  if (all.size() != recorded.arguments.size())
    detail::fail("jvp",
                 "the tangent has " + std::to_string(all.size()) +
                     " tensors, the argument " +
                     std::to_string(recorded.arguments.size()),
                 at);
  for (size_t i = 0; i < all.size(); ++i)
    if (recorded.wanted[i]) {
      const Tensor &argument = recorded.arguments[i];
      if (all[i].dtype() != argument.dtype() ||
          all[i].shape() != argument.shape())
        detail::fail("jvp",
                     "tangent " + std::to_string(i) + " is " +
                         detail::typeText(all[i]) + ", the argument " +
                         detail::typeText(argument) +
                         "; full_like and zeros_like make one alike",
                     at);
      linear.results.push_back(pulled.gradients[i]);
      along.push_back(all[i]);
    }
  auto changes = linear.pull(linear.wanted, along, false, at, "jvp").gradients;
  size_t i = 0;
  for (Tensor &u : cotangents)
    if (u.defined())
      u = changes[i++];
  auto nextValue = pulled.results.cbegin();
  auto nextChange = cotangents.cbegin();
  Result value = detail::withTensors(result, nextValue);
  return std::pair(std::move(value),
                   detail::withTensors(std::move(result), nextChange));
}

/// Returns the product of the Hessian of f at x with a vector, a value of x's
/// type. f returns one float.
template <typename F, typename X>
auto hvp(F f, const X &x, const X &vector, Location at = Location::current()) {
  return jvp(grad(std::move(f), at), x, vector, at).second;
}

namespace detail {
/// A function of a complex x + i y has two derivatives, d/dx and d/dy.
inline void refuseComplex(const char *name, const Tensor &x, Location at) {
  if (is_complex(x.dtype()))
    fail(name,
         "the argument is complex: take the derivatives by its two parts, "
         "stack({real(x), imag(x)})",
         at);
}
} // namespace detail

/// Returns the derivatives of each element of f(x), of floats or complex
/// numbers, with respect to each element of x, of floats. The result has the
/// dims of f(x) followed by those of x.
template <typename F>
Tensor jacobian(F f, const Tensor &x, Location at = Location::current()) {
  detail::refuseComplex("jacobian", x, at);
  detail::CalledAt called(at);
  auto [value, pull] = detail::vjpFor("jacobian", f, at, x);
  Tensor y = value;
  auto transposed = pull;
  int64_t count = y.numel();
  auto row = [&](const Tensor &cotangent) {
    return transposed(reshape(cotangent, y.shape()));
  };
  detail::Vmap<decltype(row)> all(row, 0, 0, at);
  Tensor each = eye(count, count, 0, TensorOptions{y.dtype(), y.device()});
  Tensor rows = all(each);
  // The cotangent i gives the derivative of the imaginary part.
  if (is_complex(y.dtype()))
    rows = complex(rows, all(each * std::complex<double>(0, 1)));
  Shape shape = y.shape(), by = x.shape();
  shape.insert(shape.end(), by.begin(), by.end());
  return reshape(rows, shape);
}

/// Returns the second derivatives of f, which returns one float, at x. The
/// result's shape is that of x, twice.
template <typename F>
Tensor hessian(F f, const Tensor &x, Location at = Location::current()) {
  detail::refuseComplex("hessian", x, at);
  return jacobian(grad(std::move(f), at), x, at);
}

} // namespace tensorc

#endif
