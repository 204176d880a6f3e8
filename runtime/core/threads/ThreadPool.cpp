//===- ThreadPool.cpp - the runtime's own thread pool ---------------------===//
#include "runtime/core/threads/ThreadPool.h"

#include "runtime/core/threads/Thread.h"

#include <exception>

using namespace tensorc::rt;

/// A job. It is on the stack of its caller. The caller removes it from the list
/// once all indices are taken, and waits until no thread works on it.
struct ThreadPool::Job {
  int64_t count;
  void (*task)(void *, int64_t);
  void *context;
  int64_t next = 0;    // next index; under the pool's mutex, like `workers`
  int64_t workers = 0; // number of threads that work on the job
  Job *other = nullptr;
};

/// Returns a job that has indices left, or null.
ThreadPool::Job *ThreadPool::openJob() {
  Job *job = jobs;
  while (job && job->next == job->count)
    job = job->other;
  return job;
}

void ThreadPool::work() {
  std::unique_lock lock(mutex);
  while (true) {
    Job *job = nullptr;
    wake.wait(lock, [&] { return (job = openJob()) != nullptr; });
    int64_t index = job->next++;
    ++job->workers;
    lock.unlock();
    job->task(job->context, index);
    lock.lock();
    if (--job->workers == 0)
      done.notify_all();
  }
}

void ThreadPool::run(int64_t count, void (*task)(void *, int64_t),
                     void *context) {
  Job job{count, task, context};
  std::unique_lock lock(mutex);
  job.other = jobs;
  jobs = &job;
  try {
    for (; threads < count - 1; ++threads) {
      Thread thread;
      thread.start([this] { work(); });
      thread.detach();
    }
  } catch (const std::exception &) {
    // Continues with the threads that could be created.
  }
  wake.notify_all();
  while (job.next < job.count) {
    int64_t index = job.next++;
    lock.unlock();
    task(context, index);
    lock.lock();
  }
  Job **at = &jobs;
  while (*at != &job)
    at = &(*at)->other;
  *at = job.other;
  done.wait(lock, [&] { return job.workers == 0; });
}
