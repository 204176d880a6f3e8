//===- HostLock.h - releases a lock of the host while compiling -----------===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_HOSTLOCK_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_HOSTLOCK_H

#include <atomic>

namespace tensorc::compiler {

/// The callbacks that tensorc_set_host_lock sets, for the lifetime of the
/// process.
class HostLock {
public:
  struct Calls {
    void *(*leave)();
    void (*enter)(void *left);
  };

  /// Sets the callbacks; null for none.
  static void set(const Calls *calls) { current() = calls; }

  /// Releases the host's lock during its lifetime. None of our locks may be
  /// held when this object is created or destroyed, because a thread that holds
  /// the host's lock may wait for one of ours.
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
