//===- Transfer.cpp - copies between two devices --------------------------===//
#include "runtime/memory/Transfer.h"

#include "runtime/core/OutOfMemory.h"
#include "runtime/memory/Readiness.h"

#include <cstdlib>

using namespace tensorc::rt;

std::vector<Buffer *> tensorc::rt::keepAlive(Stream &stream, Buffer &a,
                                             Buffer &b) {
  if (stream.isInline())
    return {};
  std::vector<Buffer *> buffers = {&a, &b};
  a.retain();
  b.retain();
  return buffers;
}

/// Copies from or to host memory with a single copy, in the order of the
/// device's stream.
static Status copyOnce(Stream &stream, BufferPart to, BufferPart from,
                       size_t size, CopyKind kind) {
  std::vector<Buffer *> kept = keepAlive(stream, to.buffer, from.buffer);
  Status status = catchBadAlloc(
      [&] { return stream.copy(to.data(), from.data(), size, kind); });
  if (!kept.empty())
    stream.retire(std::move(kept), nullptr);
  return status;
}

/// Copies from one device's memory to another's, if the devices can access each
/// other.
static Status copyDirectly(Stream &out, Stream &in, BufferPart to,
                           BufferPart from, size_t size) {
  std::shared_ptr<Mark> mark;
  TENSORC_RT_TRY(out.record(mark));
  std::vector<Buffer *> kept = keepAlive(in, to.buffer, from.buffer);
  Status status = in.wait(std::move(mark));
  if (status.ok())
    status = in.copyFrom(*from.buffer.device, to.data(), from.data(), size);
  if (!kept.empty())
    in.retire(std::move(kept), nullptr);
  return status;
}

static Status copyThroughHost(Stream &out, Stream &in, BufferPart to,
                              BufferPart from, size_t size) {
  std::unique_ptr<void, void (*)(void *)> staging(std::malloc(size ? size : 1),
                                                  std::free);
  if (!staging)
    return outOfMemory();
  TENSORC_RT_TRY(out.read(staging.get(), from.data(), size));
  return in.write(to.data(), staging.get(), size);
}

Status tensorc::rt::copyBetweenDevices(BufferPart to, BufferPart from,
                                       size_t size, Stream *given) {
  Device &target = *to.buffer.device, &source = *from.buffer.device;
  auto streamOf = [&](Device &device) -> Stream & {
    return given && &given->device == &device ? *given : device.defaultStream();
  };
  if (given && &given->device != &target && &given->device != &source)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "a stream of %s for a copy from %s to %s",
                 given->device.name(), source.name(), target.name());
  Overwrite overwrite(to.buffer, to.offset, size);
  auto end = [&](Stream &stream, Status status) {
    return status.ok() ? overwrite.end(stream) : std::move(status);
  };
  if (source.hostVisible()) {
    Stream &in = streamOf(target);
    TENSORC_RT_TRY(awaitReady(in, from.buffer));
    TENSORC_RT_TRY(overwrite.begin(in));
    return end(in, copyOnce(in, to, from, size, CopyKind::HostToDevice));
  }
  Stream &out = streamOf(source);
  TENSORC_RT_TRY(awaitReady(out, from.buffer));
  if (!target.hostVisible()) {
    Stream &in = streamOf(target);
    TENSORC_RT_TRY(overwrite.begin(in));
    Status status = copyDirectly(out, in, to, from, size);
    bool isApart = !status.ok() && status.get()->code == TENSORC_RT_UNSUPPORTED;
    return end(in, isApart ? copyThroughHost(out, in, to, from, size)
                           : std::move(status));
  }
  TENSORC_RT_TRY(overwrite.beginOnHost());
  TENSORC_RT_TRY(out.read(to.data(), from.data(), size));
  overwrite.finish();
  return Status();
}
