//===- SimMemory.h - device memory that the host cannot access --*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_SIMMEMORY_H
#define TENSORC_RUNTIME_DRIVERS_SIM_SIMMEMORY_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace tensorc::rt::sim {

/// The memory of one simulated device: host memory that appears at another
/// address. These addresses have bits set that no address of a process has, and
/// contain the device's number, so that accesses by the host fault and other
/// devices refuse the address.
class SimMemory {
public:
  explicit SimMemory(uint32_t device)
      : tag(uintptr_t(1) << 55 | uintptr_t(device + 1) << 48) {}

  void *allocate(size_t bytes);
  void free(void *data, size_t bytes);

  /// Returns the host address of `size` bytes at a device address, or null if
  /// they are not within one block of this device.
  char *host(const void *address, uint64_t size);
  /// Returns the total number of bytes of all blocks.
  uint64_t usedBytes();
  /// Returns the number of bytes from the address to the end of its block; 0 if
  /// it is in no block.
  uint64_t bytesFrom(const void *address);

private:
  /// Count allocated bytes, up to the limit TENSORC_SIM_MEMORY.
  bool reserve(size_t bytes);
  void unreserve(size_t bytes);

  const uintptr_t tag;
  std::mutex mutex;
  /// A block of memory. Storing the host address also shows leak checkers that
  /// the memory is in use.
  struct Block {
    void *data;
    size_t bytes;
  };
  std::map<uintptr_t, Block> blocks; // blocks by device address
  uint64_t used = 0;                 // total bytes of the blocks
};

} // namespace tensorc::rt::sim

#endif
