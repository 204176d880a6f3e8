//===- GpuStream.cpp - a stream of a vendor's library ---------------------===//
#include "runtime/drivers/gpu/GpuStream.h"

#include "runtime/core/HostMemory.h"
#include "runtime/core/Trace.h"
#include "runtime/core/streams/Event.h"
#include "runtime/drivers/gpu/Commands.h"
#include "runtime/drivers/gpu/math/Factorizations.h"
#include "runtime/drivers/gpu/math/Transforms.h"

#include <algorithm>
#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

/// True if TENSORC_LAUNCH_BLOCKING=1, which waits for each launch. Read once, so
/// that an invalid value is reported once for all devices.
static bool isBlocking() {
  static const bool is = readSwitch("TENSORC_LAUNCH_BLOCKING", false);
  return is;
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

namespace {
class GpuMark final : public Mark {
public:
  GpuMark(GpuDevice &device, Event_t event) : device(device), event(event) {}
  ~GpuMark() override { device.connection.events.give(event); }

  bool reached() override {
    Scope scope(device);
    return !scope.status.ok() ||
           device.library.events.query(event) != resultNotReady;
  }
  Status wait() override {
    TENSORC_GPU_SCOPE(device);
    return device.check(device.library.events.synchronize(event),
                        "waiting for an event", Call::Waits);
  }
  int64_t time() override {
    return device.clock.originTime + elapsed(device.clock.origin);
  }
  int64_t since(Mark &start) override {
    auto *other = dynamic_cast<GpuMark *>(&start);
    if (!other || &other->device != &device)
      return Mark::since(start);
    return elapsed(other->event);
  }

  GpuDevice &device;
  const Event_t event;

private:
  int64_t elapsed(Event_t from) {
    Scope scope(device);
    float milliseconds = 0;
    if (!scope.status.ok() ||
        device.library.events.elapsed(milliseconds, from, event) != success)
      return 0;
    return static_cast<int64_t>(static_cast<double>(milliseconds) * 1e6);
  }
};
} // namespace

Status GpuStream::record(std::shared_ptr<Mark> &mark) {
  TENSORC_GPU_SCOPE(gpu);
  Event_t event = nullptr;
  TENSORC_RT_TRY(gpu.check(gpu.connection.events.take(event), "a new event"));
  auto made = std::make_shared<GpuMark>(gpu, event);
  TENSORC_RT_TRY(
      gpu.check(library.events.record(event, handle()), "recording an event"));
  mark = std::move(made);
  return Status();
}

Status GpuStream::wait(std::shared_ptr<Mark> mark) {
  auto *other = dynamic_cast<GpuMark *>(mark.get());
  if (!other || other->device.library != library)
    return callOnHost([mark] { return mark->wait(); }, HostCalls::When::Always);
  TENSORC_GPU_SCOPE(gpu);
  Result result = library.streams.wait(handle(), other->event);
  touchesHost = true; // The other stream's work may touch host memory.
  return gpu.check(result, "waiting for an event");
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Status GpuStream::waitForAll() {
  TENSORC_RT_TRY(gpu.check(library.streams.synchronize(handle()),
                           "waiting for a stream", Call::Waits));
  records.recent.clear();
  return Status();
}

/// Launches and waits for the kernel. Used if a hook observes launches or
/// launches are blocking. With a hook, first waits for earlier work, so that the
/// time is the kernel's alone.
Status GpuStream::traced(const Launch &launch) {
  LaunchHook hook = launchHook();
  if (hook)
    TENSORC_RT_TRY(waitForAll());
  LaunchTime begin = beginLaunch(hook);
  LaunchSite site = launch.site();
  records.recent.add({&site, 1});
  TENSORC_RT_TRY(launchOn(gpu.connection, handle(), launch));
  if (hook || isBlocking())
    TENSORC_RT_TRY(waitForAll());
  return traceLaunch(hook, gpu, launch, begin,
                     static_cast<int32_t>(launch.block));
}

Status GpuStream::launch(const Launch &launch) {
  TENSORC_GPU_SCOPE(gpu);
  return host.hasFailed() ? Status() : traced(launch);
}

Status GpuStream::submit(const Batch &batch) {
  if (!gpu.graphs.isEnabled || batch.size() < GraphCache::minCalls ||
      isBlocking() || launchHook())
    return Stream::submit(batch);
  TENSORC_GPU_SCOPE(gpu);
  if (host.hasFailed())
    return Status();
  bool isLaunched = false;
  TENSORC_RT_TRY(gpu.graphs.launch(batch, handle(), isLaunched));
  if (!isLaunched)
    return Stream::submit(batch);
  records.recent.add(batch.sites());
  return Status();
}

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

Status BounceBlock::take(Stream_t stream) {
  std::lock_guard lock(mutex);
  if (!block.data)
    TENSORC_RT_TRY(staging.take(HostStaging::largeBlock, stream, block));
  return block.data ? Status() : outOfMemory();
}

Status GpuStream::copy(void *target, const void *source, size_t size,
                       CopyKind kind) {
  TENSORC_GPU_SCOPE(gpu);
  if (!size || host.hasFailed())
    return Status();
  if (kind == CopyKind::DeviceToDevice)
    return gpu.check(library.copies.onDevice(target, source, size, handle()),
                     "copying");
  if (kind == CopyKind::BlockToDevice)
    return gpu.check(library.copies.toDevice(target, source, size, handle()),
                     "copying to the device");
  if (kind == CopyKind::DeviceToBlock)
    return gpu.check(library.copies.toHost(target, source, size, handle()),
                     "copying from the device");
  if (kind == CopyKind::HostToDevice && !touchesHost)
    return write(target, source, size);
  TENSORC_RT_TRY(bounce.take(handle()));
  auto *to = static_cast<char *>(target);
  auto *from = static_cast<const char *>(source);
  const PinnedBlock block = bounce.get();
  char *through = block.data;
  for (size_t part; size; size -= part, to += part, from += part) {
    part = std::min(size, block.size);
    if (kind == CopyKind::HostToDevice) {
      TENSORC_RT_TRY(
          callOnHost([=] { return std::memcpy(through, from, part), Status(); },
                     HostCalls::When::WithoutError));
      TENSORC_RT_TRY(
          gpu.check(library.copies.toDevice(to, through, part, handle()),
                    "copying to the device"));
    } else {
      TENSORC_RT_TRY(
          gpu.check(library.copies.toHost(through, from, part, handle()),
                    "copying from the device"));
      TENSORC_RT_TRY(
          callOnHost([=] { return std::memcpy(to, through, part), Status(); },
                     HostCalls::When::WithoutError));
    }
  }
  return Status();
}

/// When this function returns, the bytes have been copied to pinned memory or
/// to the device.
Status GpuStream::write(void *target, const void *source, size_t size) {
  TENSORC_GPU_SCOPE(gpu);
  auto *to = static_cast<char *>(target);
  auto *from = static_cast<const char *>(source);
  for (size_t part; size; size -= part, to += part, from += part) {
    PinnedBlock block;
    TENSORC_RT_TRY(gpu.staging.take(size, handle(), block));
    if (!block.data) { // No memory can be pinned; the library copies by itself.
      TENSORC_RT_TRY(
          gpu.check(library.copies.toDevice(to, from, size, handle()),
                    "copying to the device"));
      return waitForAll();
    }
    part = std::min(size, block.size);
    std::memcpy(block.data, from, part);
    Status status =
        gpu.check(library.copies.toDevice(to, block.data, part, handle()),
                  "copying to the device");
    if (!status.ok()) {
      gpu.staging.give(block);
      return status;
    }
    TENSORC_RT_TRY(gpu.staging.giveBehind(block, handle()));
  }
  return Status();
}

namespace {
/// A part of a copy to the host that is in flight.
struct Arrival {
  PinnedBlock block;
  Event_t event = nullptr;
  char *to = nullptr;
  size_t size = 0;
};
} // namespace

/// Alternates between two blocks, so that the host copies out of one while the
/// GPU copies into the other.
Status GpuStream::read(void *target, const void *source, size_t size) {
  TENSORC_GPU_SCOPE(gpu);
  auto *to = static_cast<char *>(target);
  auto *from = static_cast<const char *>(source);
  Arrival turns[2];
  Status status;
  auto arrive = [&](Arrival &turn) {
    TENSORC_RT_TRY(gpu.check(library.events.synchronize(turn.event),
                             "waiting for a copy", Call::Waits));
    std::memcpy(turn.to, turn.block.data, turn.size);
    turn.size = 0;
    return Status();
  };
  auto depart = [&](Arrival &turn) -> Status {
    if (!turn.block.data)
      TENSORC_RT_TRY(gpu.staging.take(size, handle(), turn.block));
    if (!turn.block.data)
      return outOfMemory();
    if (!turn.event)
      TENSORC_RT_TRY(
          gpu.check(gpu.connection.events.take(turn.event), "a new event"));
    size_t part = std::min(size, turn.block.size);
    TENSORC_RT_TRY(
        gpu.check(library.copies.toHost(turn.block.data, from, part, handle()),
                  "copying from the device"));
    TENSORC_RT_TRY(gpu.check(library.events.record(turn.event, handle()),
                             "recording an event"));
    turn.to = to;
    turn.size = part;
    size -= part, to += part, from += part;
    return Status();
  };
  for (unsigned i = 0; status.ok() && (size || turns[0].size || turns[1].size);
       i ^= 1) {
    if (turns[i].size)
      status = arrive(turns[i]);
    if (status.ok() && size)
      status = depart(turns[i]);
  }
  if (!status.ok()) // Waits for all copies that use the blocks.
    (void)library.streams.drain(handle());
  for (Arrival &turn : turns) {
    gpu.staging.give(turn.block);
    if (turn.event)
      gpu.connection.events.give(turn.event);
  }
  TENSORC_RT_TRY(std::move(status));
  return synchronize();
}

Status GpuStream::copyFrom(Device &from, void *target, const void *source,
                           size_t size) {
  auto *peer = dynamic_cast<GpuDevice *>(&from);
  if (!peer || !library.peers || peer->library != library)
    return Stream::copyFrom(from, target, source, size);
  TENSORC_RT_TRY(peer->open());
  TENSORC_GPU_SCOPE(gpu);
  if (!size || host.hasFailed())
    return Status();
  gpu.memory.openPeer(peer->memory);
  return gpu.check(library.peers->copy(gpu.connection.handle, target,
                                       peer->connection.handle, source, size,
                                       handle()),
                   "copying from another device");
}

Status GpuStream::fill(void *target, uint64_t pattern, uint32_t width,
                       size_t size) {
  TENSORC_GPU_SCOPE(gpu);
  if (!size || host.hasFailed())
    return Status();
  Status status =
      fillOn(gpu.connection, handle(), target, pattern, width, size);
  if (tensorc_rt_status_code(status.get()) != TENSORC_RT_UNSUPPORTED)
    return status;
  return fillByCopies(target, pattern, width, size);
}

/// Copies the first 4096 bytes from the host, then doubles the filled part by
/// copies on the device.
Status GpuStream::fillByCopies(void *target, uint64_t pattern, uint32_t width,
                               size_t size) {
  constexpr size_t firstPart = 4096;
  char part[firstPart];
  size_t done = std::min(size, firstPart);
  fillHostMemory(part, pattern, width, done);
  TENSORC_RT_TRY(write(target, part, done));
  auto *to = static_cast<char *>(target);
  for (size_t next; done < size; done += next) {
    next = std::min(done, size - done);
    TENSORC_RT_TRY(gpu.check(
        library.copies.onDevice(to + done, to, next, handle()), "filling"));
  }
  return Status();
}

//===----------------------------------------------------------------------===//
// Functions on the host
//===----------------------------------------------------------------------===//

Status GpuStream::callOnHost(std::function<Status()> function,
                             HostCalls::When when) {
  TENSORC_GPU_SCOPE(gpu);
  Result result =
      host.queue(library.streams, handle(), std::move(function), when);
  touchesHost = true;
  return gpu.check(result, "calling the host");
}

Status GpuStream::call(std::function<Status()> function) {
  return callOnHost(std::move(function), HostCalls::When::WithoutError);
}

Status GpuStream::callLibrary(const std::string &name,
                              const tensorc_rt_op_call &call, bool &taken) {
  constexpr std::string_view prefix = "linalg.";
  taken = false;
  if (name == "fourier.fft")
    return callTransformLibrary(*this, call, taken);
  if (!name.starts_with(prefix))
    return Status();
  return callMathLibrary(*this, std::string_view(name).substr(prefix.size()),
                         call, taken);
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

Status GpuStream::synchronize() {
  TENSORC_GPU_SCOPE(gpu);
  touchesHost = false;
  Status status = waitForAll();
  RetiredList done;
  records.retired.collect(handle(), done, /*wait=*/false);
  TENSORC_RT_TRY(std::move(status));
  return host.takeFailure();
}

void *GpuStream::native() {
  Scope scope(gpu); // Opens the device, which creates the default stream.
  return sharesStreams(gpu) ? handle() : nullptr;
}

bool GpuStream::idle() {
  if (!handle() && owner == Owner::This)
    return true; // the device has not been used
  Scope scope(gpu);
  return !scope.status.ok() ||
         library.streams.query(handle()) != resultNotReady;
}

void GpuStream::retire(std::vector<Buffer *> buffers,
                       std::shared_ptr<const void> keep) {
  Retired now;
  now.keep = std::move(keep);
  now.buffers = std::move(buffers);
  Scope scope(gpu);
  if (scope.status.ok() && !gpu.connection.streams.hasOne())
    releaseBlocks(now.buffers);
  // As long as there is only one stream, later users of the memory run after
  // this work, so the buffers can be released now.
  if (scope.status.ok() && gpu.connection.streams.hasOne()) {
    auto early = std::partition(
        now.buffers.begin(), now.buffers.end(), [&](const Buffer *buffer) {
          return buffer->device != &device || !buffer->isPooled();
        });
    for (auto at = early; at != now.buffers.end(); ++at)
      (*at)->release();
    now.buffers.erase(early, now.buffers.end());
  }
  if (!scope.status.ok() || (now.buffers.empty() && !now.keep))
    return; // The references are dropped here.
  try {
    if (gpu.connection.events.take(now.event) == success &&
        library.events.record(now.event, handle()) == success) {
      RetiredList added, done;
      added.push_back(std::move(now));
      records.retired.collect(handle(), done, /*wait=*/false);
      records.retired.add(std::move(added));
      return;
    }
  } catch (const std::bad_alloc &) {
  }
  if (now.event)
    gpu.connection.events.give(now.event);
  // Without an event, or memory for the entry, the references are dropped here.
  (void)library.streams.drain(handle());
}

GpuStream::~GpuStream() {
  RetiredList done;
  Scope scope(gpu);
  gpu.connection.streams.remove(records);
  if (!scope.status.ok()) {
    records.retired.takeAll(done);
    return;
  }
  if (owner == Owner::This || bounce.get().data)
    (void)library.streams.drain(handle());
  records.retired.collect(handle(), done, /*wait=*/true);
  bounce.give();
  if (owner == Owner::This)
    (void)library.streams.destroy(handle());
}
