//===- GpuStream.cpp - a stream of a vendor's library ---------------------===//
#include "runtime/drivers/gpu/GpuStream.h"

#include "runtime/core/HostMemory.h"
#include "runtime/core/Trace.h"
#include "runtime/core/streams/Event.h"
#include "runtime/drivers/gpu/math/Factorizations.h"
#include "runtime/drivers/gpu/math/Transforms.h"

#include <algorithm>
#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

/// Maximum number of launches that an error names. The latest ones are named.
static constexpr ptrdiff_t maxRecent = 16;

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

namespace {
class GpuMark final : public Mark {
public:
  GpuMark(GpuDevice &device, Event_t event) : device(device), event(event) {}
  ~GpuMark() override { device.giveEvent(event); }

  bool reached() override {
    Scope scope(device);
    return !scope.status.ok() ||
           device.vendor.eventQuery(event) != resultNotReady;
  }
  Status wait() override {
    TENSORC_GPU_SCOPE(device);
    return device.check(device.vendor.eventSynchronize(event),
                        "waiting for an event", GpuDevice::Call::Waits);
  }
  int64_t time() override { return device.originTime + elapsed(device.origin); }
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
        device.vendor.eventElapsed(milliseconds, from, event) != success)
      return 0;
    return static_cast<int64_t>(static_cast<double>(milliseconds) * 1e6);
  }
};
} // namespace

Status GpuStream::record(std::shared_ptr<Mark> &mark) {
  TENSORC_GPU_SCOPE(gpu);
  Event_t event = nullptr;
  TENSORC_RT_TRY(gpu.takeEvent(event));
  auto made = std::make_shared<GpuMark>(gpu, event);
  TENSORC_RT_TRY(
      gpu.check(gpu.vendor.eventRecord(event, stream), "recording an event"));
  mark = std::move(made);
  return Status();
}

