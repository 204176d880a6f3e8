//===- Allocator.h - a device's memory, with a cache of blocks --*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_ALLOCATOR_H
#define TENSORC_RUNTIME_CORE_ALLOCATOR_H

#include "runtime/core/Buffer.h"
#include "runtime/core/Status.h"
#include "runtime/core/blocks/BlocksInUse.h"

#include <atomic>
#include <mutex>
#include <string>

namespace tensorc::rt {

/// Source of an allocator's blocks, implemented by a driver.
class MemorySource {
public:
  virtual ~MemorySource() = default;
  /// The device's name, for messages.
  virtual const char *name() const = 0;
  /// Returns the free bytes, counting other processes, and the total.
  virtual Status memoryInfo(uint64_t &free, uint64_t &total) = 0;
  /// Returns `bytes` bytes, aligned to at least 64, or null.
  virtual void *allocateMemory(size_t bytes) = 0;
  virtual void freeMemory(void *data, size_t bytes) = 0;
  /// True if blocks are host memory, which can have guards around them.
  virtual bool usesHostMemory() const { return false; }
  /// Releases buffers whose last use is finished but which have not been
  /// released yet. With `wait`, also waits for unfinished uses. The caller must
  /// not hold a lock.
  virtual void reclaim(bool wait) { (void)wait; }
  /// Returns the source's own cached memory to the system.
  virtual void trimSource() {}
};

/// Caches freed blocks by size class, so that a program that runs again gets
/// its memory at the cost of a lock. Size classes differ by at most an eighth,
/// so rounding up wastes little. A block that a stream still uses is available
/// to that stream at once, and to others when its work is done. An allocation
/// waits for streams only if the device has no free memory.
class Allocator final : public BlockOwner {
public:
  Allocator(Device &device, MemorySource &source);
  ~Allocator() override;
  Allocator(const Allocator &) = delete;

  /// Lock and unlock all allocators around a fork. The process lock for
  /// allocators is held.
  static void lockAll();
  static void unlockAll();

  /// Allocates a buffer with one reference. `stream` is the id of the stream
  /// whose work uses it first, or 0 for any.
  Status allocate(size_t size, Buffer *&out, uint64_t stream = 0);
  /// Frees the cached blocks. Waits for streams that use some of them.
  void trim();
  void recycle(Buffer &block) override;
  void noteUse(Buffer &block, uint64_t stream,
               const std::shared_ptr<Mark> &mark) override;
  uint32_t countUses(Buffer &block) override;
  bool isUsedByOthers(Buffer &block, uint64_t stream) override;

  void setLimit(uint64_t bytes);
  /// Returns OUT_OF_MEMORY if allocations of `bytes` bytes in total would pass
  /// the limit. `who` will allocate them.
  Status checkLimit(uint64_t bytes, const char *who);
  void resetPeak();
  tensorc_rt_memory_stats stats() const;
  /// Records the times of allocations, and the last `blocks` released blocks.
  /// May throw std::bad_alloc.
  void recordReleases(uint32_t blocks);
  /// Returns the facts of all blocks. May throw std::bad_alloc.
  MemorySnapshot snapshot();

private:
  static constexpr uint32_t numClasses = 112;
  static constexpr uint32_t largeClass = numClasses;
  static constexpr unsigned maxLargeBlocks = 256;

  static uint32_t classOf(size_t size, size_t &capacity);
  /// True if blocks have guards. Such blocks are not cached, so that a use
  /// after free faults.
  bool isGuarded() const;
  Status allocateOnce(size_t size, Buffer *&out, uint64_t stream);
  std::string largestLive() const;
  Status noMemory(size_t size) const;
  static void dropReached(Buffer &block);
  static bool mayTake(Buffer &block, uint64_t stream, unsigned &polls);
  Buffer *takeCached(uint32_t sizeClass, size_t capacity, uint64_t stream);
  Buffer *takeOldestLarge();
  Status allocateNew(size_t size, size_t capacity, Buffer *&out);
  Status checkLimit(size_t size, size_t capacity) const;
  Buffer *takeAll(bool pendingToo);
  void freeList(Buffer *list);

  Device &device;
  MemorySource &source;
  mutable std::mutex mutex;
  static Allocator *all; // a list, under the process lock for allocators
  Allocator *next;
  Buffer *free[numClasses + 1] = {};
  BlocksInUse inUse;
  unsigned largeBlocks = 0;
  tensorc_rt_memory_stats counters = {};

public:
  std::atomic<bool> isLimited{false}; // true if counters.limit is not 0
};

} // namespace tensorc::rt

#endif
