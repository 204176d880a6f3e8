//===- Readiness.h - whether a buffer's contents are ready ------*- C++ -*-===//
//
// A run on an asynchronous stream returns buffers that are not written yet.
// Each buffer has the mark that follows the work that writes it. Other streams
// wait for the mark automatically. The error of the work is kept even after the
// stream has discarded it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_MEMORY_READINESS_H
#define TENSORC_RUNTIME_MEMORY_READINESS_H

#include "runtime/core/Driver.h"

namespace tensorc::rt {

/// Makes later work of the stream wait until the buffer has been written.
/// Returns the error of the work that should have written it, if it is already
/// known.
Status awaitReady(Stream &stream, const Buffer &buffer);

/// Waits on the host until the buffer has been written. Returns the error of
/// the work that should have written it, at every call.
Status waitReady(const Buffer &buffer);

/// Records that the stream's work so far writes the buffers.
Status markWritten(Stream &stream, std::span<Buffer *const> buffers);

} // namespace tensorc::rt

#endif
