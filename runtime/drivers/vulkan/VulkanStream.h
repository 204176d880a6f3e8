//===- VulkanStream.h - work in order on a shared queue ---------*- C++ -*-===//
//
// A device may have only one queue, which executes submissions in order: a
// submission that waits for a semaphore blocks all later ones. So work is
// submitted only after the work for which it waits is done; until then a thread
// of the stream holds it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANSTREAM_H
#define TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANSTREAM_H

#include "runtime/drivers/gpu/host/HostThread.h"
#include "runtime/drivers/vulkan/VulkanMemory.h"

#include <atomic>
#include <deque>
#include <vector>

namespace tensorc::rt::vulkan {

/// A timeline semaphore, whose value a stream's work increases. Events share
/// it, because they may outlive the stream.
class Timeline {
public:
  explicit Timeline(const Opened &opened) : opened(opened) {}
  ~Timeline();
  /// Opens the semaphore, which may have been used before. Returns its current
  /// value in `start`.
  gpu::Result open(uint64_t &start);
  gpu::Result wait(uint64_t value);
  /// Returns success if the value is reached, else resultNotReady.
  gpu::Result query(uint64_t value);
  gpu::Result signal(uint64_t value);

  const Opened &opened;
  Semaphore semaphore = 0;

private:
  // The largest value that is known to be reached.
  std::atomic<uint64_t> known{0};
};

/// A point in the work of a stream. Without a timeline it counts as reached.
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

/// The device's only queue, which all streams share.
struct SharedQueue {
  DeviceQueue queue = nullptr;
  uint32_t family = 0;
  std::mutex mutex; // held while submitting
};

/// A command buffer for one command, and host memory for the arguments of a
/// kernel.
struct Slot {
  CommandBuffer commands = nullptr;
  uint64_t value = 0;        // the slot is free when this value is reached
  void *arguments = nullptr; // null until a kernel needs it
};

/// A graph: commands that are recorded once and submitted often.
class RecordedGraph {
public:
  RecordedGraph(const Opened &opened, VulkanMemory &host)
      : opened(opened), hostMemory(host) {}
  ~RecordedGraph();
  gpu::Result begin(uint32_t family);
  /// Records a command, which starts after all earlier commands of the graph
  /// have finished.
  gpu::Result add(const std::function<gpu::Result(Slot &slot)> &record);
  gpu::Result end();

  CommandBuffer commands = nullptr;

private:
  const Opened &opened;
  VulkanMemory &hostMemory;
  CommandPool pool = 0;
  std::vector<void *> arguments; // arguments of its kernels
};

/// A stream's command buffers, which are reused once their work is done, and
/// the graphs that it has launched, which are kept alive until then. The
/// stream's lock guards it.
class CommandSlots {
public:
  CommandSlots(const Opened &opened, VulkanMemory &host, Timeline &timeline)
      : opened(opened), hostMemory(host), timeline(timeline) {}
  /// All work must be done.
  ~CommandSlots();
  gpu::Result open(uint32_t family);
  gpu::Result take(Slot &slot);
  /// Returns a slot. It is free when the value is reached.
  void give(Slot slot, uint64_t value);
  void keep(std::shared_ptr<RecordedGraph> graph, uint64_t value);

private:
  const Opened &opened;
  VulkanMemory &hostMemory;
  Timeline &timeline;
  CommandPool pool = 0;
  std::deque<Slot> slots; // slots in the order of their values
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

  /// Records and submits a command, at once or after deferred work.
  gpu::Result enqueue(Record record, uint64_t *value = nullptr);
  /// Begins a capture: commands until endCapture() are recorded instead of
  /// executed.
  gpu::Result beginCapture();
  std::shared_ptr<RecordedGraph> endCapture();
  gpu::Result launch(std::shared_ptr<RecordedGraph> graph);
  gpu::Result callHost(gpu::HostFunction function, void *argument);
  gpu::Result waitFor(const Point &point);
  /// Waits for all work. Returns the first error of a submission since the last
  /// call.
  gpu::Result synchronize();
  /// Waits for all work, and leaves errors of submissions for synchronize().
  gpu::Result drain();
  gpu::Result query();
  /// True if the calling thread is this stream's thread.
  bool isCalling() const { return host.isCalling(); }
  /// Returns the point after all work so far.
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

  std::mutex mutex;     // guards the members below
  uint64_t ordered = 0; // the timeline's value after all work so far
  // Number of deferred functions that the thread has not called yet.
  uint64_t deferred = 0;
  CommandSlots slots;
  std::vector<Point> awaited;             // points the next command awaits
  std::shared_ptr<RecordedGraph> capture; // set during a capture
  gpu::Result failure = gpu::success;     // first error of a submission

  gpu::HostThread host; // destroyed first, because it uses the other members
};

/// Returns the object to which a handle points.
inline VulkanStream &streamOf(gpu::Stream_t stream) {
  return *reinterpret_cast<VulkanStream *>(stream);
}

} // namespace tensorc::rt::vulkan

#endif
