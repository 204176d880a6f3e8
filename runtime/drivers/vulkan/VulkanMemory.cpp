//===- VulkanMemory.cpp - buffers in few allocations ----------------------===//
#include "runtime/drivers/vulkan/VulkanMemory.h"

#include <algorithm>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;
using namespace tensorc::rt::vulkan;

/// Alignment of buffers in bytes: a cache line of any GPU, and the largest
/// alignment of storage offsets that a device may require.
static constexpr uint64_t alignment = 256;
/// Size of an allocation that small buffers share, and the maximum size of such
/// a buffer.
static constexpr uint64_t sharedSize = uint64_t(32) << 20,
                          largestShared = uint64_t(4) << 20;

Result vulkan::translate(int32_t code) {
  return code == vkOutOfHostMemory || code == vkOutOfDeviceMemory
             ? resultOutOfMemory
             : code;
}

static uint64_t roundUp(uint64_t value) {
  return (value + alignment - 1) & ~(alignment - 1);
}

/// Returns the number of the best memory type that `allowed` permits:
/// device-local memory, or host-visible memory, preferably cached.
uint32_t VulkanMemory::findType(uint32_t allowed) const {
  constexpr uint32_t shared = hostVisible | hostCoherent;
  uint32_t needed = kind == Kind::Host ? shared : deviceLocal;
  uint32_t wished = needed | (kind == Kind::Host ? hostCached : 0);
  for (uint32_t flags : {wished, needed, 0u})
    for (uint32_t i = 0; i < properties.typeCount; ++i)
      if (allowed >> i & 1 && (properties.types[i].flags & flags) == flags)
        return i;
  return 0;
}

Result VulkanMemory::bind(Chunk &chunk) {
  BufferCreateInfo info;
  info.size = chunk.size;
  info.usage = bufferUsage;
  const Functions &call = opened.call;
  if (int32_t code =
          call.CreateBuffer(opened.device, &info, nullptr, &chunk.buffer))
    return translate(code);
  MemoryRequirements needs;
  call.GetBufferMemoryRequirements(opened.device, chunk.buffer, &needs);
  MemoryAllocateFlagsInfo flags;
  MemoryAllocateInfo memory;
  memory.next = &flags;
  memory.size = needs.size;
  memory.memoryType = findType(needs.types);
  if (int32_t code =
          call.AllocateMemory(opened.device, &memory, nullptr, &chunk.memory))
    return translate(code);
  if (int32_t code =
          call.BindBufferMemory(opened.device, chunk.buffer, chunk.memory, 0))
    return translate(code);
  BufferDeviceAddressInfo asked;
  asked.buffer = chunk.buffer;
  chunk.address = call.GetBufferDeviceAddress(opened.device, &asked);
  chunk.base = chunk.address;
  if (kind == Kind::Device)
    return success;
  void *mapped = nullptr;
  int32_t code =
      call.MapMemory(opened.device, chunk.memory, 0, UINT64_MAX, 0, &mapped);
  chunk.base = reinterpret_cast<uintptr_t>(mapped);
  return translate(code);
}

void VulkanMemory::release(Chunk &chunk) {
  if (chunk.buffer)
    opened.call.DestroyBuffer(opened.device, chunk.buffer, nullptr);
  if (chunk.memory)
    opened.call.FreeMemory(opened.device, chunk.memory, nullptr);
}

Result VulkanMemory::makeChunk(uint64_t size, Chunk *&out) {
  auto chunk = std::make_unique<Chunk>();
  chunk->size = size;
  Result result = bind(*chunk);
  if (result != success) {
    release(*chunk);
    return result;
  }
  uint64_t first = roundUp(chunk->base) - chunk->base;
  chunk->unused[first] = size - first;
  out = chunk.get();
  chunks[chunk->base] = std::move(chunk);
  return success;
}

bool VulkanMemory::take(Chunk &chunk, uint64_t bytes, void *&out) {
  for (auto at = chunk.unused.begin(); at != chunk.unused.end(); ++at) {
    auto [offset, size] = *at;
    if (size < bytes)
      continue;
    chunk.unused.erase(at);
    if (size > bytes)
      chunk.unused[offset + bytes] = size - bytes;
    chunk.parts[offset] = bytes;
    usedBytes += bytes;
    out = reinterpret_cast<void *>(chunk.base + offset);
    return true;
  }
  return false;
}

Result VulkanMemory::allocate(uint64_t bytes, void *&out) {
  if (bytes > largest - 2 * alignment)
    return resultOutOfMemory;
  bytes = roundUp(std::max<uint64_t>(bytes, 1));
  std::lock_guard lock(mutex);
  bool isShared = bytes <= largestShared;
  if (isShared)
    for (auto &[base, chunk] : chunks)
      if (take(*chunk, bytes, out))
        return success;
  Chunk *chunk = nullptr;
  uint64_t size = isShared ? std::min(sharedSize, largest) : bytes + alignment;
  Result result = makeChunk(size, chunk);
  if (result == success)
    (void)take(*chunk, bytes, out);
  return result;
}

VulkanMemory::Chunk *VulkanMemory::holderOf(const void *data) {
  auto address = reinterpret_cast<uintptr_t>(data);
  auto after = chunks.upper_bound(address);
  if (after == chunks.begin())
    return nullptr;
  Chunk *chunk = std::prev(after)->second.get();
  return address - chunk->base < chunk->size ? chunk : nullptr;
}

void VulkanMemory::free(void *data) {
  std::lock_guard lock(mutex);
  Chunk *chunk = holderOf(data);
  uint64_t offset = reinterpret_cast<uintptr_t>(data) - chunk->base;
  auto part = chunk->parts.find(offset);
  uint64_t size = part->second;
  chunk->parts.erase(part);
  usedBytes -= size;
  auto at = chunk->unused.emplace(offset, size).first;
  if (auto next = std::next(at);
      next != chunk->unused.end() && offset + size == next->first) {
    at->second += next->second;
    chunk->unused.erase(next);
  }
  if (at != chunk->unused.begin())
    if (auto before = std::prev(at); before->first + before->second == offset) {
      before->second += at->second;
      chunk->unused.erase(at);
    }
  // An allocation for a single large buffer is not kept.
  if (chunk->parts.empty() && chunk->size != sharedSize) {
    release(*chunk);
    chunks.erase(chunk->base);
  }
}

Place VulkanMemory::find(const void *data) {
  std::lock_guard lock(mutex);
  Chunk *chunk = holderOf(data);
  if (!chunk)
    return {};
  return {chunk->buffer, reinterpret_cast<uintptr_t>(data) - chunk->base};
}

uint64_t VulkanMemory::deviceAddress(const void *data) {
  std::lock_guard lock(mutex);
  Chunk *chunk = holderOf(data);
  return chunk->address + (reinterpret_cast<uintptr_t>(data) - chunk->base);
}

void VulkanMemory::trim() {
  std::lock_guard lock(mutex);
  std::erase_if(chunks, [&](auto &entry) {
    bool isUnused = entry.second->parts.empty();
    if (isUnused)
      release(*entry.second);
    return isUnused;
  });
}

uint64_t VulkanMemory::used() {
  std::lock_guard lock(mutex);
  return usedBytes;
}
