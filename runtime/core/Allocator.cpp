//===- Allocator.cpp - a device's memory, with a cache of blocks ----------===//
#include "runtime/core/Allocator.h"

#include "runtime/abi/BlockSizes.h"
#include "runtime/abi/Format.h"
#include "runtime/core/check/Checks.h"
#include "runtime/core/streams/Mark.h"
#include "runtime/core/streams/StreamThread.h"
#include "runtime/core/threads/Fork.h"

#include <algorithm>
#include <bit>
#include <new>

using namespace tensorc::rt;

/// Minimum of the limit on cached bytes.
static constexpr uint64_t minCache = uint64_t(64) << 20;
/// Maximum number of blocks whose unfinished work one allocation polls.
static constexpr unsigned maxPolls = 16;

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
  capacity = blockBytes(size);
  if (capacity <= smallBlockLimit)
    return static_cast<uint32_t>(capacity / bufferAlignment);
  if (size > largeBlockLimit)
    return largeClass;
  unsigned log = std::bit_width(size - 1) - 1;
  size_t step = size_t(1) << (log - 3);
  auto eighth = static_cast<uint32_t>((capacity - (size_t(1) << log)) / step);
  constexpr unsigned smallLog = 10,
                     firstClass = smallBlockLimit / bufferAlignment;
  return firstClass + (log - smallLog) * 8 + eighth;
}

bool Allocator::isGuarded() const {
  return checks().memory && source.usesHostMemory();
}

//===----------------------------------------------------------------------===//
// Streams that still work on a block
//===----------------------------------------------------------------------===//

void Allocator::dropReached(Buffer &block) {
  std::erase_if(block.uses,
                [](Buffer::Use &use) { return use.mark->reached(); });
}

void Allocator::noteUse(Buffer &block, uint64_t stream,
                        const std::shared_ptr<Mark> &mark) {
  std::lock_guard lock(mutex);
  for (Buffer::Use &use : block.uses)
    if (use.stream == stream) {
      use.mark = mark;
      return;
    }
  dropReached(block);
  block.uses.push_back({stream, mark});
}

uint32_t Allocator::countUses(Buffer &block) {
  std::lock_guard lock(mutex);
  dropReached(block);
  return static_cast<uint32_t>(block.uses.size());
}

bool Allocator::isUsedByOthers(Buffer &block, uint64_t stream) {
  std::lock_guard lock(mutex);
  unsigned polls = 1;
  return !mayTake(block, stream, polls);
}

/// True if new work of the stream may use the block because no other stream
/// still uses it. Decrements `polls` if it polls the block's marks.
bool Allocator::mayTake(Buffer &block, uint64_t stream, unsigned &polls) {
  auto isOurs = [&](const Buffer::Use &use) { return use.stream == stream; };
  if (std::all_of(block.uses.begin(), block.uses.end(), isOurs))
    return true;
  if (!polls)
    return false;
  --polls;
  dropReached(block);
  return std::all_of(block.uses.begin(), block.uses.end(), isOurs);
}

/// Takes a cached block of the class: the most recently freed one, or among
/// large blocks the smallest one that wastes at most a quarter, and nothing
/// under a limit. Returns null if there is none.
Buffer *Allocator::takeCached(uint32_t sizeClass, size_t capacity,
                              uint64_t stream) {
  bool large = sizeClass == largeClass;
  size_t maxCapacity = capacity + (counters.limit ? 0 : capacity / 4);
  unsigned polls = maxPolls;
  Buffer **best = nullptr;
  for (Buffer **at = &free[sizeClass]; *at; at = &(*at)->next) {
    Buffer &block = **at;
    bool fits = !large ||
                (block.capacity >= capacity && block.capacity <= maxCapacity &&
                 (!best || block.capacity < (*best)->capacity));
    if (!fits || !mayTake(block, stream, polls))
      continue;
    best = at;
    if (!large)
      break;
  }
  if (!best)
    return nullptr;
  Buffer *block = *best;
  *best = block->next;
  block->uses.clear();
  largeBlocks -= large;
  return block;
}

