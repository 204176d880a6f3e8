//===- Transfer.h - copies between two devices ------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_MEMORY_TRANSFER_H
#define TENSORC_RUNTIME_MEMORY_TRANSFER_H

#include "runtime/core/Driver.h"

namespace tensorc::rt {

/// A part of a buffer, whose bounds have been checked.
struct BufferPart {
  Buffer &buffer;
  size_t offset;
  char *data() const { return static_cast<char *>(buffer.data) + offset; }
};

/// Copies between buffers of different devices on a stream of one of them
/// (null: of the one whose memory the host cannot address). The host may read
/// the target when this returns; on a device the target's stream orders it.
Status copyBetweenDevices(BufferPart to, BufferPart from, size_t size,
                          Stream *stream);

/// Two buffers that stay alive until the stream has done its work so far; made
/// before the work is given, as that may lack memory.
std::vector<Buffer *> keepAlive(Stream &stream, Buffer &a, Buffer &b);

} // namespace tensorc::rt

#endif
