//===- Streams.h - The current streams of the calling thread --------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_STREAMS_H
#define TENSORC_COMPILER_SESSION_JIT_STREAMS_H

#include "runtime/include/tensorc/runtime.h"

namespace tensorc::jit {

/// Returns the stream on which the calling thread evaluates expressions on a
/// device; null means the device's default stream.
tensorc_rt_stream *currentStream(const tensorc_rt_device *device);
/// Sets the stream and keeps a reference to it; null selects the default
/// stream.
void setCurrentStream(tensorc_rt_device *device, tensorc_rt_stream *stream);

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_STREAMS_H
