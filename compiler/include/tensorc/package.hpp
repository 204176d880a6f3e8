//===- package.hpp - tensors and packages; included by tensorc.hpp --------===//
//
//   tensorc::Module model = tensorc::load("digits.tcpkg");
//   tensorc::Tensor y = tensorc::to_tensor(model(x, 0.5f));
//
// tensorc/runtime.hpp describes modules. These functions convert tensors to
// arguments, and results to tensors, without copies.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_PACKAGE_HPP
#define TENSORC_PACKAGE_HPP

#include "tensorc/runtime.hpp"
#include "tensorc/tensor.hpp"

namespace tensorc {

/// Evaluates the tensor and returns an array that shares its memory.
inline Array to_array(const Tensor &tensor, Location at = Location::current()) {
  tensorc_rt_buffer *buffer = nullptr;
  tensorc_tensor *handle = tensor.operand("to_array", at);
  detail::check(tensorc_tensor_buffer(handle, &buffer), at);
  return Array({buffer, tensorc_rt_buffer_release}, tensor.dtype(),
               tensor.shape());
}
/// Converts a tensor to an argument of a call of a module.
inline Argument as_argument(const Tensor &tensor) {
  const Location none{nullptr, 0}; // the call adds its location
  if (!tensor.defined())
    detail::fail("call of a package", tensor.absence(), none);
  return Argument(to_array(tensor, none));
}
/// Returns a tensor that shares the memory of an array, on its device.
inline Tensor to_tensor(const Array &array, Location at = Location::current()) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_from_buffer(
      detail::raw(array.dtype()), detail::rankOf(array.shape()),
      array.shape().data(), array.raw(), at, &out);
  return detail::take(status, out);
}
/// Returns the only result of a call as a tensor.
inline Tensor to_tensor(const Results &results,
                        Location at = Location::current()) {
  return to_tensor(static_cast<Array>(results), at);
}

} // namespace tensorc

#endif
