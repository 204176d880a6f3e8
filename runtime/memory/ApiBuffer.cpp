//===- ApiBuffer.cpp - C interface: buffers -------------------------------===//
#include "runtime/core/Api.h"
#include "runtime/core/OutOfMemory.h"
#include "runtime/memory/Readiness.h"
#include "runtime/memory/Transfer.h"

using namespace tensorc::rt;

tensorc_rt_status *tensorc_rt_buffer_allocate(tensorc_rt_device *device,
                                              size_t size,
                                              tensorc_rt_buffer **out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(device, "no device"));
    Buffer *buffer = nullptr;
    TENSORC_RT_TRY(unwrap(device)->allocator.allocate(size, buffer));
    *out = buffer;
    return Status();
  });
}

tensorc_rt_status *tensorc_rt_buffer_wrap(tensorc_rt_device *device, void *data,
                                          size_t size,
                                          tensorc_rt_deleter deleter,
                                          void *user, tensorc_rt_buffer **out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(device, "no device"));
    TENSORC_RT_TRY(needs(data || !size, "no memory to wrap"));
    // Kernels of host-visible devices can read elements at any aligned address.
    bool anywhere = unwrap(device)->hostVisible();
    if (!anywhere && reinterpret_cast<uintptr_t>(data) % bufferAlignment)
      return error(TENSORC_RT_INVALID_ARGUMENT,
                   "cannot wrap memory at %p: it is not aligned to %zu bytes",
                   data, bufferAlignment);
    *out = wrapMemory(*unwrap(device), data, size, deleter, user);
    return Status();
  });
}

tensorc_rt_status *tensorc_rt_buffer_view(tensorc_rt_buffer *buffer,
                                          size_t offset, size_t size,
                                          tensorc_rt_buffer **out) {
  return guardOut(out, [&]() -> Status {
    TENSORC_RT_TRY(needs(buffer, "no buffer"));
    Buffer &whole = *unwrap(buffer);
    if (offset > whole.size || size > whole.size - offset)
      return error(TENSORC_RT_INVALID_ARGUMENT,
                   "a view of %zu bytes at %zu is outside a buffer of %zu",
                   size, offset, whole.size);
    TENSORC_RT_TRY(needs(offset % bufferAlignment == 0,
                         "a view's offset must be a multiple of 64"));
    *out = viewBuffer(whole, offset, size);
    return Status();
  });
}

void tensorc_rt_buffer_retain(tensorc_rt_buffer *buffer) {
  if (buffer)
    unwrap(buffer)->retain();
}

void tensorc_rt_buffer_release(tensorc_rt_buffer *buffer) {
  if (buffer)
    unwrap(buffer)->release();
}

uint32_t tensorc_rt_buffer_references(const tensorc_rt_buffer *buffer) {
  return buffer ? unwrap(buffer)->references() : 0;
}

int32_t tensorc_rt_buffer_is_exclusive(const tensorc_rt_buffer *buffer,
                                       tensorc_rt_stream *stream) {
  Stream *on = nullptr;
  return buffer && chooseStream(stream, *unwrap(buffer)->device, on).ok() &&
         unwrap(buffer)->isExclusive(on->id);
}

void *tensorc_rt_buffer_data(const tensorc_rt_buffer *buffer) {
  return buffer ? unwrap(buffer)->data : nullptr;
}

size_t tensorc_rt_buffer_size(const tensorc_rt_buffer *buffer) {
  return buffer ? unwrap(buffer)->size : 0;
}

tensorc_rt_device *tensorc_rt_buffer_device(const tensorc_rt_buffer *buffer) {
  return buffer ? unwrap(buffer)->device : nullptr;
}

int32_t tensorc_rt_buffer_query(const tensorc_rt_buffer *buffer) {
  return buffer &&
         (!unwrap(buffer)->written || unwrap(buffer)->written->reached());
}

tensorc_rt_status *tensorc_rt_buffer_synchronize(tensorc_rt_buffer *buffer) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(buffer, "no buffer"));
    return waitReady(*unwrap(buffer));
  });
}

tensorc_rt_status *tensorc_rt_buffer_written_on(tensorc_rt_buffer *buffer,
                                                tensorc_rt_stream *stream) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(buffer, "no buffer"));
    Stream *on = nullptr;
    TENSORC_RT_TRY(chooseStream(stream, *unwrap(buffer)->device, on));
    Buffer *written = unwrap(buffer);
    return markWritten(*on, {&written, 1});
  });
}

