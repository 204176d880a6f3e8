//===- VulkanMemory.h - buffers within few allocations ----------*- C++ -*-===//
//
// A device may allow 4096 allocations, so that small buffers are parts of
// larger ones. A buffer is its address; commands want the object that holds it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANMEMORY_H
#define TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANMEMORY_H

#include "runtime/drivers/gpu/GpuApi.h"
#include "runtime/drivers/vulkan/VulkanApi.h"

#include <map>
#include <memory>
#include <mutex>

namespace tensorc::rt::vulkan {

/// Translates the numbers that the shared code knows.
gpu::Result translate(int32_t code);

/// A logical device and its functions.
struct Opened {
  const Functions &call;
  LogicalDevice device = nullptr;
};

/// The buffer and the offset in bytes at which an address lies.
struct Place {
  BufferHandle buffer = 0;
  uint64_t offset = 0;
};

/// Memory of one type. Several threads may use it.
class VulkanMemory {
public:
  enum class Kind {
    Device, // what it gives are addresses on the device
    Host,   // pointers of the host
  };
  /// `largest` is the size of the largest allocation.
  VulkanMemory(const Opened &opened, Kind kind, uint64_t largest)
      : opened(opened), kind(kind), largest(largest) {}

  gpu::Result allocate(uint64_t bytes, void *&out);
  void free(void *data);
  /// The object that holds an address, which this gave.
  Place find(const void *data);
  /// The device's address of a pointer of the host that this gave.
  uint64_t deviceAddress(const void *data);
  /// Gives back what nobody uses.
  void trim();
  /// Bytes that are in use.
  uint64_t used();

private:
  /// One allocation of Vulkan's, with a buffer as large as itself.
  struct Chunk {
    BufferHandle buffer = 0;
    MemoryHandle memory = 0;
    uint64_t size = 0, address = 0;      // on the device
    uintptr_t base = 0;                  // what it gives begins here
    std::map<uint64_t, uint64_t> unused; // sizes by offset
    std::map<uint64_t, uint64_t> parts;  // those in use, likewise
  };
  gpu::Result makeChunk(uint64_t size, Chunk *&out);
  gpu::Result bind(Chunk &chunk);
  uint32_t findType(uint32_t allowed) const;
  bool take(Chunk &chunk, uint64_t bytes, void *&out);
  Chunk *holderOf(const void *data);
  void release(Chunk &chunk);

  const Opened &opened;
  const Kind kind;
  const uint64_t largest;

  std::mutex mutex;
  std::map<uintptr_t, std::unique_ptr<Chunk>> chunks; // by their base
  uint64_t usedBytes = 0;

public:
  MemoryProperties properties = {};
};

} // namespace tensorc::rt::vulkan

#endif
