//===- DeviceMemory.h - memory of a device ----------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_DEVICEMEMORY_H
#define TENSORC_RUNTIME_DRIVERS_GPU_DEVICEMEMORY_H

#include "runtime/drivers/gpu/Connection.h"

#include <mutex>
#include <set>

namespace tensorc::rt::gpu {

/// Memory of a device, allocated in the order of a stream if the library has
/// pools, and access to the memory of other devices. The device must be current
/// on the thread.
class DeviceMemory {
public:
  explicit DeviceMemory(Connection &device) : device(device) {}
  /// Opens the library's pool, unless TENSORC_GPU_POOLS=0.
  void open(Stream_t defaultStream);
  /// Returns null if there is no memory. With a single stream the memory is
  /// allocated in the stream's order; with several streams it is available when
  /// this returns.
  void *allocate(size_t bytes);
  void free(void *data);
  void trim();
  /// Enables copies from the peer's memory.
  void openPeer(const DeviceMemory &peer);

private:
  Connection &device;
  // Set by open(). If there are several streams, memory of the pool is
  // allocated in the order of `ownStream`.
  Pool_t pool = nullptr;
  Stream_t defaultStream = nullptr, ownStream = nullptr;
  std::mutex mutex; // guards the peers
  std::set<const DeviceMemory *> peers;
};

} // namespace tensorc::rt::gpu

#endif
