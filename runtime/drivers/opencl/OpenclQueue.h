//===- OpenclQueue.h - a stream, and events, over OpenCL --------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_OPENCL_OPENCLQUEUE_H
#define TENSORC_RUNTIME_DRIVERS_OPENCL_OPENCLQUEUE_H

#include "runtime/drivers/gpu/GpuApi.h"
#include "runtime/drivers/gpu/HostThread.h"
#include "runtime/drivers/opencl/OpenclApi.h"

#include <cstdint>
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

/// An in-order queue of commands. Several threads may call it.
class Queue {
public:
  Queue(const Functions &call, Context context, CommandQueue queue)
      : call(call), context(context), queue(queue), probe(call), limit(call) {}
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
  gpu::Result synchronize();
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

  std::mutex mutex; // for what follows, and between commands
  uint64_t submitted = 0, finished = 0; // commands
  EventOwner probe; // reached when the first `probed` commands are done
  uint64_t probed = 0;
  EventOwner limit; // the point that throttle() waits for
  uint64_t limited = 0;
};

} // namespace tensorc::rt::opencl

#endif