Status GpuStream::wait(std::shared_ptr<Mark> mark) {
  auto *other = dynamic_cast<GpuMark *>(mark.get());
  if (!other || &other->device.vendor != &gpu.vendor)
    return callOnHost([mark] { return mark->wait(); }, /*always=*/true);
  TENSORC_GPU_SCOPE(gpu);
  Result result = gpu.vendor.streamWaitEvent(stream, other->event);
  touchesHost = true; // The other stream's work may touch host memory.
  return gpu.check(result, "waiting for an event");
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void GpuStream::noteLaunches(std::span<const LaunchSite> launches) {
  std::lock_guard lock(mutex);
  if (std::ssize(launches) > maxRecent)
    launches = launches.last(maxRecent);
  for (const LaunchSite &launch : launches) {
    std::erase(recent, launch);
    recent.push_back(launch);
  }
  if (std::ssize(recent) > maxRecent)
    recent.erase(recent.begin(), recent.end() - maxRecent);
}

void GpuStream::addRecent(std::vector<LaunchSite> &launches) {
  std::lock_guard lock(mutex);
  for (const LaunchSite &launch : recent)
    if (std::find(launches.begin(), launches.end(), launch) == launches.end())
      launches.push_back(launch);
}

Status GpuStream::waitForAll() {
  TENSORC_RT_TRY(gpu.check(gpu.vendor.streamSynchronize(stream),
                           "waiting for a stream", GpuDevice::Call::Waits));
  std::lock_guard lock(mutex);
  recent.clear();
  return Status();
}

/// Used if a hook observes launches, or if launches block: waits for the
/// kernel. With a hook also waits for earlier work, so that the call takes as
/// long as the kernel.
Status GpuStream::traced(const Launch &launch) {
  LaunchHook hook = launchHook();
  if (hook)
    TENSORC_RT_TRY(waitForAll());
  LaunchTime begin = beginLaunch(hook);
  LaunchSite site = launch.site();
  noteLaunches({&site, 1});
  TENSORC_RT_TRY(gpu.launchOn(stream, launch));
  if (hook || gpu.blocking)
    TENSORC_RT_TRY(waitForAll());
  return traceLaunch(hook, gpu, launch, begin,
                     static_cast<int32_t>(launch.block));
}

Status GpuStream::launch(const Launch &launch) {
  TENSORC_GPU_SCOPE(gpu);
  return host->failed ? Status() : traced(launch);
}

Status GpuStream::submit(const Batch &batch) {
  if (!gpu.graphs.isEnabled || batch.size() < GraphCache::minCalls ||
      gpu.blocking || launchHook())
    return Stream::submit(batch);
  TENSORC_GPU_SCOPE(gpu);
  if (host->failed)
    return Status();
  bool isLaunched = false;
  TENSORC_RT_TRY(gpu.graphs.launch(batch, stream, isLaunched));
  if (!isLaunched)
    return Stream::submit(batch);
  noteLaunches(batch.sites());
  return Status();
}

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

/// Takes the pinned block that copies in stream order use. The stream orders
/// its uses.
Status GpuStream::takeBounce() {
  PinnedBlock block;
  {
    std::lock_guard lock(mutex);
    if (bounce.data)
      return Status();
  }
  TENSORC_RT_TRY(gpu.staging.take(HostStaging::largeBlock, stream, block));
  if (!block.data)
    return outOfMemory();
  {
    std::lock_guard lock(mutex);
    if (!bounce.data)
      std::swap(block, bounce);
  }
  gpu.staging.give(block);
  return Status();
}

Status GpuStream::copy(void *target, const void *source, size_t size,
                       CopyKind kind) {
  TENSORC_GPU_SCOPE(gpu);
  Vendor &call = gpu.vendor;
  if (!size || host->failed)
    return Status();
  if (kind == CopyKind::DeviceToDevice)
    return gpu.check(call.copyOnDevice(target, source, size, stream),
                     "copying");
  if (kind == CopyKind::BlockToDevice)
    return gpu.check(call.copyToDevice(target, source, size, stream),
                     "copying to the device");
  if (kind == CopyKind::DeviceToBlock)
    return gpu.check(call.copyToHost(target, source, size, stream),
                     "copying from the device");
  if (kind == CopyKind::HostToDevice && !touchesHost)
    return write(target, source, size);
  TENSORC_RT_TRY(takeBounce());
  auto *to = static_cast<char *>(target);
  auto *from = static_cast<const char *>(source);
  char *through = bounce.data;
  for (size_t part; size; size -= part, to += part, from += part) {
    part = std::min(size, bounce.size);
    if (kind == CopyKind::HostToDevice) {
      TENSORC_RT_TRY(callOnHost(
          [=] { return std::memcpy(through, from, part), Status(); }, false));
      TENSORC_RT_TRY(gpu.check(call.copyToDevice(to, through, part, stream),
                               "copying to the device"));
    } else {
      TENSORC_RT_TRY(gpu.check(call.copyToHost(through, from, part, stream),
                               "copying from the device"));
      TENSORC_RT_TRY(callOnHost(
          [=] { return std::memcpy(to, through, part), Status(); }, false));
    }
  }
  return Status();
}

/// When this function returns, the bytes have been copied to pinned memory or
/// to the device.
Status GpuStream::write(void *target, const void *source, size_t size) {
  TENSORC_GPU_SCOPE(gpu);
  Vendor &call = gpu.vendor;
  auto *to = static_cast<char *>(target);
  auto *from = static_cast<const char *>(source);
  for (size_t part; size; size -= part, to += part, from += part) {
    PinnedBlock block;
    TENSORC_RT_TRY(gpu.staging.take(size, stream, block));
    if (!block.data) { // No memory can be pinned; the library copies by itself.
      TENSORC_RT_TRY(gpu.check(call.copyToDevice(to, from, size, stream),
                               "copying to the device"));
      return waitForAll();
    }
    part = std::min(size, block.size);
    std::memcpy(block.data, from, part);
    Status status = gpu.check(call.copyToDevice(to, block.data, part, stream),
                              "copying to the device");
    if (!status.ok()) {
      gpu.staging.give(block);
      return status;
    }
    TENSORC_RT_TRY(gpu.staging.giveBehind(block, stream));
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
  Vendor &call = gpu.vendor;
  auto *to = static_cast<char *>(target);
  auto *from = static_cast<const char *>(source);
  Arrival turns[2];
  Status status;
  auto arrive = [&](Arrival &turn) {
    TENSORC_RT_TRY(gpu.check(call.eventSynchronize(turn.event),
                             "waiting for a copy", GpuDevice::Call::Waits));
    std::memcpy(turn.to, turn.block.data, turn.size);
    turn.size = 0;
    return Status();
  };
  auto depart = [&](Arrival &turn) -> Status {
    if (!turn.block.data)
      TENSORC_RT_TRY(gpu.staging.take(size, stream, turn.block));
    if (!turn.block.data)
      return outOfMemory();
    if (!turn.event)
      TENSORC_RT_TRY(gpu.takeEvent(turn.event));
    size_t part = std::min(size, turn.block.size);
    TENSORC_RT_TRY(
        gpu.check(call.copyToHost(turn.block.data, from, part, stream),
                  "copying from the device"));
    TENSORC_RT_TRY(
        gpu.check(call.eventRecord(turn.event, stream), "recording an event"));
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
  if (!status.ok())
    (void)call.streamDrain(stream); // Waits for all copies that use the blocks.
  for (Arrival &turn : turns) {
    gpu.staging.give(turn.block);
    if (turn.event)
      gpu.giveEvent(turn.event);
  }
  TENSORC_RT_TRY(std::move(status));
  return synchronize();
}

Status GpuStream::copyFrom(Device &from, void *target, const void *source,
                           size_t size) {
  auto *peer = dynamic_cast<GpuDevice *>(&from);
  if (!peer || &peer->vendor != &gpu.vendor)
    return Stream::copyFrom(from, target, source, size);
  TENSORC_RT_TRY(peer->open());
  TENSORC_GPU_SCOPE(gpu);
  if (!size || host->failed)
    return Status();
  gpu.openPeer(*peer);
  return gpu.check(gpu.vendor.copyPeer(gpu.handle, target, peer->handle, source,
                                       size, stream),
                   "copying from another device");
}

Status GpuStream::fill(void *target, uint64_t pattern, uint32_t width,
                       size_t size) {
  TENSORC_GPU_SCOPE(gpu);
  if (!size || host->failed)
    return Status();
  Status status = gpu.fillOn(stream, target, pattern, width, size);
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
        gpu.vendor.copyOnDevice(to + done, to, next, stream), "filling"));
  }
  return Status();
}

