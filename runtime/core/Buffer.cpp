//===- Buffer.cpp - reference-counted device memory -----------------------===//
#include "runtime/core/Buffer.h"

#include "runtime/core/Allocator.h"
#include "runtime/core/Callback.h"

using namespace tensorc::rt;

void Buffer::destroy() {
  if (allocator) {
    allocator->recycle(*this);
    return;
  }
  Buffer *whole = parent;
  if (deleter)
    // A release cannot fail, so what a deleter throws is lost.
    (void)callEmbedder("a deleter", [&] {
      deleter(user, data);
      return Status();
    });
  delete this;
  if (whole)
    whole->release();
}

void Buffer::setOrigin(const char *newFile, uint32_t newLine) {
  Buffer *whole = this;
  while (whole->parent)
    whole = whole->parent;
  whole->line.store(newLine, std::memory_order_relaxed);
  whole->file.store(newFile, std::memory_order_release);
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
