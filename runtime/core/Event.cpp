//===- Event.cpp - marks that are reached on the host ---------------------===//
#include "runtime/core/Event.h"

#include <ctime>

using namespace tensorc::rt;

int64_t tensorc::rt::now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * int64_t(1000000000) + time.tv_nsec;
}

void HostMark::reach() {
  std::lock_guard lock(mutex);
  when.store(now(), std::memory_order_release);
  changed.notify_all();
}

Status HostMark::wait() {
  if (reached())
    return Status();
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return reached(); });
  return Status();
}
