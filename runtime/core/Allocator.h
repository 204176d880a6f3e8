//===- Allocator.h - a device's memory, with a cache of blocks --*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_ALLOCATOR_H
#define TENSORC_RUNTIME_CORE_ALLOCATOR_H

#include "runtime/core/Buffer.h"
#include "runtime/core/Status.h"

#include <mutex>
#include <string>

namespace tensorc::rt {

/// Where an allocator's blocks come from; a driver implements it.
class MemorySource {
public:
  virtual ~MemorySource() = default;
  /// `bytes` aligned to at least 64, or null.
  virtual void *allocateMemory(size_t bytes) = 0;
  virtual void freeMemory(void *data, size_t bytes) = 0;
  /// Whether blocks are the host's, which can have guards around them.
  virtual bool usesHostMemory() const { return false; }
  /// Releases buffers whose last use is done but that nobody has noticed yet;
  /// with `wait`, also those whose use goes on. Never with a lock held.
  virtual void reclaim(bool wait) { (void)wait; }
  /// Gives what the source itself keeps back to the system.
  virtual void trimSource() {}
};

/// Freed blocks wait, sorted by size class, for the next allocation: a program
/// that runs again gets its memory for the price of a lock. Classes are at
/// most an eighth apart, so rounding wastes little. A block that streams still
/// work on is there at once for the one stream that does, and for others when
/// the work is done; nobody waits for that while the device has memory.
class Allocator {
public:
  Allocator(Device &device, MemorySource &source);
  ~Allocator();
  Allocator(const Allocator &) = delete;

  /// Around a fork, with the process' lock for allocators held.
  static void lockAll();
  static void unlockAll();

  /// A buffer with one reference, which only this stream's work touches first
  /// (its id), or anybody's: 0.
  Status allocate(size_t size, Buffer *&out, uint64_t stream = 0);
  /// Takes back a block without references.
  void recycle(Buffer &buffer);
  /// Frees the cached blocks; waits for streams that work on some.
  void trim();
  /// See Buffer::noteUse and Buffer::references.
  void noteUse(Buffer &block, uint64_t stream,
               const std::shared_ptr<Mark> &mark);
  uint32_t countUses(Buffer &block);
  /// Whether a stream but this one may still be at work on the block.
  bool isUsedByOthers(Buffer &block, uint64_t stream);

  void setLimit(uint64_t bytes);
  void resetPeak();
  tensorc_rt_memory_stats stats() const;

private:
  static constexpr uint32_t numClasses = 112;
  static constexpr uint32_t largeClass = numClasses;
  static constexpr unsigned maxLargeBlocks = 256;

  static uint32_t classOf(size_t size, size_t &capacity);
  /// Whether blocks end where their guards begin. Then none is kept for another
  /// use, so that a use after the last reference faults.
  bool isGuarded() const;
  Status allocateOnce(size_t size, Buffer *&out, uint64_t stream);
  void link(Buffer &buffer);
  void unlink(Buffer &buffer);
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
  static Allocator *all; // a list, under the process' lock for allocators
  Allocator *next;
  Buffer *free[numClasses + 1] = {};
  Buffer *live = nullptr; // blocks in use
  unsigned largeBlocks = 0;
  tensorc_rt_memory_stats counters = {};
};

} // namespace tensorc::rt

#endif
