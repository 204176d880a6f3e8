//===- HostLock.h - the lock of a host, which recording lets go of --------===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_HOSTLOCK_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_HOSTLOCK_H

#include <atomic>

namespace tensorc::compiler {

/// What tensorc_set_host_lock has set, for the life of the process.
class HostLock {
public:
  struct Calls {
    void *(*leave)();
    void (*enter)(void *left);
  };

  /// Null: no calls.
  static void set(const Calls *calls) { current() = calls; }

  /// While it lives, the host's lock is not held. No lock of ours may be held
  /// where it begins or ends: another thread waits for it with the host's.
  class Released {
  public:
    Released() : calls(current()), left(calls ? calls->leave() : nullptr) {}
    Released(const Released &) = delete;
    ~Released() {
      if (calls)
        calls->enter(left);
    }

  private:
    const Calls *calls;
    void *left;
  };

private:
  static std::atomic<const Calls *> &current() {
    static std::atomic<const Calls *> calls{nullptr};
    return calls;
  }
};

} // namespace tensorc::compiler

#endif
