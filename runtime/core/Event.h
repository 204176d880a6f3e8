//===- Event.h - marks that are reached on the host -------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_EVENT_H
#define TENSORC_RUNTIME_CORE_EVENT_H

#include "runtime/core/Driver.h"

#include <condition_variable>
#include <mutex>

struct tensorc_rt_event {};

namespace tensorc::rt {

/// CLOCK_MONOTONIC in nanoseconds.
int64_t now();

/// A mark of a stream whose work the host does.
class HostMark final : public Mark {
public:
  void reach();
  bool reached() override { return when.load(std::memory_order_acquire) != 0; }
  Status wait() override;
  int64_t time() override { return when.load(std::memory_order_acquire); }

private:
  std::atomic<int64_t> when{0};
  std::mutex mutex;
  std::condition_variable changed;
};

/// The latest mark that was recorded.
class Event final : public tensorc_rt_event {
public:
  explicit Event(Device &device) : device(device) {}
  std::shared_ptr<Mark> latest() {
    std::lock_guard lock(mutex);
    return mark;
  }
  void replace(std::shared_ptr<Mark> other) {
    std::lock_guard lock(mutex);
    mark.swap(other);
  }
  void retain() { refs.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (refs.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

  Device &device;

private:
  std::atomic<uint32_t> refs{1};
  std::mutex mutex;
  std::shared_ptr<Mark> mark;
};

} // namespace tensorc::rt

#endif
