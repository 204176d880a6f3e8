//===- EventPool.h - events that are used again -----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_EVENTPOOL_H
#define TENSORC_RUNTIME_DRIVERS_GPU_EVENTPOOL_H

#include "runtime/drivers/gpu/VendorApi.h"

#include <mutex>
#include <vector>

namespace tensorc::rt::gpu {

/// Unused events of a device. Thread-safe.
class EventPool {
public:
  EventPool(EventApi &api, const Handle &device) : api(api), device(device) {}
  Result take(Event_t &out);
  void give(Event_t event);

private:
  EventApi &api;
  const Handle &device;
  std::mutex mutex;
  std::vector<Event_t> unused;
};

} // namespace tensorc::rt::gpu

#endif
