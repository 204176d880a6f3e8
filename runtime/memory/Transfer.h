//===- Transfer.h - copies between two devices ------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_MEMORY_TRANSFER_H
#define TENSORC_RUNTIME_MEMORY_TRANSFER_H

#include "runtime/core/Driver.h"

namespace tensorc::rt {

/// A part of a buffer, with checked bounds.
struct BufferPart {
  Buffer &buffer;
  size_t offset;
  char *data() const { return static_cast<char *>(buffer.data) + offset; }
};

/// Copies between buffers of different devices, on a stream of one of them. If
/// the stream is null, uses the default stream of the device whose memory the
/// host cannot address. A host target may be read when this returns; a copy to
/// a device is complete in the order of that device's stream.
Status copyBetweenDevices(BufferPart to, BufferPart from, size_t size,
                          Stream *stream);

/// Keeps two buffers alive until the stream has finished its work so far. Must
/// be called before the work is queued, because it may run out of memory.
std::vector<Buffer *> keepAlive(Stream &stream, Buffer &a, Buffer &b);

} // namespace tensorc::rt

#endif
