//===- Thread.h - threads of the runtime ------------------------*- C++ -*-===//
//
// glibc gives a new thread the stack of one that ended, and with it the same
// pthread_t. In a child of fork, the threads that were not copied count as
// ended, although libraries keep their pthread_t. Mesa's lavapipe joins its
// threads when the process exits, and would wait for a thread of the runtime
// that has the stack of one of them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_CORE_THREADS_THREAD_H
#define TENSORC_RUNTIME_CORE_THREADS_THREAD_H

#include <cstddef>
#include <functional>
#include <pthread.h>

namespace tensorc::rt {

/// A thread, which must be joined or detached, like std::thread. In a child of
/// fork it runs on a stack of its own, which no other thread has had.
class Thread {
public:
  Thread() = default;
  Thread(const Thread &) = delete;
  Thread &operator=(const Thread &) = delete;

  /// Starts the thread. Throws std::system_error if there are no resources for
  /// it, or std::bad_alloc.
  void start(std::function<void()> body);
  void join();
  /// A stack of its own is never freed, because nothing tells when the thread
  /// ends.
  void detach();
  /// True if the caller runs on this thread.
  bool isCurrent() const { return pthread_equal(id, pthread_self()); }

private:
  pthread_t id = {};
  void *stack = nullptr; // a stack of its own
  size_t stackBytes = 0;
};

} // namespace tensorc::rt

#endif
