//===- OpenclQueue.cpp - a stream, and events, over OpenCL ----------------===//
#include "runtime/drivers/opencl/OpenclQueue.h"

#include "runtime/core/streams/StreamThread.h"

#include <algorithm>

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;
using namespace tensorc::rt::opencl;

Result opencl::translate(int32_t code) {
  if (code == memObjectAllocationFailure || code == outOfHostMemory)
    return resultOutOfMemory;
  return code;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

Result EventOwner::query() const {
  int32_t status = complete;
  if (!event)
    return success;
  int32_t code =
      call.GetEventInfo(event, eventStatus, sizeof(status), &status, nullptr);
  if (code)
    return translate(code);
  return status > complete ? resultNotReady : translate(status);
}

/// Waits, and returns the error of the command. WaitForEvents only reports that
/// some command failed.
Result EventOwner::wait() const {
  if (!event)
    return success;
  int32_t code = call.WaitForEvents(1, &event);
  Result own = query();
  return own != success && own != resultNotReady ? own : translate(code);
}

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

/// The caller waits whenever this many commands have been queued since the last
/// wait, until the commands before that last wait are done. So at most twice as
/// many commands are queued at once.
static constexpr uint64_t commandsAhead = 512;

void LaunchLog::add(Event event, const LaunchSite &site) {
  entries.emplace_back(call, event, site);
  if (entries.size() > commandsAhead)
    collect();
}

void LaunchLog::collect() {
  while (!entries.empty()) {
    Result result = entries.front().event.query();
    if (result == resultNotReady)
      return;
    if (failure == success && result != success) {
      failure = result;
      failed = entries.front().site;
    }
    entries.pop_front();
  }
}

Result LaunchLog::take(LaunchSite &site) {
  collect();
  site = std::exchange(failed, {});
  return std::exchange(failure, success);
}

Queue::~Queue() { (void)call.ReleaseCommandQueue(queue); }

int32_t Queue::submit(int32_t code) {
  if (code)
    return code;
  ++submitted;
  return call.Flush(queue);
}

/// Waits if the caller has queued too many commands, because drivers do not
/// support long queues.
Result Queue::throttle() {
  EventOwner before(call);
  {
    std::lock_guard lock(mutex);
    if (submitted - limited < commandsAhead || isStreamThread())
      return success;
    limited = submitted;
    Event now = nullptr;
    if (int32_t code = call.EnqueueMarkerWithWaitList(queue, 0, nullptr, &now))
      return translate(code);
    before.swap(limit);
    limit.reset(now);
  }
  return before.wait();
}

Result Queue::drain() {
  if (host.isCalling())
    return resultNotSupported; // The stream would wait for itself.
  uint64_t upTo;
  {
    std::lock_guard lock(mutex);
    upTo = submitted;
  }
  int32_t code = call.Finish(queue);
  if (code)
    return translate(code);
  std::lock_guard lock(mutex);
  finished = std::max(finished, upTo);
  return success;
}

Result Queue::synchronize(LaunchSite &failedLaunch) {
  Result drained = drain();
  if (drained == resultNotSupported)
    return drained;
  std::lock_guard lock(mutex);
  Result failure = launches.take(failedLaunch);
  return failure == success ? drained : failure;
}

/// OpenCL does not report whether a queue is idle, so this enqueues a marker
/// after the queue's work and tests its event.
Result Queue::query() {
  std::lock_guard lock(mutex);
  if (finished == submitted)
    return success;
  if (probed != submitted) {
    Event event = nullptr;
    int32_t code = call.EnqueueMarkerWithWaitList(queue, 0, nullptr, &event);
    if (!code)
      code = call.Flush(queue);
    if (code)
      return translate(code);
    probe.reset(event);
    probed = submitted;
  }
  Result result = probe.query();
  if (result != resultNotReady)
    finished = std::max(finished, probed);
  return result;
}

Result Queue::record(EventOwner &event) {
  Event made = nullptr;
  Result result = enqueue([&](CommandQueue on) {
    return call.EnqueueMarkerWithWaitList(on, 0, nullptr, &made);
  });
  if (result == success)
    event.reset(made);
  return result;
}

/// A thread waits for the queue's work so far and calls the function. Later
/// commands wait for a user event that the thread sets afterwards. OpenCL's own
/// callbacks are not used, because they must not block.
Result Queue::callHost(HostFunction function, void *argument) {
  host.waitForRoom();
  int32_t code = complete;
  auto before = std::make_shared<EventOwner>(call);
  auto after = std::make_shared<EventOwner>(call);
  after->reset(call.CreateUserEvent(context, &code));
  if (code)
    return translate(code);
  std::lock_guard lock(mutex);
  Event reached = nullptr, done = after->get();
  code = submit(call.EnqueueMarkerWithWaitList(queue, 0, nullptr, &reached));
  if (code)
    return translate(code);
  before->reset(reached);
  code = submit(call.EnqueueBarrierWithWaitList(queue, 1, &done, nullptr));
  if (code)
    return translate(code);
  try {
    host.add([before, after, function, argument, call = &call] {
      (void)before->wait(); // Functions are called after errors, too.
      function(argument);
      (void)call->SetUserEventStatus(after->get(), complete);
    });
  } catch (...) {
    (void)call.SetUserEventStatus(done, complete);
    throw;
  }
  return success;
}
