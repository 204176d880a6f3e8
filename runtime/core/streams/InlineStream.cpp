//===- InlineStream.cpp - a stream that works on the calling thread -------===//
#include "runtime/core/streams/InlineStream.h"

#include "runtime/abi/BlockSizes.h"
#include "runtime/core/check/Checks.h"
#include "runtime/core/streams/Event.h"

using namespace tensorc::rt;

Status InlineStream::record(std::shared_ptr<Mark> &mark) {
  auto host = std::make_shared<HostMark>();
  host->reach();
  mark = std::move(host);
  return Status();
}

void InlineStream::retire(std::vector<Buffer *> buffers,
                          std::shared_ptr<const void>) {
  for (Buffer *buffer : buffers)
    buffer->release();
}

Status InlineStream::prepareRange(const Launch &launch, int32_t threads,
                                  Allocator &memory, BufferOwner &scratch,
                                  int64_t &stride) {
  if (launch.block)
    return error(TENSORC_RT_UNSUPPORTED,
                 "%s is for blocks of %u threads: %s runs ranges", launch.name,
                 launch.block, device.name());
  stride = 0;
  if (launch.scratch == 0)
    return Status();
  int64_t bytes = 0;
  // Poison after each thread's part reveals writes beyond its end.
  int64_t more =
      scratchAlignment - 1 + (checks().memory ? scratchAlignment : 0);
  if (__builtin_add_overflow(launch.scratch, more, &stride) ||
      __builtin_mul_overflow(stride &= -scratchAlignment, threads, &bytes))
    return error(TENSORC_RT_OUT_OF_MEMORY, "%s: scratch of %lld bytes",
                 launch.name, (long long)launch.scratch);
  return memory.allocate(static_cast<size_t>(bytes), scratch.buffer);
}
