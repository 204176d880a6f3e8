//===- Event.h - marks that host code sets ----------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_STREAMS_EVENT_H
#define TENSORC_RUNTIME_CORE_STREAMS_EVENT_H

#include "runtime/core/Driver.h"
#include "runtime/core/threads/Fork.h"

struct tensorc_rt_event {};

namespace tensorc::rt {

/// Returns the time of CLOCK_MONOTONIC in nanoseconds.
int64_t now();

/// A mark of a stream whose work the host executes. It has no lock, because a
/// fork could leave a lock locked.
class HostMark final : public Mark {
public:
  /// Marks the point as reached. `failure` is the error of the work before it.
  void reach(Status failure = Status());
  bool reached() override { return done.load(std::memory_order_acquire) != 0; }
  Status wait() override;
  int64_t time() override { return when.load(std::memory_order_relaxed); }
  Status failure() override {
    return reached() && !failed.ok() ? failed.clone() : Status();
  }

private:
  // Error of the work before the mark; set before the mark is reached.
  Status failed;
  std::atomic<int32_t> done{0};
  std::atomic<int64_t> when{0};
  uint32_t generation = forkGeneration();
};

/// Returns the error for waiting for work that belongs to the parent process of
/// a fork.
Status lostByFork();

/// An event of the C interface, which holds the mark that was recorded last.
class Event final : public tensorc_rt_event {
public:
  explicit Event(Device &device) : device(device) {}
  std::shared_ptr<Mark> latest();
  void replace(std::shared_ptr<Mark> other);
  void retain() { refs.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (refs.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

  Device &device;

private:
  std::atomic<uint32_t> refs{1};
  std::shared_ptr<Mark> mark; // guarded by the process lock for events
};

} // namespace tensorc::rt

#endif
