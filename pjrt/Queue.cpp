//===- Queue.cpp - Jobs that a device runs in order -----------------------===//

#include "pjrt/Queue.h"

namespace tensorc::pjrt {

Queue::~Queue() {
  {
    std::lock_guard lock(mutex);
    isEnding = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
}

void Queue::post(std::function<void()> job) {
  std::unique_lock lock(mutex);
  if (!thread.joinable())
    thread = std::thread(&Queue::run, this);
  jobs.push_back(std::move(job));
  lock.unlock();
  changed.notify_all();
}

void Queue::waitForRoom() {
  // Maximum number of jobs. Waiting jobs keep their arguments alive, so this
  // limits the memory of a host that enqueues jobs faster than they run.
  constexpr size_t maxJobs = 32;
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return jobs.size() < maxJobs; });
}

bool Queue::isIdle() {
  std::lock_guard lock(mutex);
  return jobs.empty();
}

void Queue::drain() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return jobs.empty(); });
}

static thread_local bool runsJobs = false;

bool Queue::isWithinJob() { return runsJobs; }

void Queue::run() {
  runsJobs = true;
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return isEnding || !jobs.empty(); });
    if (jobs.empty())
      return;
    // The job, together with the arguments it keeps alive, is destroyed before
    // the next one begins.
    std::function<void()> job = std::move(jobs.front());
    lock.unlock();
    job();
    job = nullptr;
    lock.lock();
    jobs.pop_front();
    changed.notify_all();
  }
}

} // namespace tensorc::pjrt