//===----------------------------------------------------------------------===//
// Functions on the host
//===----------------------------------------------------------------------===//

void GpuStream::runHostCall(void *argument) {
  std::unique_ptr<HostCall> call(static_cast<HostCall *>(argument));
  std::shared_ptr<HostState> state = call->state;
  Status status;
  if (call->always || !state->failed) {
    try {
      status = call->function();
    } catch (const std::bad_alloc &) {
      status = outOfMemory();
    } catch (const std::exception &exception) {
      status = error(TENSORC_RT_DEVICE_ERROR, "%s", exception.what());
    }
  }
  call.reset();
  if (!status.ok()) {
    std::lock_guard lock(state->mutex);
    if (!state->failed)
      state->failure = std::move(status);
    state->failed = true;
  }
}

Status GpuStream::callOnHost(std::function<Status()> function, bool always) {
  TENSORC_GPU_SCOPE(gpu);
  auto call = std::make_unique<HostCall>(host, std::move(function), always);
  Result result = gpu.vendor.hostFunction(stream, runHostCall, call.get());
  touchesHost = true;
  if (result == success)
    (void)call.release();
  return gpu.check(result, "calling the host");
}

Status GpuStream::call(std::function<Status()> function) {
  return callOnHost(std::move(function), /*always=*/false);
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
  collect(done, /*wait=*/false);
  TENSORC_RT_TRY(std::move(status));
  std::lock_guard lock(host->mutex);
  host->failed = false;
  return std::exchange(host->failure, Status());
}

void *GpuStream::native() {
  Scope scope(gpu); // Opens the device, which creates the default stream.
  return sharesStreams(gpu) ? stream.load() : nullptr;
}

bool GpuStream::idle() {
  if (!stream && owner == Owner::This)
    return true; // the device has not been used
  Scope scope(gpu);
  return !scope.status.ok() || gpu.vendor.streamQuery(stream) != resultNotReady;
}

void GpuStream::collect(RetiredList &done, bool wait) {
  std::lock_guard lock(mutex);
  if (wait && !retired.empty())
    (void)gpu.vendor.streamDrain(stream);
  while (!retired.empty()) {
    Retired &first = retired.front();
    if (!wait && gpu.vendor.eventQuery(first.event) == resultNotReady)
      return;
    gpu.giveEvent(first.event);
    done.splice(done.end(), retired, retired.begin());
  }
}

void GpuStream::retire(std::vector<Buffer *> buffers,
                       std::shared_ptr<const void> keep) {
  Retired now;
  now.keep = std::move(keep);
  now.buffers = std::move(buffers);
  Scope scope(gpu);
  if (scope.status.ok() && !gpu.hasOneStream())
    releaseBlocks(now.buffers);
  // As long as there is only one stream, later users of the memory run after
  // this work, so the buffers can be released now.
  if (scope.status.ok() && gpu.hasOneStream()) {
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
    if (gpu.takeEvent(now.event).ok() &&
        gpu.vendor.eventRecord(now.event, stream) == success) {
      RetiredList added, done;
      added.push_back(std::move(now));
      collect(done, /*wait=*/false);
      std::lock_guard lock(mutex);
      retired.splice(retired.end(), added);
      return;
    }
  } catch (const std::bad_alloc &) {
  }
  if (now.event)
    gpu.giveEvent(now.event);
  // Without an event, or memory for the entry, the references are dropped here.
  (void)gpu.vendor.streamDrain(stream);
}

GpuStream::~GpuStream() {
  RetiredList done;
  Scope scope(gpu);
  gpu.strike(*this);
  if (!scope.status.ok()) {
    done.swap(retired);
    return;
  }
  if (owner == Owner::This || bounce.data)
    (void)gpu.vendor.streamDrain(stream);
  collect(done, /*wait=*/true);
  gpu.staging.give(bounce);
  if (owner == Owner::This)
    (void)gpu.vendor.streamDestroy(stream);
}
