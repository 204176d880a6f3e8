//===- Threads.h - the threads of launches on the host ----------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_THREADS_THREADS_H
#define TENSORC_RUNTIME_CORE_THREADS_THREADS_H

#include "tensorc/runtime.h"

#include <cstdint>

namespace tensorc::rt {

/// Maximum number of threads of a launch; at least 1.
int32_t numThreads();

/// Number of threads that are useful for a range: at most the number of grains,
/// and at most `most`.
int32_t threadsFor(int64_t extent, int64_t grain, int32_t most);

/// Number of grains in each block of a range that `threads` threads share: few
/// blocks, of which no thread gets many more grains than the others.
int64_t grainsPerBlock(int64_t grains, int64_t threads);

/// Splits [0, extent) into blocks of whole grains. Up to `threads` threads take
/// blocks until none is left. The slot passed to the body identifies the
/// thread.
void parallelRanges(int64_t extent, int64_t grain, int32_t threads,
                    tensorc_rt_range_fn body, void *context);

/// Calls task(context, i) for each i in [0, count) on threads of the embedder
/// or of oneTBB. If there is no memory or no thread, or if the embedder's
/// function throws, some tasks may not be called at all; a task that was called
/// is always finished.
void runTasks(int64_t count, void (*task)(void *context, int64_t index),
              void *context) noexcept;

} // namespace tensorc::rt

#endif
