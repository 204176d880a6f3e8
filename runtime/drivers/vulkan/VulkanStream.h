//===- VulkanStream.h - work in order on a shared queue ---------*- C++ -*-===//
//
// A device may have one queue, which executes submissions in order: one that
// waits for a semaphore blocks all later ones. So work is submitted only after
// what it waits for; until then a thread of the stream holds it.
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

/// Commands that are recorded once and submitted often.
class RecordedGraph {
public:
  RecordedGraph(const Opened &opened, VulkanMemory &host)
      : opened(opened), hostMemory(host) {}
  ~RecordedGraph();
  gpu::Result begin(uint32_t family);
  /// Records a command that starts after the earlier ones have finished.
  gpu::Result add(const std::function<gpu::Result(Slot &slot)> &record);
  gpu::Result end();

  CommandBuffer commands = nullptr;

private:
  const Opened &opened;
  VulkanMemory &hostMemory;
  CommandPool pool = 0;
  std::vector<void *> arguments; // of its kernels
};

/// A stream's command buffers, which are recorded again when their work is done,
/// and its graphs, which stay until then. The stream has a lock for it.
class CommandSlots {
public:
  CommandSlots(const Opened &opened, VulkanMemory &host, Timeline &timeline)
      : opened(opened), hostMemory(host), timeline(timeline) {}
  /// The work is done.
  ~CommandSlots();
  gpu::Result open(uint32_t family);
  gpu::Result take(Slot &slot);
  /// Back, free when the value is reached.
  void give(Slot slot, uint64_t value);
  void keep(std::shared_ptr<RecordedGraph> graph, uint64_t value);

private:
  const Opened &opened;
  VulkanMemory &hostMemory;
  Timeline &timeline;
  CommandPool pool = 0;
  std::deque<Slot> slots; // in the order of their values
  std::deque<std::pair<uint64_t, std::shared_ptr<RecordedGraph>>> graphs;
};

class VulkanStream {
public:
  using Record = std::function<gpu::Result(Slot &slot)>;

  VulkanStream(const Opened &opened, SharedQueue &queue, VulkanMemory &host)
      : opened(opened), queue(queue), hostMemory(host),
        timeline(std::make_shared<Timeline>(opened)),
        slots(opened, host, *timeline) {}
  gpu::Result open();

  /// Records a command, now or when what is before it can be submitted.
  gpu::Result enqueue(Record record, uint64_t *value = nullptr);
  /// Begins a capture: commands until its end are recorded and not executed.
  gpu::Result beginCapture();
  std::shared_ptr<RecordedGraph> endCapture();
  gpu::Result launch(std::shared_ptr<RecordedGraph> graph);
  gpu::Result callHost(gpu::HostFunction function, void *argument);
  gpu::Result waitFor(const Point &point);
  gpu::Result synchronize();
  gpu::Result query();
  /// Whether the calling thread does a part of the stream's work.
  bool isCalling() const { return host.isCalling(); }
  /// Behind all work so far.
  Point last();

private:
  using Submit = std::function<gpu::Result(uint64_t value)>;
  gpu::Result order(Submit submit, uint64_t *value);
  gpu::Result submit(const Record &record, uint64_t value);
  gpu::Result send(CommandBuffer commands, uint64_t value);
  void defer(std::function<void()> function);
  void addOnHost(std::function<void()> function, const Point *awaited);
  gpu::Result throttle(uint64_t value);

  const Opened &opened;
  SharedQueue &queue;
  VulkanMemory &hostMemory;
  const std::shared_ptr<Timeline> timeline;

  std::mutex mutex;      // for what follows
  uint64_t ordered = 0;  // commands and functions so far
  uint64_t deferred = 0; // of them, those that the thread still has
  CommandSlots slots;
  std::vector<Point> awaited;             // by the next command
  std::shared_ptr<RecordedGraph> capture; // while there is one
  gpu::Result failure = gpu::success;     // of the first that was not submitted

  gpu::HostThread host; // the first to go, as it uses the rest
};

} // namespace tensorc::rt::vulkan

#endif
