//===- WorkerStream.cpp - runs an inline stream on a thread ---------------===//
#include "runtime/core/streams/WorkerStream.h"

#include "runtime/core/streams/Event.h"
#include "runtime/core/streams/StreamThread.h"

#include <new>

using namespace tensorc::rt;

WorkerStream::WorkerStream(Stream &target)
    : Stream(target.device, Listing::ByItself), target(target),
      state(startState()), generation(forkGeneration()) {
  enlist();
}

std::shared_ptr<WorkerStream::State> WorkerStream::startState() {
  auto state = std::make_shared<State>();
  state->thread.start([state] { state->work(); });
  return state;
}

WorkerStream::~WorkerStream() {
  if (generation != forkGeneration()) {
    // The thread and the locks belong to the parent process.
    state->self = state;
    return;
  }
  {
    std::lock_guard lock(state->mutex);
    state->closing = true;
  }
  state->changed.notify_all();
  if (state->thread.isCurrent())
    state->thread.detach();
  else
    state->thread.join();
}

WorkerStream::State &WorkerStream::current() {
  if (generation.load(std::memory_order_acquire) == forkGeneration())
    return *state;
  ProcessLockGuard lock(ProcessLock::Streams);
  if (generation == forkGeneration())
    return *state;
  std::shared_ptr<State> made = startState();
  if (state->unfinished.load(std::memory_order_acquire))
    made->failure = lostByFork();
  state->self = state;
  state = std::move(made);
  generation.store(forkGeneration(), std::memory_order_release);
  return *state;
}

/// Maximum number of queued tasks, about the length of CUDA's queue. A caller
/// waits while the queue is full.
static constexpr size_t maxTasks = 1024;

Status WorkerStream::enqueue(std::function<Status()> run, bool always) {
  State &now = current();
  {
    std::unique_lock lock(now.mutex);
    // Tasks with `always` (marks, releases of buffers) never wait for room in
    // the queue, and neither do tasks that stream threads add, because making
    // room may depend on them.
    if (!always && !isStreamThread())
      now.room.wait(lock, [&] { return now.tasks.size() < maxTasks; });
    now.tasks.push_back({std::move(run), always});
    now.unfinished.fetch_add(1, std::memory_order_relaxed);
  }
  now.changed.notify_all();
  return Status();
}

Status WorkerStream::State::runTask(Task &task, bool skip) {
  Status status;
  try {
    if (!skip)
      status = task.run();
  } catch (const std::bad_alloc &) {
    status = outOfMemory();
  } catch (const std::exception &exception) {
    status = error(TENSORC_RT_DEVICE_ERROR, "%s", exception.what());
  }
  // Destroys the function, and what it captures, without holding the lock.
  task.run = nullptr;
  return status;
}

void WorkerStream::State::work() {
  becomeStreamThread();
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return closing || !tasks.empty(); });
    if (tasks.empty())
      return;
    Task task = std::move(tasks.front());
    tasks.pop_front();
    busy = true;
    bool skip = !task.always && !failure.ok();
    lock.unlock();
    Status status = runTask(task, skip);
    lock.lock();
    busy = false;
    unfinished.fetch_sub(1, std::memory_order_release);
    if (!status.ok() && failure.ok())
      failure = std::move(status);
    if (tasks.empty())
      changed.notify_all();
    if (tasks.size() == maxTasks / 2)
      room.notify_all();
  }
}

void WorkerStream::State::waitIdle(std::unique_lock<std::mutex> &lock) {
  changed.wait(lock, [&] { return tasks.empty() && !busy; });
}

Status WorkerStream::launch(const Launch &launch) {
  std::vector<Word> args(launch.args, launch.args + launch.arity);
  std::vector<uint64_t> sizes;
  if (launch.sizes)
    sizes.assign(launch.sizes, launch.sizes + launch.arity);
  std::vector<TensorMap> maps(launch.maps.begin(), launch.maps.end());
  return enqueue([&on = target, launch = launch, args = std::move(args),
                  sizes = std::move(sizes), maps = std::move(maps)]() mutable {
    launch.args = args.data();
    launch.maps = maps;
    launch.sizes = launch.sizes ? sizes.data() : nullptr;
    return on.launch(launch);
  });
}

Status WorkerStream::copy(void *to, const void *from, size_t size,
                          CopyKind kind) {
  return enqueue([=, &on = target] { return on.copy(to, from, size, kind); });
}

Status WorkerStream::fill(void *to, uint64_t pattern, uint32_t width,
                          size_t size) {
  return enqueue(
      [=, &on = target] { return on.fill(to, pattern, width, size); });
}

Status WorkerStream::call(std::function<Status()> function) {
  return enqueue(std::move(function));
}

Status WorkerStream::askBeforeWork(std::function<Status()> question) {
  return enqueue(std::move(question));
}

Status WorkerStream::record(std::shared_ptr<Mark> &mark) {
  auto host = std::make_shared<HostMark>();
  mark = host;
  State &now = current();
  return enqueue(
      [host, &now] {
        // Only this thread sets the failure, and others read it only after the
        // work is done.
        host->reach(now.failure.clone());
        return Status();
      },
      /*always=*/true);
}

Status WorkerStream::wait(std::shared_ptr<Mark> mark) {
  return enqueue(
      [mark] {
        TENSORC_RT_TRY(mark->wait());
        return mark->failure();
      },
      /*always=*/true);
}

Status WorkerStream::synchronize() try {
  State &now = current();
  std::unique_lock lock(now.mutex);
  now.waitIdle(lock);
  return std::exchange(now.failure, Status());
} catch (const std::exception &) {
  return outOfMemory(); // A child of fork could not start a thread.
}

bool WorkerStream::idle() {
  if (generation != forkGeneration())
    return true;
  std::lock_guard lock(state->mutex);
  return state->tasks.empty() && !state->busy;
}

void WorkerStream::retire(std::vector<Buffer *> buffers,
                          std::shared_ptr<const void> keep) {
  releaseBlocks(buffers);
  if (buffers.empty() && !keep)
    return;
  auto drop = [buffers = std::move(buffers), keep = std::move(keep)] {
    for (Buffer *buffer : buffers)
      buffer->release();
    return Status();
  };
  try {
    (void)enqueue(drop, /*always=*/true);
  } catch (const std::exception &) {
    // There is no memory for the task, so this waits for the work and releases
    // the buffers here. The stream keeps its error.
    if (generation == forkGeneration()) {
      std::unique_lock lock(state->mutex);
      state->waitIdle(lock);
    }
    (void)drop();
  }
}