tensorc_rt_status *tensorc_rt_buffer_ready_on(tensorc_rt_buffer *buffer,
                                              tensorc_rt_stream *stream) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(buffer, "no buffer"));
    Stream *on = nullptr;
    TENSORC_RT_TRY(chooseStream(stream, *unwrap(buffer)->device, on));
    return awaitReady(*on, *unwrap(buffer));
  });
}

tensorc_rt_status *tensorc_rt_buffer_used_on(tensorc_rt_buffer *buffer,
                                             tensorc_rt_stream *stream) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(buffer, "no buffer"));
    Stream *on = nullptr;
    TENSORC_RT_TRY(chooseStream(stream, *unwrap(buffer)->device, on));
    if (on->isInline() || on->idle())
      return Status();
    std::vector<Buffer *> used = {unwrap(buffer)};
    used.front()->retain();
    on->retire(std::move(used), nullptr);
    return Status();
  });
}

void tensorc_rt_buffer_set_origin(tensorc_rt_buffer *buffer, const char *file,
                                  uint32_t line) {
  if (buffer)
    unwrap(buffer)->setOrigin(file, line);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static Status checkRange(const Buffer &buffer, size_t offset, size_t size) {
  if (offset > buffer.size || size > buffer.size - offset)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "%zu bytes at %zu are outside a buffer of %zu", size, offset,
                 buffer.size);
  return Status();
}

tensorc_rt_status *tensorc_rt_buffer_copy(tensorc_rt_buffer *target,
                                          size_t targetOffset,
                                          tensorc_rt_buffer *source,
                                          size_t sourceOffset, size_t size,
                                          tensorc_rt_stream *stream) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(target && source, "no buffer"));
    Buffer &to = *unwrap(target), &from = *unwrap(source);
    TENSORC_RT_TRY(checkRange(to, targetOffset, size));
    TENSORC_RT_TRY(checkRange(from, sourceOffset, size));
    if (to.device != from.device)
      return copyBetweenDevices({to, targetOffset}, {from, sourceOffset}, size,
                                unwrap(stream));
    Stream *on = nullptr;
    TENSORC_RT_TRY(chooseStream(stream, *to.device, on));
    Overwrite overwrite(to, targetOffset, size);
    TENSORC_RT_TRY(awaitReady(*on, from));
    TENSORC_RT_TRY(overwrite.begin(*on));
    std::vector<Buffer *> kept = keepAlive(*on, to, from);
    Status status = catchBadAlloc([&] {
      return on->copy(static_cast<char *>(to.data) + targetOffset,
                      static_cast<char *>(from.data) + sourceOffset, size,
                      CopyKind::DeviceToDevice);
    });
    if (!kept.empty())
      on->retire(std::move(kept), nullptr);
    return status.ok() ? overwrite.end(*on) : std::move(status);
  });
}

tensorc_rt_status *tensorc_rt_buffer_write(tensorc_rt_buffer *target,
                                           size_t offset, const void *data,
                                           size_t size,
                                           tensorc_rt_stream *stream) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(target && (data || !size), "no buffer or no data"));
    Buffer &to = *unwrap(target);
    TENSORC_RT_TRY(checkRange(to, offset, size));
    Stream *on = nullptr;
    TENSORC_RT_TRY(chooseStream(stream, *to.device, on));
    Overwrite overwrite(to, offset, size);
    TENSORC_RT_TRY(overwrite.begin(*on));
    std::vector<Buffer *> kept = {&to}; // Allocated before the work is queued.
    TENSORC_RT_TRY(
        on->write(static_cast<char *>(to.data) + offset, data, size));
    if (on->isInline() || on->idle())
      return overwrite.finish(), Status();
    // The copy may still be running; until it ends, the memory must not be
    // reused.
    to.retain();
    on->retire(std::move(kept), nullptr);
    return overwrite.end(*on);
  });
}

tensorc_rt_status *tensorc_rt_buffer_read(tensorc_rt_buffer *source,
                                          size_t offset, void *data,
                                          size_t size,
                                          tensorc_rt_stream *stream) {
  return guard([&]() -> Status {
    TENSORC_RT_TRY(needs(source && (data || !size), "no buffer or no data"));
    Buffer &from = *unwrap(source);
    TENSORC_RT_TRY(checkRange(from, offset, size));
    Stream *on = nullptr;
    TENSORC_RT_TRY(chooseStream(stream, *from.device, on));
    TENSORC_RT_TRY(awaitReady(*on, from));
    return on->read(data, static_cast<char *>(from.data) + offset, size);
  });
}
