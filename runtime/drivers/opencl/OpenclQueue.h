//===- OpenclQueue.h - a stream, and events, over OpenCL --------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_OPENCL_OPENCLQUEUE_H
#define TENSORC_RUNTIME_DRIVERS_OPENCL_OPENCLQUEUE_H

#include "runtime/core/Driver.h"
#include "runtime/drivers/gpu/GpuApi.h"
#include "runtime/drivers/gpu/host/HostThread.h"
#include "runtime/drivers/opencl/OpenclApi.h"

#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>

namespace tensorc::rt::opencl {

/// Translates an OpenCL error to a number of gpu::Result.
gpu::Result translate(int32_t code);

/// Owns an OpenCL event, which a command that was enqueued has created.
class EventOwner {
public:
  explicit EventOwner(const Functions &call) : call(call) {}
  EventOwner(const EventOwner &) = delete;
  ~EventOwner() { reset(nullptr); }
  void reset(Event other) {
    if (event)
      (void)call.ReleaseEvent(event);
    event = other;
  }
  void swap(EventOwner &other) { std::swap(event, other.event); }
  Event get() const { return event; }
  /// Returns success, resultNotReady, or the error of the command. Success if
  /// no event was recorded.
  gpu::Result query() const;
  gpu::Result wait() const;

private:
  const Functions &call;
  Event event = nullptr;
};

/// The launches of a queue that are not known to have finished, with their
/// events: clFinish does not report that a command failed.
class LaunchLog {
public:
  explicit LaunchLog(const Functions &call) : call(call) {}
  void add(Event event, const LaunchSite &site);
  /// Drops the launches that have finished, and keeps the first error.
  void collect();
  /// Returns the first error since the last call, and the launch.
  gpu::Result take(LaunchSite &site);

private:
  struct Entry {
    Entry(const Functions &call, Event made, const LaunchSite &site)
        : event(call), site(site) {
      event.reset(made);
    }
    EventOwner event;
    LaunchSite site;
  };
  const Functions &call;
  std::deque<Entry> entries;
  gpu::Result failure = gpu::success;
  LaunchSite failed;
};

/// An in-order queue of commands. Several threads may call it.
class Queue {
public:
  Queue(const Functions &call, Context context, CommandQueue queue)
      : call(call), context(context), queue(queue), probe(call), limit(call),
        launches(call) {}
  ~Queue();

  /// Passes the queue's handle to a function that enqueues one command, and
  /// submits the command to the device.
  template <typename F> gpu::Result enqueue(F command) {
    int32_t code;
    {
      std::lock_guard lock(mutex);
      code = submit(command(queue));
    }
    return code ? translate(code) : throttle();
  }
  /// The same for a launch: `command` takes the handle and a pointer that
  /// receives the launch's event.
  template <typename F>
  gpu::Result enqueueLaunch(const LaunchSite &site, F command) {
    int32_t code;
    {
      std::lock_guard lock(mutex);
      Event event = nullptr;
      code = submit(command(queue, &event));
      if (event)
        launches.add(event, site);
    }
    return code ? translate(code) : throttle();
  }
  /// Waits for all commands. Returns the error of the first launch that failed
  /// since the last call, and the launch.
  gpu::Result synchronize(LaunchSite &failedLaunch);
  /// Waits for all commands, and leaves errors of launches for synchronize().
  gpu::Result drain();
  gpu::Result query();
  /// Enqueues a marker whose event is reached when the work so far is done.
  gpu::Result record(EventOwner &event);
  gpu::Result callHost(gpu::HostFunction function, void *argument);

private:
  int32_t submit(int32_t code);
  gpu::Result throttle();
  const Functions &call;
  const Context context;
  const CommandQueue queue;
  gpu::HostThread host;

  std::mutex mutex; // guards the next members, and is held between commands
  uint64_t submitted = 0, finished = 0; // commands
  EventOwner probe; // reached once the first `probed` commands are done
  uint64_t probed = 0;
  EventOwner limit; // the point up to which throttle() waits
  uint64_t limited = 0;
  LaunchLog launches;
};

// The objects to which the handles of streams and events point.
inline Queue &queueOf(gpu::Stream_t stream) {
  return *reinterpret_cast<Queue *>(stream);
}
inline EventOwner &eventOf(gpu::Event_t event) {
  return *reinterpret_cast<EventOwner *>(event);
}

} // namespace tensorc::rt::opencl

#endif
