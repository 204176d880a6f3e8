//===- Streams.h - the calling thread's streams ---------------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_STREAMS_H
#define TENSORC_COMPILER_SESSION_JIT_STREAMS_H

#include "runtime/include/tensorc/runtime.h"

namespace tensorc::jit {

/// The stream that the thread's evaluations on a device go to; null: the
/// device's default stream.
tensorc_rt_stream *currentStream(const tensorc_rt_device *device);
/// Keeps a reference; null goes back to the default stream.
void setCurrentStream(tensorc_rt_device *device, tensorc_rt_stream *stream);

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_STREAMS_H
