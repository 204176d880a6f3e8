//===- Allocator.cpp - a device's memory, with a cache of blocks ----------===//
#include "runtime/core/Allocator.h"

#include "runtime/abi/Format.h"
#include "runtime/core/Driver.h"
#include "runtime/core/Fork.h"

#include <algorithm>
#include <bit>
#include <new>

using namespace tensorc::rt;

/// Up to this, classes are multiples of the alignment.
static constexpr size_t smallLimit = 1024;
/// From this on, blocks are whole huge pages and are found by best fit.
static constexpr size_t largeLimit = size_t(2) << 20;
/// The cache may always hold this much.
static constexpr uint64_t minCache = uint64_t(64) << 20;

Allocator *Allocator::all = nullptr;

Allocator::Allocator(Device &device, MemorySource &source)
    : device(device), source(source) {
  ProcessLockGuard lock(ProcessLock::Allocators);
  next = std::exchange(all, this);
}

Allocator::~Allocator() {
  ProcessLockGuard lock(ProcessLock::Allocators);
  Allocator **at = &all;
  while (*at != this)
    at = &(*at)->next;
  *at = next;
}

void Allocator::lockAll() {
  for (Allocator *allocator = all; allocator; allocator = allocator->next)
    allocator->mutex.lock();
}

void Allocator::unlockAll() {
  for (Allocator *allocator = all; allocator; allocator = allocator->next)
    allocator->mutex.unlock();
}

uint32_t Allocator::classOf(size_t size, size_t &capacity) {
  size = std::max<size_t>(size, 1);
  if (size <= smallLimit) {
    capacity = (size + bufferAlignment - 1) & ~(bufferAlignment - 1);
    return static_cast<uint32_t>(capacity / bufferAlignment);
  }
  if (size > largeLimit) {
    capacity = (size + largeLimit - 1) & ~(largeLimit - 1);
    return largeClass;
  }
  // Eight classes to each doubling.
  unsigned log = std::bit_width(size - 1) - 1;
  size_t step = size_t(1) << (log - 3);
  capacity = (size + step - 1) & ~(step - 1);
  auto eighth = static_cast<uint32_t>((capacity - (size_t(1) << log)) / step);
  constexpr unsigned smallLog = 10, firstClass = smallLimit / bufferAlignment;
  return firstClass + (log - smallLog) * 8 + eighth;
}

/// The smallest cached block that wastes at most a quarter.
Buffer *Allocator::takeLarge(size_t capacity) {
  Buffer **best = nullptr;
  for (Buffer **at = &free[largeClass]; *at; at = &(*at)->next)
    if ((*at)->capacity >= capacity &&
        (*at)->capacity <= capacity + capacity / 4 &&
        (!best || (*at)->capacity < (*best)->capacity))
      best = at;
  if (!best)
    return nullptr;
  Buffer *buffer = *best;
  *best = buffer->next;
  --largeBlocks;
  return buffer;
}

Buffer *Allocator::takeCached(uint32_t sizeClass, size_t capacity) {
  if (sizeClass == largeClass)
    return takeLarge(capacity);
  Buffer *buffer = free[sizeClass];
  if (buffer)
    free[sizeClass] = buffer->next;
  return buffer;
}

Status Allocator::allocate(size_t size, Buffer *&out) {
  out = nullptr;
  constexpr size_t maxSize = size_t(1) << 62;
  if (size > maxSize)
    return error(TENSORC_RT_OUT_OF_MEMORY, "%s: cannot allocate %zu bytes",
                 device.name(), size);
  size_t capacity = 0;
  uint32_t sizeClass = classOf(size, capacity);
  source.reclaim(/*wait=*/false);
  {
    std::lock_guard lock(mutex);
    ++counters.allocations;
    if (counters.limit && counters.allocated + capacity > counters.limit)
      return error(
          TENSORC_RT_OUT_OF_MEMORY,
          "%s: allocating %zu bytes would pass the limit of %llu (%llu "
          "in use)",
          device.name(), size, (unsigned long long)counters.limit,
          (unsigned long long)counters.allocated);
    out = takeCached(sizeClass, capacity);
    if (out) {
      ++counters.cache_hits;
      counters.cached -= out->capacity;
      capacity = out->capacity;
    }
    // Counted before the system is asked, so that threads cannot pass the
    // limit together.
    counters.allocated += capacity;
    counters.peak = std::max(counters.peak, counters.allocated);
  }
  if (!out) {
    TENSORC_RT_TRY(allocateNew(size, capacity, out));
    out->sizeClass = sizeClass;
  }
  out->size = size;
  out->next = nullptr;
  out->refs.store(1, std::memory_order_relaxed);
  return Status();
}

