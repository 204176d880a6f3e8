//===- CpuStream.cpp - does work on the calling thread --------------------===//
#include "runtime/drivers/cpu/CpuStream.h"

#include "runtime/core/HostMemory.h"
#include "runtime/core/Trace.h"
#include "runtime/core/threads/Threads.h"

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

static void runKernel(void *context, int64_t begin, int64_t end, int32_t slot) {
  const auto &split = *static_cast<const Split *>(context);
  auto kernel =
      reinterpret_cast<CpuKernel>(const_cast<void *>(split.launch.kernel));
  kernel(split.launch.args, begin, end,
         split.scratch ? split.scratch + slot * split.scratchStride : nullptr);
}

Status CpuStream::launch(const Launch &launch) {
  int32_t threads = threadsFor(launch.extent, launch.grain, numThreads());
  BufferOwner scratch;
  int64_t stride = 0;
  TENSORC_RT_TRY(prepareRange(launch, threads, scratch, stride));
  LaunchHook hook = launchHook();
  int64_t begin = hook ? now() : 0;
  Split split{launch,
              scratch.buffer ? static_cast<char *>(scratch.buffer->data)
                             : nullptr,
              stride};
  parallelRanges(launch.extent, launch.grain, threads, runKernel, &split);
  return traceLaunch(hook, device, launch, begin, threads);
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
