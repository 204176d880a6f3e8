//===- WorkerStream.h - an inline stream on a thread of its own -*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_STREAMS_WORKERSTREAM_H
#define TENSORC_RUNTIME_CORE_STREAMS_WORKERSTREAM_H

#include "runtime/core/Driver.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace tensorc::rt {

/// Whether the calling thread does the work of a stream, and so must not wait
/// for one.
bool isStreamThread();

/// Gives a driver on the host asynchronous streams for nothing: a thread takes
/// the calls in order and makes them on the driver's inline stream. After an
/// error, work is skipped until someone synchronizes; marks are still reached
/// and buffers still released. A caller that is far ahead of the thread waits
/// for it, so that what is queued stays bounded. In a child of fork it starts
/// another thread; what was queued before is the parent's, and an error here.
class WorkerStream final : public Stream {
public:
  /// `target` must outlive the stream.
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
    bool always; // also after an error
  };
  /// Shared with the thread: the last reference to the stream may be dropped
  /// by the stream's own work.
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::condition_variable room; // half of the tasks that may wait are done
    std::deque<Task> tasks;
    Status failure; // of the first task that failed
    bool busy = false, closing = false;
    std::atomic<int64_t> unfinished{0}; // also read by a child of fork
    std::thread thread;
    std::shared_ptr<State> self; // set where it must never be destroyed

    void work();
    Status runTask(Task &task, bool skip);
    void waitIdle(std::unique_lock<std::mutex> &lock);
  };
  static std::shared_ptr<State> startState();
  State &current();
  Status enqueue(std::function<Status()> run, bool always = false);

  Stream &target;
  std::shared_ptr<State> state;
  std::atomic<uint32_t> generation; // of forks, in which the state was made
};

} // namespace tensorc::rt

#endif
