//===- HostThread.cpp - calls a stream's functions on the host ------------===//
#include "runtime/drivers/gpu/host/HostThread.h"

#include "runtime/core/streams/StreamThread.h"

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

/// Maximum number of queued functions. A run of a program adds up to ten, so a
/// few hundred runs can be queued, as in CUDA's streams.
static constexpr size_t maxQueued = 2048;

HostThread::~HostThread() {
  {
    std::lock_guard lock(state->mutex);
    state->closing = true;
  }
  state->changed.notify_all();
  if (isCalling())
    thread.detach();
  else if (thread.joinable())
    thread.join();
}

bool HostThread::isCalling() const {
  std::lock_guard lock(state->mutex);
  return thread.get_id() == std::this_thread::get_id();
}

void HostThread::waitForRoom() {
  if (isStreamThread())
    return;
  std::unique_lock lock(state->mutex);
  state->room.wait(lock, [&] { return state->functions.size() < maxQueued; });
}

void HostThread::add(std::function<void()> function) {
  {
    std::lock_guard lock(state->mutex);
    if (!thread.joinable())
      thread = std::thread([state = state] { state->work(); });
    state->functions.push_back(std::move(function));
  }
  state->changed.notify_all();
}

void HostThread::State::work() {
  becomeStreamThread();
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return closing || !functions.empty(); });
    if (functions.empty())
      return;
    std::function<void()> function = std::move(functions.front());
    functions.pop_front();
    if (functions.size() < maxQueued)
      room.notify_all();
    lock.unlock();
    function();
    function = nullptr;
    lock.lock();
  }
}
