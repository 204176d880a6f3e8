//===- dlpack.hpp - tensors from and for other frameworks -----------------===//
//
//   tensorc::Tensor x = tensorc::from_dlpack(array);
//   DLManagedTensorVersioned *y = tensorc::to_dlpack(x * 2);
//
// tensorc/dlpack.h says what is shared and what is copied.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_DLPACK_HPP
#define TENSORC_DLPACK_HPP

#include "tensorc/dlpack.h"
#include "tensorc/tensor.hpp"

namespace tensorc {

/// Takes over the array, also when it throws.
inline Tensor from_dlpack(DLManagedTensorVersioned *array,
                          Location at = Location::current()) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_from_dlpack(array, at, &out);
  return detail::take(status, out);
}
inline Tensor from_dlpack(DLManagedTensor *array,
                          Location at = Location::current()) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = tensorc_from_dlpack_unversioned(array, at, &out);
  return detail::take(status, out);
}
/// A read-only array over the value; the receiver calls its deleter.
inline DLManagedTensorVersioned *
to_dlpack(const Tensor &x, Location at = Location::current()) {
  DLManagedTensorVersioned *out = nullptr;
  detail::check(tensorc_to_dlpack(x.raw(), &out), at);
  return out;
}
/// A copy, in the older struct.
inline DLManagedTensor *
to_dlpack_unversioned(const Tensor &x, Location at = Location::current()) {
  DLManagedTensor *out = nullptr;
  detail::check(tensorc_to_dlpack_unversioned(x.raw(), &out), at);
  return out;
}

} // namespace tensorc

#endif
