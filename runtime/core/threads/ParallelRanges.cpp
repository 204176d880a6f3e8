//===- ParallelRanges.cpp - splits a range over threads -------------------===//
#include "runtime/core/threads/Threads.h"

#include <algorithm>
#include <atomic>

using namespace tensorc::rt;

namespace {
/// A range that several threads share. Each thread takes blocks until none is
/// left.
struct Split {
  int64_t extent;
  int64_t block; // work items per block, a multiple of the grain
  tensorc_rt_range_fn body;
  void *context;
  std::atomic<int64_t> next{0};

  void work(int32_t slot) {
    while (true) {
      int64_t begin = next.load(std::memory_order_relaxed);
      do {
        if (begin >= extent)
          return;
      } while (!next.compare_exchange_weak(begin, endOf(begin),
                                           std::memory_order_relaxed));
      body(context, begin, endOf(begin), slot);
    }
  }
  int64_t endOf(int64_t begin) const {
    return block < extent - begin ? begin + block : extent;
  }
};
} // namespace

/// Number of blocks per thread, enough to balance the load if some threads
/// start late.
static constexpr int64_t blocksPerThread = 4;

/// From this many grains per thread on, blocks of a quarter of a thread's share
/// differ from it by at most 1/16.
static constexpr int64_t largeShare = 64;

/// A thread may have 1/32 more work than with blocks of one grain, so that
/// blocks can be larger.
static constexpr int64_t toleratedPart = 32;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a - 1) / b + 1; }

int64_t tensorc::rt::grainsPerBlock(int64_t grains, int64_t threads) {
  int64_t block = ceilDiv(ceilDiv(grains, threads), blocksPerThread);
  if (grains / threads >= largeShare)
    return block;
  // The thread that does most, if all grains take the same time.
  auto longest = [&](int64_t block) {
    return ceilDiv(ceilDiv(grains, block), threads) * block;
  };
  int64_t tolerated = longest(1) + longest(1) / toleratedPart;
  while (longest(block) > tolerated)
    --block;
  return block;
}

int32_t tensorc::rt::threadsFor(int64_t extent, int64_t grain, int32_t most) {
  int64_t grains = ceilDiv(extent, grain);
  if (grains <= 1 || most <= 1)
    return 1;
  return static_cast<int32_t>(std::min<int64_t>({grains, most, numThreads()}));
}

void tensorc::rt::parallelRanges(int64_t extent, int64_t grain, int32_t threads,
                                 tensorc_rt_range_fn body, void *context) {
  if (threads <= 1)
    return body(context, 0, extent, 0);
  int64_t grains = ceilDiv(extent, grain);
  Split split{extent, grainsPerBlock(grains, threads) * grain, body, context};
  runTasks(
      threads,
      [](void *context, int64_t slot) {
        static_cast<Split *>(context)->work(static_cast<int32_t>(slot));
      },
      &split);
  split.work(0); // the remaining work, if there was no memory or thread
}

void tensorc_rt_parallel_for(int64_t extent, int64_t grain, int32_t slots,
                             tensorc_rt_range_fn body, void *context) {
  if (extent <= 0 || !body)
    return;
  grain = std::max<int64_t>(grain, 1);
  parallelRanges(extent, grain, threadsFor(extent, grain, slots), body,
                 context);
}
