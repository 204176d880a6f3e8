//===- Event.cpp - marks that host code sets ------------------------------===//
#include "runtime/core/streams/Event.h"

#include <ctime>

using namespace tensorc::rt;

int64_t tensorc::rt::now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * int64_t(1000000000) + time.tv_nsec;
}

void HostMark::reach(Status failure) {
  failed = std::move(failure);
  when.store(now(), std::memory_order_relaxed);
  done.store(1, std::memory_order_release);
  done.notify_all();
}

Status HostMark::wait() {
  if (!reached() && generation != forkGeneration())
    return lostByFork();
  done.wait(0, std::memory_order_acquire);
  return Status();
}

Status tensorc::rt::lostByFork() {
  return error(TENSORC_RT_DEVICE_ERROR,
               "work that was given before fork() is not done in the child");
}

std::shared_ptr<Mark> Event::latest() {
  ProcessLockGuard lock(ProcessLock::Events);
  return mark;
}

void Event::replace(std::shared_ptr<Mark> other) {
  ProcessLockGuard lock(ProcessLock::Events);
  mark.swap(other);
}
