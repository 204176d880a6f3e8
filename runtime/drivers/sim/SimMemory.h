//===- SimMemory.h - memory that the host cannot use by accident *- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_SIMMEMORY_H
#define TENSORC_RUNTIME_DRIVERS_SIM_SIMMEMORY_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace tensorc::rt::sim {

/// The memory of one simulated device. It is the host's under another address:
/// bits that no address of a process has are set, among them the device's
/// number, so that the host's use of it faults and another device refuses it.
class SimMemory {
public:
  explicit SimMemory(uint32_t device)
      : tag(uintptr_t(1) << 55 | uintptr_t(device + 1) << 48) {}

  void *allocate(size_t bytes);
  void free(void *data, size_t bytes);

  /// Where `size` bytes at a device address are, or null when they do not lie
  /// in one block of this device.
  char *host(const void *address, uint64_t size);
  /// Bytes of all blocks.
  uint64_t usedBytes();
  /// From there to the end of the block; 0 when it is in none.
  uint64_t bytesFrom(const void *address);

private:
  /// Counts bytes against TENSORC_SIM_MEMORY.
  bool reserve(size_t bytes);
  void unreserve(size_t bytes);

  const uintptr_t tag;
  std::mutex mutex;
  /// A block; its host address also shows leak checkers that it is in use.
  struct Block {
    void *data;
    size_t bytes;
  };
  std::map<uintptr_t, Block> blocks; // by device address
  uint64_t used = 0;                 // bytes in them
};

} // namespace tensorc::rt::sim

#endif
