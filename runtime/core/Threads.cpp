//===- Threads.cpp - the threads of launches on the host ------------------===//
#include "runtime/core/Threads.h"

#include "tensorc/runtime.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

using namespace tensorc::rt;

namespace {
struct Embedder {
  tensorc_rt_parallel_for_fn fn;
  void *user;
};

/// What a launch on several threads uses. Held by pointer and never destroyed:
/// kernels may still run while the process exits.
struct Pool {
  std::mutex mutex;
  // oneTBB has no more workers than cores unless told so.
  std::unique_ptr<tbb::global_control> workers;
  std::shared_ptr<tbb::task_arena> arena;
  Embedder embedder = {};
};
} // namespace

static Pool &pool() {
  static Pool *pool = new Pool;
  return *pool;
}

static constexpr int32_t maxThreads = 4096;

/// TENSORC_NUM_THREADS, or 0 when it is not set; what is no number of threads
/// is said once.
static int32_t threadsOfEnvironment() {
  const char *text = std::getenv("TENSORC_NUM_THREADS");
  if (!text || !*text)
    return 0;
  char *end = nullptr;
  errno = 0;
  long count = std::strtol(text, &end, 10);
  if (!*end && !errno && count >= 1 && count <= maxThreads)
    return static_cast<int32_t>(count);
  static std::once_flag said;
  std::call_once(said, [&] {
    std::fprintf(stderr,
                 "tensorc: TENSORC_NUM_THREADS=%s is ignored: it is no number "
                 "from 1 to %d\n",
                 text, maxThreads);
  });
  return 0;
}

static int32_t defaultThreads() {
  if (int32_t count = threadsOfEnvironment())
    return count;
  int count = tbb::this_task_arena::max_concurrency();
  return std::clamp<int32_t>(count, 1, maxThreads);
}

static std::atomic<int32_t> &threadCount() {
  static std::atomic<int32_t> count{defaultThreads()};
  return count;
}

int32_t tensorc::rt::numThreads() {
  return threadCount().load(std::memory_order_relaxed);
}

#if defined(__has_feature)
#define TENSORC_RT_TSAN __has_feature(thread_sanitizer)
#else
#define TENSORC_RT_TSAN 0
#endif

static void runInArena(tbb::task_arena &arena, int64_t count,
                       void (*task)(void *, int64_t), void *context) {
  if (TENSORC_RT_TSAN) {
    // oneTBB is not instrumented, and its own synchronization looks like races.
    std::vector<std::thread> threads;
    for (int64_t i = 0; i < count; ++i)
      threads.emplace_back(task, context, i);
    for (std::thread &thread : threads)
      thread.join();
    return;
  }
  arena.execute([&] {
    tbb::parallel_for(
        int64_t(0), count, [&](int64_t i) { task(context, i); },
        tbb::simple_partitioner());
  });
}

void tensorc::rt::runTasks(int64_t count, void (*task)(void *, int64_t),
                           void *context) noexcept try {
  std::shared_ptr<tbb::task_arena> arena;
  Embedder embedder;
  {
    std::lock_guard lock(pool().mutex);
    if (!pool().arena && !pool().embedder.fn) {
      if (numThreads() > tbb::this_task_arena::max_concurrency())
        pool().workers = std::make_unique<tbb::global_control>(
            tbb::global_control::max_allowed_parallelism, numThreads());
      pool().arena = std::make_shared<tbb::task_arena>(numThreads());
    }
    arena = pool().arena;
    embedder = pool().embedder;
  }
  if (embedder.fn)
    return embedder.fn(embedder.user, count, task, context);
  runInArena(*arena, count, task, context);
} catch (...) {
}

void tensorc_rt_set_num_threads(int32_t count) {
  count = count < 1 ? defaultThreads() : std::min(count, maxThreads);
  std::lock_guard lock(pool().mutex);
  threadCount().store(count, std::memory_order_relaxed);
  pool().arena.reset(); // Made anew, as wide as the count, by the next launch.
}

int32_t tensorc_rt_num_threads(void) { return numThreads(); }

void tensorc_rt_set_parallel_for(tensorc_rt_parallel_for_fn fn, void *user) {
  std::lock_guard lock(pool().mutex);
  pool().embedder = {fn, user};
}
