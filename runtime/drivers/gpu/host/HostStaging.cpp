//===- HostStaging.cpp - pinned host memory for copies --------------------===//
#include "runtime/drivers/gpu/host/HostStaging.h"

#include <algorithm>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

/// Takes back the blocks whose copies are finished.
void HostStaging::collect() {
  std::erase_if(inFlight, [&](const InFlight &copy) {
    if (device.library.events.query(copy.event) == resultNotReady)
      return false;
    device.events.give(copy.event);
    (copy.block.size == smallBlock ? freeSmall : freeLarge)
        .push_back(copy.block);
    return true;
  });
}

bool HostStaging::takeFree(size_t size, PinnedBlock &out) {
  collect();
  auto &list = size == smallBlock ? freeSmall : freeLarge;
  if (list.empty())
    return false;
  out = list.back();
  list.pop_back();
  return true;
}

Status HostStaging::take(size_t bytes, Stream_t stream, PinnedBlock &out) {
  out = {};
  size_t size = bytes <= smallBlock ? smallBlock : largeBlock;
  std::unique_lock lock(mutex);
  while (!takeFree(size, out)) {
    auto isOwn = [&](const InFlight &copy) { return copy.stream == stream; };
    if (std::count_if(inFlight.begin(), inFlight.end(), isOwn) < maxInFlight) {
      void *data = nullptr;
      if (device.library.memory.hostAllocate(device.handle, data, size) ==
          success)
        out = {static_cast<char *>(data), size};
      return Status();
    }
    Event_t first =
        std::find_if(inFlight.begin(), inFlight.end(), isOwn)->event;
    lock.unlock(); // Other threads can continue while this one waits.
    Result result = device.library.events.synchronize(first);
    lock.lock();
    if (result != success)
      return device.check(result, "waiting for a copy");
  }
  return Status();
}

void HostStaging::give(PinnedBlock block) {
  if (!block.data)
    return;
  std::lock_guard lock(mutex);
  (block.size == smallBlock ? freeSmall : freeLarge).push_back(block);
}

Status HostStaging::giveBehind(PinnedBlock block, Stream_t stream) {
  Event_t event = nullptr;
  Status status = device.check(device.events.take(event), "a new event");
  if (status.ok())
    status = device.check(device.library.events.record(event, stream),
                          "recording an event");
  if (!status.ok()) {
    // The event could not be recorded, because the device is lost or out of
    // memory. The copy may still read the block, so this waits for it.
    (void)device.library.streams.drain(stream);
    give(block);
    return status;
  }
  std::lock_guard lock(mutex);
  inFlight.push_back({block, event, stream});
  return Status();
}
