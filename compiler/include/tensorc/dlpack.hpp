//===- dlpack.hpp - exchange of tensors with other frameworks -------------===//
//
//   tensorc::Tensor x = tensorc::from_dlpack(array);
//   DLManagedTensorVersioned *y = tensorc::to_dlpack(x * 2);
//
//   auto *z = tensorc::to_dlpack(x, tensorc::Stream::wrap("cuda:0", theirs));
//
// tensorc/dlpack.h describes when memory is shared or copied, and who waits.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_DLPACK_HPP
#define TENSORC_DLPACK_HPP

#include "tensorc/dlpack.h"
#include "tensorc/streams.hpp"

namespace tensorc {

namespace detail {
template <typename Array>
Tensor taken(tensorc_status *(*take)(Array *, tensorc_rt_stream *,
                                     tensorc_location, tensorc_tensor **),
             Array *array, tensorc_rt_stream *stream, Location at) {
  tensorc_tensor *out = nullptr;
  tensorc_status *status = take(array, stream, at, &out);
  return detail::take(status, out);
}
template <typename Array>
Array *given(tensorc_status *(*give)(tensorc_tensor *, tensorc_rt_stream *,
                                     Array **),
             const Tensor &x, tensorc_rt_stream *stream, Location at) {
  Array *out = nullptr;
  check(give(x.operand("to_dlpack", at), stream, &out), at);
  return out;
}
} // namespace detail

/// Returns a tensor that shares the array's memory. Takes ownership of the
/// array, even if it throws. The elements must already be computed.
inline Tensor from_dlpack(DLManagedTensorVersioned *array,
                          Location at = Location::current()) {
  return detail::taken(tensorc_from_dlpack, array, nullptr, at);
}
inline Tensor from_dlpack(DLManagedTensor *array,
                          Location at = Location::current()) {
  return detail::taken(tensorc_from_dlpack_unversioned, array, nullptr, at);
}
/// Returns a tensor that shares the array's memory. Work in the stream may still
/// have to write the elements; readers of the tensor wait for this work.
inline Tensor from_dlpack(DLManagedTensorVersioned *array, const Stream &stream,
                          Location at = Location::current()) {
  return detail::taken(tensorc_from_dlpack, array, stream.raw(), at);
}
inline Tensor from_dlpack(DLManagedTensor *array, const Stream &stream,
                          Location at = Location::current()) {
  return detail::taken(tensorc_from_dlpack_unversioned, array, stream.raw(),
                       at);
}

/// Waits for the value and returns a read-only array over its memory. The
/// receiver calls the array's deleter.
inline DLManagedTensorVersioned *to_dlpack(const Tensor &x,
                                           Location at = Location::current()) {
  return detail::given(tensorc_to_dlpack, x, nullptr, at);
}
/// Returns such an array without waiting. It is for work that is queued on the
/// stream from now on. A wrapped stream must live until the deleter is called.
inline DLManagedTensorVersioned *to_dlpack(const Tensor &x,
                                           const Stream &stream,
                                           Location at = Location::current()) {
  return detail::given(tensorc_to_dlpack, x, stream.raw(), at);
}
/// Returns a copy of x in DLPack's older, unversioned struct.
inline DLManagedTensor *
to_dlpack_unversioned(const Tensor &x, Location at = Location::current()) {
  return detail::given(tensorc_to_dlpack_unversioned, x, nullptr, at);
}
inline DLManagedTensor *
to_dlpack_unversioned(const Tensor &x, const Stream &stream,
                      Location at = Location::current()) {
  return detail::given(tensorc_to_dlpack_unversioned, x, stream.raw(), at);
}

} // namespace tensorc

#endif
