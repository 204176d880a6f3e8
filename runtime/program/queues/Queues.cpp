//===- Queues.cpp - the streams that execute a program's queues -----------===//
#include "runtime/program/queues/Queues.h"

#include "runtime/core/OutOfMemory.h"

#include <algorithm>

using namespace tensorc::rt;

/// Makes a stream wait for the work that another one has been given so far.
static Status waitFor(Stream &waiting, Stream &other) {
  std::shared_ptr<Mark> mark;
  TENSORC_RT_TRY(other.record(mark));
  return waiting.wait(std::move(mark));
}

Queues::~Queues() {
  if (!second)
    return;
  try {
    if (waitFor(stream, *second).ok())
      return;
  } catch (const std::exception &) {
    // There is no memory for a mark.
  }
  (void)second->synchronize();
}

Status Queues::flush() {
  if (batch.empty())
    return Status();
  Status status = stream.submit(batch);
  batch.clear();
  return status;
}

Status Queues::finish() {
  Status failure = flush();
  auto wait = [&](Stream &on) {
    Status status = on.synchronize();
    if (failure.ok())
      failure = std::move(status);
  };
  wait(stream);
  if (second)
    wait(*second);
  return failure;
}

bool Retired::moveToEnd(Buffer *buffer) {
  // More than an iteration of a loop drops between two views of one buffer.
  constexpr ptrdiff_t maxSearched = 64;
  auto newest = buffers.rbegin(), oldest = buffers.rend();
  if (oldest - newest > maxSearched)
    oldest = newest + maxSearched;
  auto found = std::find(newest, oldest, buffer);
  if (found == oldest)
    return false;
  // Keeps the order of the others, by which later allocations get the same
  // addresses in each run.
  std::rotate(newest, found, found + 1);
  return true;
}

void Retired::defer(Buffer *buffer) {
  // One reference to a buffer suffices. A loop would otherwise collect one for
  // each view of its arena or input.
  if (!buffer->hasOneReference() && moveToEnd(buffer)) {
    buffer->release();
  } else {
    try {
      buffers.push_back(buffer);
    } catch (const std::bad_alloc &) {
      return dropNow(buffer);
    }
  }
  if (buffer->isBlock() && buffer->hasOneReference())
    bytes += buffer->size;
  if (buffers.size() >= maxBuffers || bytes >= maxBytes)
    retire();
}

void Retired::dropNow(Buffer *buffer) {
  Status status = catchBadAlloc([&] { return queues.finish(); });
  if (failure.ok())
    failure = std::move(status);
  buffer->release();
}

void Retired::retire() {
  if (!deferred || buffers.empty())
    return;
  Status status = catchBadAlloc([&] { return queues.join(); });
  if (!status.ok()) {
    if (failure.ok())
      failure = std::move(status);
    return; // They are retired later.
  }
  noteHostBlocks();
  hostBlocks.clear();
  stream.retire(std::exchange(buffers, {}), nullptr);
  bytes = 0;
}

void Retired::noteHostBlocks() {
  if (hostBlocks.empty())
    return;
  Status status = catchBadAlloc([&] {
    std::shared_ptr<Mark> mark;
    TENSORC_RT_TRY(stream.record(mark));
    for (Buffer *block : hostBlocks)
      block->noteUse(stream.id, mark);
    return Status();
  });
  // The marks of the outputs keep the error of the work.
  if (!status.ok())
    (void)stream.synchronize();
}

Status Queues::streamOf(uint32_t queue, Stream *&out) {
  TENSORC_RT_TRY(flush());
  out = &stream;
  if (queue == 0 || stream.isInline())
    return Status();
  if (!second) {
    TENSORC_RT_TRY(stream.device.createSharedStream(second));
    retired.keep(second);
    // The caller's stream may still be using the blocks of earlier runs.
    isSecondBehind = true;
  }
  out = second.get();
  if (!isSecondBehind)
    return Status();
  isSecondBehind = false;
  return waitFor(*second, stream);
}

Status Queues::join() {
  TENSORC_RT_TRY(flush());
  return second ? waitFor(stream, *second) : Status();
}

Status Queues::order() {
  isSecondBehind = true;
  return join();
}
