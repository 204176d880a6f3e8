//===- Threads.h - the threads of launches on the host ----------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_THREADS_H
#define TENSORC_RUNTIME_CORE_THREADS_H

#include <cstdint>

namespace tensorc::rt {

/// How many threads a launch may use; at least 1.
int32_t numThreads();

/// Calls task(context, i) for each i in [0, count) on the embedder's threads or
/// oneTBB's, and returns when all are done.
void parallelFor(int64_t count, void (*task)(void *context, int64_t index),
                 void *context);

} // namespace tensorc::rt

#endif
