//===- CpuStream.cpp - executes work on the calling thread ----------------===//
#include "runtime/drivers/cpu/CpuStream.h"

#include "runtime/core/HostMemory.h"
#include "runtime/core/Trace.h"
#include "runtime/core/check/Checks.h"
#include "runtime/core/check/Faults.h"
#include "runtime/core/check/GuardedMemory.h"
#include "runtime/core/threads/Threads.h"

#include <algorithm>
#include <cstring>

using namespace tensorc::rt;

namespace {
/// A launch that is split among several threads.
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
  FaultScope scope(split.launch, /*isHost=*/true);
  kernel(split.launch.args, begin, end,
         split.scratch ? split.scratch + slot * split.scratchStride : nullptr);
}

/// Checks for stray writes of a kernel around its buffers and between its
/// threads' scratch.
static Status verifyMemory(const Launch &launch, const Split &split,
                           int32_t threads) {
  auto *buffers = reinterpret_cast<const char *const *>(launch.args);
  TENSORC_RT_TRY(verifyRedZones(launch, {buffers, launch.arity}));
  bool hasPoison =
      split.scratch &&
      isPoisoned(static_cast<size_t>(split.scratchStride * threads));
  for (int32_t slot = 0; hasPoison && slot < threads; ++slot)
    TENSORC_RT_TRY(verifyPoison(
        launch, split.scratch + slot * split.scratchStride + launch.scratch,
        split.scratch + (slot + 1) * split.scratchStride));
  return Status();
}

int32_t CpuStream::threads() const {
  return std::max(numThreads() / devices, 1);
}

Status CpuStream::launch(const Launch &launch) {
  int32_t threads = threadsFor(launch.extent, launch.grain, this->threads());
  BufferOwner scratch;
  int64_t stride = 0;
  TENSORC_RT_TRY(
      prepareRange(launch, threads, device.allocator, scratch, stride));
  LaunchHook hook = launchHook();
  LaunchTime begin = beginLaunch(hook);
  Split split{launch,
              scratch.buffer ? static_cast<char *>(scratch.buffer->data)
                             : nullptr,
              stride};
  parallelRanges(launch.extent, launch.grain, threads, runKernel, &split);
  TENSORC_RT_TRY(traceLaunch(hook, device, launch, begin, threads));
  return checks().memory ? verifyMemory(launch, split, threads) : Status();
}

Status CpuStream::copy(void *target, const void *source, size_t size,
                       CopyKind kind) {
  // Overlapping ranges are a bug in the program, but must not crash.
  if (size)
    std::memmove(target, source, size);
  return Status();
}

Status CpuStream::fill(void *target, uint64_t pattern, uint32_t width,
                       size_t size) {
  fillHostMemory(target, pattern, width, size);
  return Status();
}
