//===- Readiness.cpp - whether a buffer's contents are ready --------------===//
#include "runtime/memory/Readiness.h"

using namespace tensorc::rt;

Status tensorc::rt::awaitReady(Stream &stream, const Buffer &buffer) {
  if (!buffer.written)
    return Status();
  Mark &mark = *buffer.written;
  bool isOurs = buffer.writer == stream.id;
  if (!isOurs && !mark.reached())
    TENSORC_RT_TRY(stream.wait(buffer.written));
  Status failure = mark.failure();
  // After an error, the stream skips its work until the error has been
  // returned. That happens here.
  if (!failure.ok() && isOurs)
    (void)stream.synchronize();
  return failure;
}

Status tensorc::rt::waitReady(const Buffer &buffer) {
  if (!buffer.written)
    return Status();
  TENSORC_RT_TRY(buffer.written->wait());
  return buffer.written->failure();
}

Status tensorc::rt::markWritten(Stream &stream,
                                std::span<Buffer *const> buffers) {
  if (stream.isInline() || buffers.empty())
    return Status();
  std::shared_ptr<Mark> mark;
  TENSORC_RT_TRY(stream.record(mark));
  for (Buffer *buffer : buffers) {
    buffer->written = mark;
    buffer->writer = stream.id;
  }
  return Status();
}

bool Overwrite::replacesAll() const {
  return isWhole && buffer.written && buffer.written->reached();
}

Status Overwrite::begin(Stream &stream) const {
  return replacesAll() ? Status() : awaitReady(stream, buffer);
}

Status Overwrite::beginOnHost() const {
  return replacesAll() ? Status() : waitReady(buffer);
}

Status Overwrite::end(Stream &stream) const {
  if (stream.isInline())
    return finish(), Status();
  Buffer *marked = &buffer;
  return isMarked ? markWritten(stream, {&marked, 1}) : Status();
}

void Overwrite::finish() const {
  if (!isMarked || !isWhole)
    return;
  buffer.written.reset();
  buffer.writer = 0;
}
