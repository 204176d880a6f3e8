//===- CpuStream.cpp - does work on the calling thread --------------------===//
#include "runtime/drivers/cpu/CpuStream.h"

#include "runtime/core/Event.h"
#include "runtime/core/HostMemory.h"
#include "runtime/core/Threads.h"
#include "runtime/core/Trace.h"

#include <algorithm>
#include <cstring>

using namespace tensorc::rt;

namespace {
/// A launch that several threads work on.
struct Split {
  const Launch &launch;
  char *scratch;
  int64_t scratchStride;
};
} // namespace

/// Threads' scratch does not share pages that hardware prefetches together.
static constexpr int64_t scratchAlignment = 128;

static void runKernel(void *context, int64_t begin, int64_t end, int32_t slot) {
  const auto &split = *static_cast<const Split *>(context);
  auto kernel =
      reinterpret_cast<CpuKernel>(const_cast<void *>(split.launch.kernel));
  kernel(split.launch.args, begin, end,
         split.scratch ? split.scratch + slot * split.scratchStride : nullptr);
}

Status CpuStream::launch(const Launch &launch) {
  if (launch.block)
    return error(TENSORC_RT_UNSUPPORTED,
                 "%s is for blocks of %u threads: the cpu runs ranges",
                 launch.name, launch.block);
  int32_t threads = threadsFor(launch.extent, launch.grain, numThreads());
  BufferOwner scratch;
  int64_t stride = 0, bytes = 0;
  if (launch.scratch > 0) {
    if (__builtin_add_overflow(launch.scratch, scratchAlignment - 1, &stride) ||
        __builtin_mul_overflow(stride &= -scratchAlignment, threads, &bytes))
      return error(TENSORC_RT_OUT_OF_MEMORY, "%s: scratch of %lld bytes",
                   launch.name, (long long)launch.scratch);
    TENSORC_RT_TRY(
        device.allocator.allocate(static_cast<size_t>(bytes), scratch.buffer));
  }
  const LaunchHook *hook = launchHook();
  int64_t begin = hook ? now() : 0;
  Split split{launch,
              scratch.buffer ? static_cast<char *>(scratch.buffer->data)
                             : nullptr,
              stride};
  parallelRanges(launch.extent, launch.grain, threads, runKernel, &split);
  if (hook)
    traceLaunch(hook, device, launch, begin, threads);
  return Status();
}

Status CpuStream::copy(void *target, const void *source, size_t size,
                       CopyKind kind) {
  // A program may pass overlapping views; that is its bug, not a crash.
  if (size)
    std::memmove(target, source, size);
  return Status();
}

Status CpuStream::fill(void *target, uint64_t pattern, uint32_t width,
                       size_t size) {
  fillHostMemory(target, pattern, width, size);
  return Status();
}

Status CpuStream::record(std::shared_ptr<Mark> &mark) {
  auto host = std::make_shared<HostMark>();
  host->reach();
  mark = std::move(host);
  return Status();
}

void CpuStream::retire(std::vector<Buffer *> buffers,
                       std::shared_ptr<const void> keep) {
  for (Buffer *buffer : buffers)
    buffer->release();
}
