//===- VulkanMemory.h - buffers in few allocations --------------*- C++ -*-===//
//
// A device may support only 4096 allocations, so small buffers share larger
// allocations. Buffers are passed as addresses; for commands these are mapped
// to the Vulkan objects.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANMEMORY_H
#define TENSORC_RUNTIME_DRIVERS_VULKAN_VULKANMEMORY_H

#include "runtime/drivers/gpu/GpuApi.h"
#include "runtime/drivers/vulkan/VulkanApi.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace tensorc::rt::vulkan {

/// Translates a Vulkan error to a number of gpu::Result.
gpu::Result translate(int32_t code);

/// The logical device and the functions to use it.
struct Opened {
  const Functions &call;
  LogicalDevice device = nullptr;

  /// Semaphores of destroyed streams, which new streams reuse. They are never
  /// destroyed: lavapipe's thread may still use a semaphore after its value is
  /// reached, although Vulkan permits destroying it then.
  struct Semaphores {
    std::mutex mutex;
    // Has capacity for all semaphores that were created.
    std::vector<Semaphore> unused;
    size_t numCreated = 0;
  };
  std::unique_ptr<Semaphores> semaphores = std::make_unique<Semaphores>();
};

/// A Vulkan buffer, and the offset in bytes at which an address lies in it.
struct Place {
  BufferHandle buffer = 0;
  uint64_t offset = 0;
};

/// Allocates memory of one type. Thread-safe.
class VulkanMemory {
public:
  enum class Kind {
    Device, // allocate() returns device addresses
    Host,   // allocate() returns host pointers
  };
  /// `largest` is the maximum size of an allocation.
  VulkanMemory(const Opened &opened, Kind kind, uint64_t largest)
      : opened(opened), kind(kind), largest(largest) {}

  gpu::Result allocate(uint64_t bytes, void *&out);
  void free(void *data);
  /// Returns the Vulkan buffer that contains an address from allocate().
  Place find(const void *data);
  /// Returns the device address for a host pointer from allocate().
  uint64_t deviceAddress(const void *data);
  /// Releases allocations that contain no buffer in use.
  void trim();
  /// Returns the number of bytes in use.
  uint64_t used();

private:
  /// One Vulkan allocation, with a Vulkan buffer of the same size.
  struct Chunk {
    BufferHandle buffer = 0;
    MemoryHandle memory = 0;
    uint64_t size = 0, address = 0;      // address on the device
    uintptr_t base = 0;                  // first address from allocate()
    std::map<uint64_t, uint64_t> unused; // sizes of free parts by offset
    std::map<uint64_t, uint64_t> parts;  // sizes of parts in use by offset
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
  std::map<uintptr_t, std::unique_ptr<Chunk>> chunks; // chunks by base address
  uint64_t usedBytes = 0;

public:
  MemoryProperties properties = {};
};

} // namespace tensorc::rt::vulkan

#endif