Status Allocator::allocateNew(size_t size, size_t capacity, Buffer *&out) {
  auto *buffer = new (std::nothrow) Buffer(device, nullptr, size);
  if (buffer) {
    buffer->data = source.allocateMemory(capacity);
    if (!buffer->data) {
      source.reclaim(/*wait=*/true);
      trim(); // What the cache holds may be what is missing.
      buffer->data = source.allocateMemory(capacity);
    }
  }
  if (!buffer || !buffer->data) {
    delete buffer;
    Status health = device.health();
    std::lock_guard lock(mutex);
    counters.allocated -= capacity;
    if (!health.ok())
      return health;
    return error(TENSORC_RT_OUT_OF_MEMORY,
                 "%s: cannot allocate %zu bytes (%llu in use)", device.name(),
                 size, (unsigned long long)counters.allocated);
  }
  buffer->allocator = this;
  buffer->capacity = capacity;
  out = buffer;
  return Status();
}

/// The large block that was freed first, or null.
Buffer *Allocator::takeOldestLarge() {
  Buffer **at = &free[largeClass];
  if (!*at)
    return nullptr;
  while ((*at)->next)
    at = &(*at)->next;
  Buffer *oldest = *at;
  *at = nullptr;
  --largeBlocks;
  counters.cached -= oldest->capacity;
  return oldest;
}

/// Large blocks make room for what is freed now: that fits what is next.
void Allocator::recycle(Buffer &buffer) {
  Buffer *evicted = nullptr;
  {
    std::lock_guard lock(mutex);
    counters.allocated -= buffer.capacity;
    bool large = buffer.sizeClass == largeClass;
    auto isFull = [&] {
      return counters.cached + buffer.capacity >
                 std::max(counters.peak, minCache) ||
             (large && largeBlocks == maxLargeBlocks);
    };
    while (isFull()) {
      Buffer *oldest = takeOldestLarge();
      if (!oldest)
        break;
      oldest->next = evicted;
      evicted = oldest;
    }
    if (isFull()) {
      buffer.next = evicted;
      evicted = &buffer;
    } else {
      counters.cached += buffer.capacity;
      largeBlocks += large;
      buffer.next = free[buffer.sizeClass];
      free[buffer.sizeClass] = &buffer;
    }
  }
  freeList(evicted);
}

Buffer *Allocator::takeAll() {
  std::lock_guard lock(mutex);
  Buffer *all = nullptr;
  for (Buffer *&list : free)
    while (Buffer *buffer = list) {
      list = buffer->next;
      buffer->next = all;
      all = buffer;
    }
  largeBlocks = 0;
  counters.cached = 0;
  return all;
}

void Allocator::freeList(Buffer *list) {
  while (Buffer *buffer = list) {
    list = buffer->next;
    source.freeMemory(buffer->data, buffer->capacity);
    delete buffer;
  }
}

void Allocator::trim() {
  freeList(takeAll());
  source.trimSource();
}

void Allocator::setLimit(uint64_t bytes) {
  std::lock_guard lock(mutex);
  counters.limit = bytes;
}

void Allocator::resetPeak() {
  std::lock_guard lock(mutex);
  counters.peak = counters.allocated;
}

tensorc_rt_memory_stats Allocator::stats() const {
  std::lock_guard lock(mutex);
  return counters;
}
