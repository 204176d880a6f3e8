//===- SimMemory.cpp - device memory that the host cannot access ----------===//
#include "runtime/drivers/sim/SimMemory.h"

#include "runtime/core/HostMemory.h"
#include "runtime/core/check/Checks.h"
#include "runtime/drivers/sim/SimOptions.h"

#include <cstring>
#include <new>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Value of poisoned bytes: NaN in every float type, so that reads of
/// uninitialized memory become visible.
static constexpr int poison = 0xff;
/// Maximum size of blocks that are poisoned. Larger ones keep the system's zero
/// pages, which use no memory until they are touched.
static constexpr size_t poisonLimit = size_t(16) << 20;

bool SimMemory::reserve(size_t bytes) {
  uint64_t limit = simMemoryLimit();
  std::lock_guard lock(mutex);
  if (limit && (bytes > limit || used > limit - bytes))
    return false;
  used += bytes;
  return true;
}

void SimMemory::unreserve(size_t bytes) {
  std::lock_guard lock(mutex);
  used -= bytes;
}

uint64_t SimMemory::usedBytes() {
  std::lock_guard lock(mutex);
  return used;
}

void *SimMemory::allocate(size_t bytes) {
  if (!reserve(bytes))
    return nullptr;
  void *data = allocateHostMemory(bytes);
  if (!data) {
    unreserve(bytes);
    return nullptr;
  }
  if (bytes <= poisonLimit && !checks().memory)
    std::memset(data, poison, bytes);
  uintptr_t address = reinterpret_cast<uintptr_t>(data) | tag;
  try {
    std::lock_guard lock(mutex);
    blocks.emplace(address, Block{data, bytes});
  } catch (const std::bad_alloc &) {
    freeHostMemory(data, bytes);
    unreserve(bytes);
    return nullptr;
  }
  return reinterpret_cast<void *>(address);
}

void SimMemory::free(void *data, size_t bytes) {
  uintptr_t address = reinterpret_cast<uintptr_t>(data);
  {
    std::lock_guard lock(mutex);
    blocks.erase(address);
    used -= bytes;
  }
  freeHostMemory(reinterpret_cast<void *>(address & ~tag), bytes);
}

uint64_t SimMemory::bytesFrom(const void *address) {
  auto at = reinterpret_cast<uintptr_t>(address);
  std::lock_guard lock(mutex);
  auto next = blocks.upper_bound(at);
  if (next == blocks.begin())
    return 0;
  const auto &[begin, block] = *std::prev(next);
  const size_t bytes = block.bytes;
  return at - begin <= bytes ? bytes - (at - begin) : 0;
}

char *SimMemory::host(const void *address, uint64_t size) {
  auto at = reinterpret_cast<uintptr_t>(address);
  if ((at & tag) != tag)
    return nullptr;
  std::lock_guard lock(mutex);
  auto next = blocks.upper_bound(at);
  if (next == blocks.begin())
    return nullptr;
  const auto &[begin, block] = *std::prev(next);
  if (at - begin > block.bytes || size > block.bytes - (at - begin))
    return nullptr;
  return static_cast<char *>(block.data) + (at - begin);
}
