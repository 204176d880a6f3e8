//===- Readiness.h - whether a buffer's first bytes are there ---*- C++ -*-===//
//
// A run on an asynchronous stream gives buffers that are not written yet. Each
// remembers the mark behind its work: another stream waits for it by itself,
// and what failed stays known, also after the stream has forgotten it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_MEMORY_READINESS_H
#define TENSORC_RUNTIME_MEMORY_READINESS_H

#include "runtime/core/Driver.h"

namespace tensorc::rt {

/// Lets what is given to the stream next see the buffer's bytes; the error of
/// the work that should have written them, where that is known already.
Status awaitReady(Stream &stream, const Buffer &buffer);

/// The host waits. The error of that work, again at every call.
Status waitReady(const Buffer &buffer);

/// The buffers are written by what the stream was given so far.
Status markWritten(Stream &stream, std::span<Buffer *const> buffers);

} // namespace tensorc::rt

#endif
