//===- Buffer.cpp - reference-counted device memory -----------------------===//
#include "runtime/core/Buffer.h"

#include "runtime/core/Callback.h"

using namespace tensorc::rt;

void Buffer::destroy() {
  if (allocator) {
    allocator->recycle(*this);
    return;
  }
  Buffer *held = parent;
  if (deleter)
    // A release cannot fail, so exceptions of deleters are ignored.
    (void)callEmbedder("a deleter", [&] {
      deleter(user, data);
      return Status();
    });
  delete this;
  if (held)
    held->release();
}

void Buffer::setOrigin(const char *newFile, uint32_t newLine) {
  whole()->origin.line.store(newLine, std::memory_order_relaxed);
  whole()->origin.file.store(newFile, std::memory_order_release);
}

uint32_t Buffer::references() const {
  uint32_t held = refs.load(std::memory_order_acquire);
  Buffer &block = *const_cast<Buffer *>(this)->whole();
  return held + (block.allocator ? block.allocator->countUses(block) : 0);
}

bool Buffer::isExclusive(uint64_t stream) const {
  return isBlock() && hasOneReference() &&
         !allocator->isUsedByOthers(*const_cast<Buffer *>(this), stream);
}

void Buffer::noteUse(uint64_t stream, const std::shared_ptr<Mark> &mark) {
  whole()->allocator->noteUse(*whole(), stream, mark);
}

Buffer *tensorc::rt::wrapMemory(Device &device, void *data, size_t size,
                                tensorc_rt_deleter deleter, void *user) {
  auto *buffer = new Buffer(device, data, size);
  buffer->deleter = deleter;
  buffer->user = user;
  return buffer;
}

Buffer *tensorc::rt::viewBuffer(Buffer &parent, size_t offset, size_t size) {
  auto *buffer = new Buffer(*parent.device,
                            static_cast<char *>(parent.data) + offset, size);
  buffer->written = parent.written;
  buffer->writer = parent.writer;
  buffer->parent = &parent;
  parent.retain();
  return buffer;
}
