//===- ThreadPool.h - the runtime's own thread pool -------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_THREADS_THREADPOOL_H
#define TENSORC_RUNTIME_CORE_THREADS_THREADPOOL_H

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace tensorc::rt {

/// Replaces oneTBB in a child of a fork, where the copy of its scheduler would
/// wait for threads that do not exist, and under the thread sanitizer, which
/// does not support it. Never destroyed.
class ThreadPool {
public:
  /// Calls task(context, i) for each i in [0, count), on the calling thread and
  /// others. If no more threads can be created, it uses fewer.
  void run(int64_t count, void (*task)(void *context, int64_t index),
           void *context);

private:
  struct Job;
  void work();
  Job *openJob();

  std::mutex mutex;
  std::condition_variable wake, done;
  Job *jobs = nullptr;
  int64_t threads = 0;
};

} // namespace tensorc::rt

#endif
