//===- EventPool.cpp - events that are used again -------------------------===//
#include "runtime/drivers/gpu/EventPool.h"

#include <new>

using namespace tensorc::rt::gpu;

Result EventPool::take(Event_t &out) {
  {
    std::lock_guard lock(mutex);
    if (!unused.empty()) {
      out = unused.back();
      unused.pop_back();
      return success;
    }
  }
  return api.create(device, out);
}

void EventPool::give(Event_t event) {
  try {
    std::lock_guard lock(mutex);
    unused.push_back(event);
  } catch (const std::bad_alloc &) {
    // It is lost.
  }
}