Status Allocator::checkLimit(size_t size, size_t capacity) const {
  if (!counters.limit || counters.allocated + capacity <= counters.limit)
    return Status();
  return error(TENSORC_RT_OUT_OF_MEMORY,
               "%s: allocating %zu bytes would pass the limit of %llu (%llu "
               "in use)",
               source.name(), size, (unsigned long long)counters.limit,
               (unsigned long long)counters.allocated);
}

Status Allocator::allocate(size_t size, Buffer *&out, uint64_t stream) {
  out = nullptr;
  constexpr size_t maxSize = size_t(1) << 62;
  if (size > maxSize)
    return error(TENSORC_RT_OUT_OF_MEMORY, "%s: cannot allocate %zu bytes",
                 source.name(), size);
  source.reclaim(/*wait=*/false);
  Status status = allocateOnce(size, out, stream);
  if (tensorc_rt_status_code(status.get()) != TENSORC_RT_OUT_OF_MEMORY)
    return status;
  // Waits for freed memory that streams still use, frees the cache, and tries
  // again.
  source.reclaim(/*wait=*/true);
  trim();
  status = allocateOnce(size, out, stream);
  if (tensorc_rt_status_code(status.get()) != TENSORC_RT_OUT_OF_MEMORY)
    return status;
  try {
    std::string live = largestLive();
    return error(TENSORC_RT_OUT_OF_MEMORY, "%s%s",
                 tensorc_rt_status_message(status.get()), live.c_str());
  } catch (const std::bad_alloc &) {
    return status;
  }
}

Status Allocator::allocateOnce(size_t size, Buffer *&out, uint64_t stream) {
  bool guarded = isGuarded();
  size_t capacity = size;
  uint32_t sizeClass = guarded ? largeClass : classOf(size, capacity);
  {
    std::lock_guard lock(mutex);
    TENSORC_RT_TRY(checkLimit(size, capacity));
    ++counters.allocations;
    if (!guarded)
      out = takeCached(sizeClass, capacity, stream);
    if (out) {
      ++counters.cache_hits;
      counters.cached -= out->capacity;
      capacity = out->capacity;
      out->size = size; // read by snapshot(), which holds the lock
      inUse.add(*out);
    }
    // Counts the bytes before the memory is allocated, so that several threads
    // together cannot exceed the limit.
    counters.allocated += capacity;
    if (out)
      counters.peak = std::max(counters.peak, counters.allocated);
  }
  if (!out) {
    TENSORC_RT_TRY(allocateNew(size, capacity, out));
    out->sizeClass = sizeClass;
  }
  out->refs.store(1, std::memory_order_relaxed);
  return Status();
}

