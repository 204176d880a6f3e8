//===- Buffer.h - reference-counted device memory ---------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_BUFFER_H
#define TENSORC_RUNTIME_CORE_BUFFER_H

#include "tensorc/runtime.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

struct tensorc_rt_buffer {};

namespace tensorc::rt {

class Allocator;
class Buffer;
class Device;
class Mark;

/// Owner of blocks of memory. Implemented by the allocator.
class BlockOwner {
public:
  virtual ~BlockOwner() = default;
  /// Takes back a block that has no references any more.
  virtual void recycle(Buffer &block) = 0;
  /// See Buffer::noteUse and Buffer::references.
  virtual void noteUse(Buffer &block, uint64_t stream,
                       const std::shared_ptr<Mark> &mark) = 0;
  virtual uint32_t countUses(Buffer &block) = 0;
  /// True if another stream may still be using the block.
  virtual bool isUsedByOthers(Buffer &block, uint64_t stream) = 0;
};

/// A block of an allocator, memory that the caller owns, or a view of another
/// buffer. Allocators recycle the Buffer object together with its memory.
class Buffer final : public tensorc_rt_buffer {
public:
  Buffer(Device &device, void *data, size_t size)
      : data(data), size(size), device(&device) {}
  Buffer(const Buffer &) = delete;

  void retain() { refs.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (refs.fetch_sub(1, std::memory_order_acq_rel) == 1)
      destroy();
  }
  /// True if the bytes belong to a block of an allocator.
  bool isPooled() const {
    return parent ? parent->isPooled() : allocator != nullptr;
  }
  /// True if the buffer is a whole block of an allocator.
  bool isBlock() const { return !parent && allocator; }
  /// Number of references, plus the number of streams whose work on the bytes
  /// is not finished.
  uint32_t references() const;
  /// True if the caller has the only reference. Streams may still use the bytes.
  bool hasOneReference() const {
    return refs.load(std::memory_order_acquire) == 1;
  }
  /// True if the buffer is a whole block with one reference and no stream but
  /// this one uses it.
  bool isExclusive(uint64_t stream) const;
  /// Records that the stream's work up to the mark may use the bytes of this
  /// block. The block may then be freed without waiting: its allocator keeps it
  /// from other streams until the mark is reached. May throw std::bad_alloc.
  void noteUse(uint64_t stream, const std::shared_ptr<Mark> &mark);

  void *data;
  size_t size;
  Device *device;

  /// Sets the source location for messages. The string lives as long as the
  /// process.
  void setOrigin(const char *file, uint32_t line);
  /// The mark after the work of the stream that first writes the buffer. It is
  /// set before other threads can access the buffer.
  std::shared_ptr<Mark> written;
  uint64_t writer = 0; // the stream's id

private:
  friend class Allocator;
  friend class BlocksInUse;
  friend Buffer *wrapMemory(Device &, void *, size_t, tensorc_rt_deleter,
                            void *);
  friend Buffer *viewBuffer(Buffer &, size_t, size_t);
  void destroy();
  Buffer *whole() {
    Buffer *buffer = this;
    while (buffer->parent)
      buffer = buffer->parent;
    return buffer;
  }

  struct Use {
    uint64_t stream; // its id
    std::shared_ptr<Mark> mark;
  };
  // One use for each stream; guarded by the allocator's lock.
  std::vector<Use> uses;

  std::atomic<uint32_t> refs{1};
  uint32_t sizeClass = 0;          // size class in the allocator
  BlockOwner *allocator = nullptr; // set for blocks
  size_t capacity = 0;
  // Neighbours in the allocator's list of free blocks or of blocks in use.
  Buffer *next = nullptr, *previous = nullptr;
  /// Place in the user's program, and time of the allocation if the allocator
  /// records it.
  struct Origin {
    std::atomic<const char *> file{nullptr};
    std::atomic<uint32_t> line{0};
    int64_t time = 0;
  };
  Origin origin;
  // The buffer that a view refers to; the view holds a reference.
  Buffer *parent = nullptr;
  tensorc_rt_deleter deleter = nullptr;
  void *user = nullptr;
};

/// Returns a buffer over memory that the caller owns. May throw std::bad_alloc.
Buffer *wrapMemory(Device &device, void *data, size_t size,
                   tensorc_rt_deleter deleter, void *user);
/// Returns a view of a part of a buffer. The caller has checked the bounds. May
/// throw std::bad_alloc.
Buffer *viewBuffer(Buffer &parent, size_t offset, size_t size);

/// Owns one reference and drops it at the end of the scope.
struct BufferOwner {
  BufferOwner() = default;
  BufferOwner(const BufferOwner &) = delete;
  ~BufferOwner() {
    if (buffer)
      buffer->release();
  }
  Buffer *buffer = nullptr;
};

inline Buffer *unwrap(tensorc_rt_buffer *buffer) {
  return static_cast<Buffer *>(buffer);
}
inline const Buffer *unwrap(const tensorc_rt_buffer *buffer) {
  return static_cast<const Buffer *>(buffer);
}

} // namespace tensorc::rt

#endif
