//===- DeviceMemory.cpp - memory of a device ------------------------------===//
#include "runtime/drivers/gpu/DeviceMemory.h"

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

/// The environment variable is read once, so that an invalid value is reported
/// once for all devices.
static bool wantsPools() {
  static const bool wants = readSwitch("TENSORC_GPU_POOLS", true);
  return wants;
}

void DeviceMemory::open(Stream_t usual) {
  defaultStream = usual;
  const VendorLibrary &library = device.library;
  if (!wantsPools() ||
      library.memory.openPool(device.handle, pool) != success ||
      library.streams.create(device.handle, ownStream) != success)
    pool = nullptr;
}

void *DeviceMemory::allocate(size_t bytes) {
  const VendorLibrary &library = device.library;
  void *data = nullptr;
  if (!pool)
    return library.memory.allocate(device.handle, data, bytes) == success
               ? data
               : nullptr;
  bool alone = device.streams.hasOne();
  Stream_t on = alone ? defaultStream : ownStream;
  Result result = library.memory.allocateAsync(data, bytes, on);
  if (result == success && !alone)
    result = library.streams.synchronize(on);
  (void)device.check(result, "allocating");
  return result == success ? data : nullptr;
}

/// Other streams have finished using the memory, but the default stream may not
/// have.
void DeviceMemory::free(void *data) {
  MemoryApi &memory = device.library.memory;
  (void)device.check(pool ? memory.freeAsync(data, defaultStream)
                          : memory.free(data, MemoryKind::Device),
                     "freeing");
}

void DeviceMemory::trim() {
  if (!pool)
    return;
  (void)device.library.streams.drain(defaultStream);
  (void)device.library.memory.trimPool(pool);
}

void DeviceMemory::openPeer(const DeviceMemory &peer) {
  {
    std::lock_guard lock(mutex);
    if (!peers.insert(&peer).second)
      return;
  }
  device.library.peers->open(device.handle, peer.device.handle, peer.pool);
}
