//===- Memory.h - Memory of the caller as tensors -------------------------===//
#ifndef TENSORC_COMPILER_API_MEMORY_H
#define TENSORC_COMPILER_API_MEMORY_H

#include "compiler/api/Api.h"

namespace tensorc::api {

struct Memory {
  tensorc_dtype dtype;
  graph::Ints shape;
  /// Strides in elements; null if the memory is dense.
  const int64_t *strides;
  void *data;
  tensorc_deleter deleter;
  void *user;
  /// Device of the memory. Null means host memory, which is copied if the
  /// current device has separate memory.
  tensorc_rt_device *device;
  /// Stream of the device whose queued work writes the elements. Null means
  /// that they are already written.
  tensorc_rt_stream *stream = nullptr;
};

/// True if the host may use the memory of the device's buffers in place.
bool isHostVisible(const tensorc_rt_device *device);

/// Makes a tensor that uses the memory until it calls the deleter. If kernels
/// cannot read the memory in place, it is copied and the deleter called at
/// once. After a failure the deleter is not called.
tensorc_status *takeMemory(graph::Recorder &r, const Memory &memory,
                           tensorc_tensor **out);

/// Makes a copy of the first bytes of a buffer, in the order of the default
/// stream. `out` may be set even if this fails.
inline tensorc_rt_status *copyBuffer(tensorc_rt_buffer *from, size_t size,
                                     tensorc_rt_buffer **out) {
  auto *failed =
      tensorc_rt_buffer_allocate(tensorc_rt_buffer_device(from), size, out);
  if (!failed)
    failed = tensorc_rt_buffer_copy(*out, 0, from, 0, size, nullptr);
  return failed ? failed : tensorc_rt_buffer_written_on(*out, nullptr);
}

} // namespace tensorc::api

#endif // TENSORC_COMPILER_API_MEMORY_H
