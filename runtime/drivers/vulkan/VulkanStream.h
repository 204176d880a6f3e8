//===- VulkanStream.h - work in order on a shared queue ---------*- C++ -*-===//
//
// A device may have one queue, which takes its submissions in order: one that
// waits holds up all behind it. So nothing is submitted before what it waits
// for; a thread of the stream holds it back meanwhile.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANSTREAM_H
#define TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANSTREAM_H

#include "runtime/drivers/gpu/HostThread.h"
#include "runtime/drivers/vulkan/VulkanMemory.h"

#include <atomic>
#include <deque>
#include <vector>

namespace tensorc::rt::vulkan {

/// A counter that a stream's work increases. Events outlive streams, and share
/// it.
class Timeline {
public:
  explicit Timeline(const Opened &opened) : opened(opened) {}
  ~Timeline();
  gpu::Result open();
  gpu::Result wait(uint64_t value);
  /// Success, or resultNotReady.
  gpu::Result query(uint64_t value);
  gpu::Result signal(uint64_t value);

  const Opened &opened;
  Semaphore semaphore = 0;

private:
  std::atomic<uint64_t> known{0}; // has been reached
};

/// A point in the work of a stream. Without a timeline it is reached.
struct Point {
  std::shared_ptr<Timeline> timeline;
  uint64_t value = 0;
  gpu::Result wait() const {
    return timeline ? timeline->wait(value) : gpu::success;
  }
  gpu::Result query() const {
    return timeline ? timeline->query(value) : gpu::success;
  }
};

/// A device's only queue.
struct SharedQueue {
  DeviceQueue queue = nullptr;
  uint32_t family = 0;
  std::mutex mutex; // between submissions
};

/// A command buffer in which a command is recorded, and room for arguments of
/// a kernel, on the host.
struct Slot {
  CommandBuffer commands = nullptr;
  uint64_t value = 0;        // when it is reached, the slot is free
  void *arguments = nullptr; // once there were any
};

class VulkanStream {
public:
  using Record = std::function<gpu::Result(Slot &slot)>;

  VulkanStream(const Opened &opened, SharedQueue &queue, VulkanMemory &host)
      : opened(opened), queue(queue), hostMemory(host),
        timeline(std::make_shared<Timeline>(opened)) {}
  ~VulkanStream();
  gpu::Result open();

  /// Records a command, now or when what is before it can be submitted.
  gpu::Result enqueue(Record record, uint64_t *value = nullptr);
  gpu::Result callHost(gpu::HostFunction function, void *argument);
  gpu::Result waitFor(const Point &point);
  gpu::Result synchronize();
  gpu::Result query();
  /// Behind all work so far.
  Point last();

private:
  gpu::Result submit(const Record &record, uint64_t value);
  gpu::Result takeSlot(Slot &slot);
  gpu::Result sendSlot(Slot &slot, uint64_t value);
  void defer(std::function<void()> function);
  void addOnHost(std::function<void()> function, const Point *awaited);
  gpu::Result throttle(uint64_t value);

  const Opened &opened;
  SharedQueue &queue;
  VulkanMemory &hostMemory;
  const std::shared_ptr<Timeline> timeline;
  CommandPool pool = 0;
  gpu::HostThread host;

  std::mutex mutex;           // for what follows, and the pool
  uint64_t ordered = 0;       // commands and functions so far
  uint64_t deferred = 0;      // of them, those that the thread still has
  std::deque<Slot> slots;     // in the order of their use
  std::vector<Point> awaited; // by the next command
  gpu::Result failure = gpu::success; // of the first that was not submitted
};

} // namespace tensorc::rt::vulkan

#endif
