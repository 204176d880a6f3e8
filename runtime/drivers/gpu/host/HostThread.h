//===- HostThread.h - calls a stream's functions on the host ----*- C++ -*-===//
//
// For libraries whose streams cannot call host functions themselves.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_GPU_HOST_HOSTTHREAD_H
#define TENSORC_RUNTIME_DRIVERS_GPU_HOST_HOSTTHREAD_H

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace tensorc::rt::gpu {

/// Calls functions on a thread, in the order in which they were added. The
/// first function starts the thread. Each stream has its own thread, because a
/// function may wait for other streams.
class HostThread {
public:
  HostThread() = default;
  HostThread(const HostThread &) = delete;
  /// Waits for the functions to finish, unless one of them destroys this
  /// object.
  ~HostThread();

  /// Waits while too many functions are queued, unless the caller is the thread
  /// of a stream.
  void waitForRoom();
  void add(std::function<void()> function);
  /// True if the calling thread is this object's thread.
  bool isCalling() const;

private:
  /// Shared with the thread, because a function on it may destroy the stream.
  struct State {
    std::mutex mutex;
    std::condition_variable changed, room;
    std::deque<std::function<void()>> functions;
    bool closing = false;
    void work();
  };
  const std::shared_ptr<State> state = std::make_shared<State>();
  std::thread thread; // the thread is started while the state's lock is held
};

} // namespace tensorc::rt::gpu

#endif
