//===- Memory.h - Memory of the program as tensors ------------------------===//
#ifndef TENSORC_COMPILER_API_MEMORY_H
#define TENSORC_COMPILER_API_MEMORY_H

#include "compiler/api/Api.h"

namespace tensorc::api {

struct Memory {
  tensorc_dtype dtype;
  graph::Ints shape;
  /// In elements; null: dense.
  const int64_t *strides;
  void *data;
  tensorc_deleter deleter;
  void *user;
  /// Where it is; null: the current device, with a copy where that has memory
  /// of its own.
  tensorc_rt_device *device;
  /// Of the device: writes the elements, by what it has been given; null: they
  /// are there.
  tensorc_rt_stream *stream = nullptr;
};

/// A tensor that uses the memory until it calls the deleter. What kernels
/// cannot read in place is copied, and the deleter called at once. After a
/// failure the deleter is not called.
tensorc_status *takeMemory(graph::Recorder &r, const Memory &memory,
                           tensorc_tensor **out);

} // namespace tensorc::api

#endif // TENSORC_COMPILER_API_MEMORY_H
