//===- CpuStream.cpp - does work on the calling thread --------------------===//
#include "runtime/drivers/cpu/CpuStream.h"

#include "runtime/core/Event.h"
#include "runtime/core/Threads.h"
#include "runtime/core/Trace.h"

#include <algorithm>
#include <cstring>

using namespace tensorc::rt;

namespace {
/// A launch that several threads work on: each takes blocks until none is left.
struct Split {
  const Launch &launch;
  std::atomic<int64_t> next{0};
  int64_t block; // items, a multiple of the grain
  char *scratch;
  int64_t scratchStride;
};
} // namespace

/// Blocks per thread: enough to even out threads that are late.
static constexpr int64_t blocksPerThread = 4;
/// Threads' scratch does not share pages that hardware prefetches together.
static constexpr int64_t scratchAlignment = 128;

static void workOn(void *context, int64_t thread) {
  auto &split = *static_cast<Split *>(context);
  const Launch &launch = split.launch;
  auto kernel = reinterpret_cast<CpuKernel>(const_cast<void *>(launch.kernel));
  void *scratch =
      split.scratch ? split.scratch + thread * split.scratchStride : nullptr;
  while (true) {
    int64_t begin =
        split.next.fetch_add(split.block, std::memory_order_relaxed);
    if (begin >= launch.extent)
      return;
    kernel(launch.args, begin, std::min(begin + split.block, launch.extent),
           scratch);
  }
}

/// The number of threads worth using: no more than there are grains.
static int32_t threadsFor(const Launch &launch) {
  int64_t grains = (launch.extent - 1) / launch.grain + 1;
  if (grains <= 1)
    return 1;
  return static_cast<int32_t>(std::min<int64_t>(grains, numThreads()));
}

/// Items to a block, such that the last block's end cannot overflow.
static int64_t blockFor(const Launch &launch, int32_t threads) {
  if (threads == 1)
    return launch.extent;
  int64_t grains = (launch.extent - 1) / launch.grain + 1;
  int64_t blocks = static_cast<int64_t>(threads) * blocksPerThread;
  return std::max<int64_t>(grains / blocks, 1) * launch.grain;
}

Status CpuStream::launch(const Launch &launch) {
  int32_t threads = threadsFor(launch);
  Buffer *scratch = nullptr;
  int64_t stride = 0, bytes = 0;
  if (launch.scratch > 0) {
    if (__builtin_add_overflow(launch.scratch, scratchAlignment - 1, &stride) ||
        __builtin_mul_overflow(stride &= -scratchAlignment, threads, &bytes))
      return error(TENSORC_RT_OUT_OF_MEMORY, "%s: scratch of %lld bytes",
                   launch.name, (long long)launch.scratch);
    TENSORC_RT_TRY(
        device.allocator.allocate(static_cast<size_t>(bytes), scratch));
  }
  const LaunchHook *hook = launchHook();
  int64_t begin = hook ? now() : 0;
  if (threads == 1) {
    auto kernel =
        reinterpret_cast<CpuKernel>(const_cast<void *>(launch.kernel));
    kernel(launch.args, 0, launch.extent, scratch ? scratch->data : nullptr);
  } else {
    Split split{launch,
                {0},
                blockFor(launch, threads),
                scratch ? static_cast<char *>(scratch->data) : nullptr,
                stride};
    parallelFor(threads, workOn, &split);
  }
  if (scratch)
    scratch->release();
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
  char bytes[8];
  std::memcpy(bytes, &pattern, 8);
  bool same = std::all_of(bytes, bytes + width,
                          [&](char byte) { return byte == bytes[0]; });
  if (same) {
    std::memset(target, bytes[0], size);
    return Status();
  }
  for (uint32_t done = width; done < 8; done *= 2)
    std::memcpy(bytes + done, bytes, done);
  char *to = static_cast<char *>(target);
  for (; size >= 8; size -= 8, to += 8)
    std::memcpy(to, bytes, 8);
  std::memcpy(to, bytes, size);
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
