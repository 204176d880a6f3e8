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

/// A copy or write that replaces bytes of a buffer. Only a buffer with one
/// reference is marked, because other threads may read the mark otherwise.
class Overwrite {
public:
  Overwrite(Buffer &buffer, size_t offset, size_t size)
      : buffer(buffer), isMarked(buffer.hasOneReference()),
        isWhole(offset == 0 && size == buffer.size) {}

  /// Orders later work of the stream after the work that writes the buffer now.
  /// Returns the error of that work if bytes remain that it should have written.
  Status begin(Stream &stream) const;
  /// Waits on the host instead.
  Status beginOnHost() const;
  /// Records that the stream's work so far writes the buffer.
  Status end(Stream &stream) const;
  /// Records that the bytes are written.
  void finish() const;

private:
  /// True if the buffer's work is done and none of its bytes remain, so that an
  /// error of that work does not matter.
  bool replacesAll() const;

  Buffer &buffer;
  bool isMarked, isWhole;
};

} // namespace tensorc::rt

#endif
