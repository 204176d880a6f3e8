//===- Threads.cpp - the threads of launches on the host ------------------===//
#include "runtime/core/threads/Threads.h"

#include "runtime/core/threads/Fork.h"
#include "runtime/core/threads/ThreadPool.h"
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
#include <sched.h>
#include <thread>

using namespace tensorc::rt;

namespace {
struct Embedder {
  tensorc_rt_parallel_for_fn fn = nullptr;
  void *user = nullptr;
};

/// The thread pool of launches. Guarded by the process lock for pools.
struct Pool {
  // Lets oneTBB use more workers than the number of cores, which is its default
  // limit.
  std::unique_ptr<tbb::global_control> workers;
  std::shared_ptr<tbb::task_arena> arena;
  ThreadPool *own = nullptr; // the pool that replaces oneTBB in a child of fork
  uint32_t generation = 0;   // fork generation of the pool
  Embedder embedder;
};

/// Storage of a pool that is never destroyed, because kernels may still run
/// while the process exits.
union PoolStorage {
  constexpr PoolStorage() : pool() {}
  ~PoolStorage() {}
  Pool pool;
};
} // namespace

static constinit PoolStorage storage;

/// True if oneTBB can be used. It cannot be used in a child of a fork, where
/// its threads do not exist and where it must not be destroyed, nor under the
/// thread sanitizer, which does not support it.
static bool usesOneTbb() {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  return false;
#endif
#endif
  return forkGeneration() == 0;
}

/// Returns the pool. The lock must be held.
static Pool &pool() {
  Pool &pool = storage.pool;
  if (pool.generation != forkGeneration()) {
    static constinit PoolStorage lost; // keeps the first process' objects alive
    if (pool.workers)
      lost.pool.workers.swap(pool.workers);
    if (pool.arena)
      lost.pool.arena.swap(pool.arena);
    pool.own = nullptr;
    pool.generation = forkGeneration();
  }
  return pool;
}

static constexpr int32_t maxThreads = 4096;

/// Returns TENSORC_NUM_THREADS, or 0 if it is not set. Warns once about a value
/// that is not a number of threads.
static int32_t threadsOfEnvironment() {
  const char *text = secure_getenv("TENSORC_NUM_THREADS");
  if (!text || !*text)
    return 0;
  char *end = nullptr;
  errno = 0;
  long count = std::strtol(text, &end, 10);
  if (!*end && !errno && count >= 1 && count <= maxThreads)
    return static_cast<int32_t>(count);
  static std::once_flag said;
  std::call_once(said, [&] {
    std::fprintf(
        stderr,
        "tensorc: TENSORC_NUM_THREADS=%s is ignored: it is not a number "
        "from 1 to %d\n",
        text, maxThreads);
  });
  return 0;
}

/// Number of processors that this process may use.
static int32_t defaultThreads() {
  if (int32_t count = threadsOfEnvironment())
    return count;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return std::clamp<int32_t>(CPU_COUNT(&set), 1, maxThreads);
  auto count = static_cast<int32_t>(std::thread::hardware_concurrency());
  return std::clamp<int32_t>(count, 1, maxThreads);
}

static constinit std::atomic<int32_t> threadCount{0}; // 0: not set yet

int32_t tensorc::rt::numThreads() {
  int32_t count = threadCount.load(std::memory_order_relaxed);
  if (count)
    return count;
  int32_t made = defaultThreads();
  return threadCount.compare_exchange_strong(count, made) ? made : count;
}

static void runInArena(tbb::task_arena &arena, int64_t count,
                       void (*task)(void *, int64_t), void *context) {
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
  ThreadPool *own = nullptr;
  {
    ProcessLockGuard lock(ProcessLock::Pool);
    Pool &now = pool();
    embedder = now.embedder;
    if (!embedder.fn && !usesOneTbb()) {
      own = now.own = now.own ? now.own : new ThreadPool;
    } else if (!embedder.fn) {
      if (!now.arena) {
        if (numThreads() > tbb::this_task_arena::max_concurrency())
          now.workers = std::make_unique<tbb::global_control>(
              tbb::global_control::max_allowed_parallelism, numThreads());
        now.arena = std::make_shared<tbb::task_arena>(numThreads());
      }
      arena = now.arena;
    }
  }
  if (embedder.fn)
    embedder.fn(embedder.user, count, task, context);
  else if (own)
    own->run(count, task, context);
  else
    runInArena(*arena, count, task, context);
} catch (...) {
}

void tensorc_rt_set_num_threads(int32_t count) {
  count = count < 1 ? defaultThreads() : std::min(count, maxThreads);
  std::shared_ptr<tbb::task_arena> former;
  ProcessLockGuard lock(ProcessLock::Pool);
  threadCount.store(count, std::memory_order_relaxed);
  // The next launch creates an arena with the new count.
  former.swap(pool().arena);
}

int32_t tensorc_rt_num_threads(void) { return numThreads(); }

void tensorc_rt_set_parallel_for(tensorc_rt_parallel_for_fn fn, void *user) {
  ProcessLockGuard lock(ProcessLock::Pool);
  pool().embedder = {fn, user};
}
