//===- Queue.h - Jobs that a device runs in order -------------------------===//
#ifndef TENSORC_PJRT_QUEUE_H
#define TENSORC_PJRT_QUEUE_H

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace tensorc::pjrt {

/// Runs jobs one after another on its own thread, which starts with the first
/// job. The destructor waits for all jobs. Thread-safe.
class Queue {
public:
  Queue() = default;
  Queue(const Queue &) = delete;
  Queue &operator=(const Queue &) = delete;
  ~Queue();

  /// Adds a job and does not wait. A job must not throw.
  void post(std::function<void()> job);
  /// Waits while many jobs are queued. Call it before `post`, but not within a
  /// job of this queue, nor within one that this queue's jobs may wait for.
  void waitForRoom();
  /// Returns true if no job waits or runs.
  bool isIdle();
  /// Waits until the queue is idle.
  void drain();
  /// Returns true if it is called within a job of any queue. Such a caller must
  /// not wait for jobs.
  static bool isWithinJob();

private:
  void run();

  std::mutex mutex;
  std::condition_variable changed;
  // Jobs in order; the first one is running.
  std::deque<std::function<void()>> jobs;
  bool isEnding = false;
  std::thread thread;
};

} // namespace tensorc::pjrt

#endif // TENSORC_PJRT_QUEUE_H
