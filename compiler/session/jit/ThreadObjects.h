//===- ThreadObjects.h - Objects that a thread keeps between calls --------===//
//
// The thread's own objects may already be destroyed when tensors are evaluated:
// in destructors of other thread_local objects, and in destructors of static
// objects while the process exits.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_THREADOBJECTS_H
#define TENSORC_COMPILER_SESSION_JIT_THREADOBJECTS_H

#include <memory>
#include <thread>
#include <utility>

namespace tensorc::jit {

/// Name of the API function for which this thread is tracing, for error
/// messages.
inline thread_local const char *tracer = "jit";

/// Name of the API function through which this thread reads a value, for error
/// messages.
inline thread_local const char *reader = "eval";

/// An object that the thread reuses to avoid allocations. If it is in use or
/// was destroyed, a new object is made.
template <typename T> class ThreadScratch {
public:
  ThreadScratch() : wasTaken(std::exchange(isTaken, true)) {
    if (wasTaken)
      fresh = std::make_unique<T>();
    object = wasTaken ? fresh.get() : &ofThread();
  }
  ThreadScratch(const ThreadScratch &) = delete;
  ~ThreadScratch() { isTaken = wasTaken; }
  T &operator*() { return *object; }

private:
  static T &ofThread() {
    struct Owned : T {
      ~Owned() { isTaken = true; }
    };
    static thread_local Owned owned;
    return owned;
  }
  // This flag has no destructor, so it can be read for as long as the thread
  // runs.
  static inline thread_local bool isTaken = false;

  bool wasTaken;
  std::unique_ptr<T> fresh;
  T *object;
};

/// Calls `compile`, on a new thread if this thread has already destroyed its
/// thread_local objects, such as caches of MLIR, LLVM and lld.
template <typename Fn> void onLiveThread(Fn compile) {
  static thread_local bool isEnding = false;
  struct Mark {
    ~Mark() { isEnding = true; }
  };
  if (isEnding) {
    std::thread(compile).join();
    return;
  }
  static thread_local Mark mark;
  (void)mark;
  compile();
}

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_THREADOBJECTS_H