Status Allocator::allocateNew(size_t size, size_t capacity, Buffer *&out) {
  auto *buffer = new (std::nothrow) Buffer(device, nullptr, size);
  if (buffer)
    buffer->data = source.allocateMemory(capacity);
  if (!buffer || !buffer->data) {
    delete buffer;
    {
      std::lock_guard lock(mutex);
      counters.allocated -= capacity;
      --counters.allocations;
    }
    return noMemory(size);
  }
  buffer->allocator = this;
  buffer->capacity = capacity;
  out = buffer;
  std::lock_guard lock(mutex);
  inUse.add(*buffer);
  counters.peak = std::max(counters.peak, counters.allocated);
  return Status();
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

Status Allocator::noMemory(size_t size) const {
  uint64_t free = 0, total = 0;
  // If the device is lost, this also fails, but its error states the reason.
  TENSORC_RT_TRY(source.memoryInfo(free, total));
  return error(TENSORC_RT_OUT_OF_MEMORY,
               "%s: cannot allocate %zu bytes: %llu of %llu are free (%llu in "
               "use by this process)",
               source.name(), size, (unsigned long long)free,
               (unsigned long long)total,
               (unsigned long long)stats().allocated);
}

std::string Allocator::largestLive() const {
  std::lock_guard lock(mutex);
  return inUse.largest();
}

void Allocator::recordReleases(uint32_t blocks) {
  std::lock_guard lock(mutex);
  inUse.record(blocks);
}

MemorySnapshot Allocator::snapshot() {
  std::lock_guard lock(mutex);
  MemorySnapshot all;
  all.stats = counters;
  all.released = inUse.released();
  all.blocks = inUse.blocks();
  for (Buffer *list : free)
    for (Buffer *block = list; block; block = block->next) {
      dropReached(*block);
      BlockFacts facts;
      facts.bytes = block->capacity;
      facts.state = block->uses.empty() ? BlockFacts::State::Cached
                                        : BlockFacts::State::Pending;
      all.blocks.push_back(facts);
    }
  return all;
}

//===----------------------------------------------------------------------===//
// The cache
//===----------------------------------------------------------------------===//

/// Takes the large block that was freed first out of the cache. Returns null if
/// streams still use it, because the system must not get the memory back before
/// they finish.
Buffer *Allocator::takeOldestLarge() {
  Buffer **at = &free[largeClass];
  if (!*at)
    return nullptr;
  while ((*at)->next)
    at = &(*at)->next;
  unsigned polls = 1;
  if (!mayTake(**at, 0, polls))
    return nullptr;
  Buffer *oldest = *at;
  *at = nullptr;
  --largeBlocks;
  counters.cached -= oldest->capacity;
  return oldest;
}

/// Caches a freed block. Evicts older large blocks, as the newest one is most
/// likely to fit the next allocations. Blocks that streams still use stay
/// beyond the limit.
void Allocator::recycle(Buffer &buffer) {
  Buffer *evicted = nullptr;
  buffer.written.reset();
  buffer.writer = 0;
  {
    std::lock_guard lock(mutex);
    inUse.remove(buffer);
    counters.allocated -= buffer.capacity;
    bool large = buffer.sizeClass == largeClass;
    bool guarded = isGuarded();
    auto isFull = [&] {
      return guarded ||
             counters.cached + buffer.capacity >
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
    dropReached(buffer);
    if (isFull() && buffer.uses.empty()) {
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

/// Removes all blocks from the cache. Blocks that streams still use are removed
/// only with `pendingToo`.
Buffer *Allocator::takeAll(bool pendingToo) {
  std::lock_guard lock(mutex);
  Buffer *all = nullptr;
  for (Buffer *&list : free)
    for (Buffer **at = &list; *at;) {
      Buffer *buffer = *at;
      dropReached(*buffer);
      if (!pendingToo && !buffer->uses.empty()) {
        at = &buffer->next;
        continue;
      }
      *at = buffer->next;
      buffer->next = all;
      all = buffer;
      largeBlocks -= buffer->sizeClass == largeClass;
      counters.cached -= buffer->capacity;
    }
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
  // A stream's thread must not wait for streams.
  Buffer *list = takeAll(/*pendingToo=*/!isStreamThread());
  for (Buffer *block = list; block; block = block->next)
    for (Buffer::Use &use : block->uses)
      (void)use.mark->wait(); // the stream reports its error
  freeList(list);
  source.trimSource();
}

void Allocator::setLimit(uint64_t bytes) {
  std::lock_guard lock(mutex);
  counters.limit = bytes;
  isLimited = bytes != 0;
}

Status Allocator::checkLimit(uint64_t bytes, const char *who) {
  auto isWithin = [&] {
    std::lock_guard lock(mutex);
    return !counters.limit || counters.allocated + bytes <= counters.limit;
  };
  if (isWithin())
    return Status();
  // As in allocate(), waits for freed memory that streams still use.
  source.reclaim(/*wait=*/true);
  if (isWithin())
    return Status();
  tensorc_rt_memory_stats now = stats();
  return error(TENSORC_RT_OUT_OF_MEMORY,
               "%s: the %llu bytes that %s allocates would pass the limit of "
               "%llu (%llu in use)%s",
               source.name(), (unsigned long long)bytes, who,
               (unsigned long long)now.limit, (unsigned long long)now.allocated,
               largestLive().c_str());
}

void Allocator::resetPeak() {
  std::lock_guard lock(mutex);
  counters.peak = counters.allocated;
}

tensorc_rt_memory_stats Allocator::stats() const {
  std::lock_guard lock(mutex);
  // `allocated` may count an allocation in progress, which `counters.peak` counts
  // only after it has succeeded.
  tensorc_rt_memory_stats now = counters;
  now.peak = std::max(now.peak, now.allocated);
  return now;
}
