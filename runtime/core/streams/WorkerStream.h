//===- WorkerStream.h - runs an inline stream on a thread -------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_STREAMS_WORKERSTREAM_H
#define TENSORC_RUNTIME_CORE_STREAMS_WORKERSTREAM_H

#include "runtime/core/Driver.h"
#include "runtime/core/threads/Thread.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace tensorc::rt {

/// Gives a host driver asynchronous streams: a thread executes the calls, in
/// order, on the driver's inline stream. After an error, work is skipped until
/// a caller synchronizes; marks are still reached, and buffers still released.
/// A caller waits while too many tasks are queued. A child of a fork starts a
/// new thread; tasks that were queued before the fork belong to the parent, and
/// waiting for them is an error in the child.
class WorkerStream final : public Stream {
public:
  /// Makes an asynchronous stream that executes its work on `target`, which
  /// must outlive it.
  explicit WorkerStream(Stream &target);
  ~WorkerStream() override;

  Status launch(const Launch &launch) override;
  Status copy(void *target, const void *source, size_t size,
              CopyKind kind) override;
  Status fill(void *target, uint64_t pattern, uint32_t width,
              size_t size) override;
  Status call(std::function<Status()> function) override;
  Status askBeforeWork(std::function<Status()> question) override;
  Status record(std::shared_ptr<Mark> &mark) override;
  Status wait(std::shared_ptr<Mark> mark) override;
  Status synchronize() override;
  bool idle() override;
  bool isInline() const override { return false; }
  void retire(std::vector<Buffer *> buffers,
              std::shared_ptr<const void> keep) override;

private:
  struct Task {
    std::function<Status()> run;
    bool always; // runs even after an error
  };
  /// The state that the thread shares, because work of the stream may drop the
  /// last reference to the stream.
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::condition_variable room; // signalled when the queue is half empty
    std::deque<Task> tasks;
    Status failure; // error of the first task that failed
    bool busy = false, closing = false;
    // Number of unfinished tasks; also read by a child of fork.
    std::atomic<int64_t> unfinished{0};
    Thread thread;
    // Keeps the state alive if it must never be destroyed.
    std::shared_ptr<State> self;

    void work();
    Status runTask(Task &task, bool skip);
    void waitIdle(std::unique_lock<std::mutex> &lock);
  };
  static std::shared_ptr<State> startState();
  State &current();
  Status enqueue(std::function<Status()> run, bool always = false);

  Stream &target;
  std::shared_ptr<State> state;
  // Fork generation in which the state was made.
  std::atomic<uint32_t> generation;
};

} // namespace tensorc::rt

#endif
