//===- Fork.h - the runtime in a child of fork ------------------*- C++ -*-===//
//
// fork() copies one thread and every lock as it is. So fork waits for the locks
// below, which both processes then let go of; and what stands on threads that
// the child does not have (streams, pools) is made anew there when its
// generation is not forkGeneration().
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_CORE_THREADS_FORK_H
#define TENSORC_RUNTIME_CORE_THREADS_FORK_H

#include <cstdint>
#include <mutex>

namespace tensorc::rt {

/// How many forks lie between the process that loaded the library and this one.
uint32_t forkGeneration();

/// The locks of the process, which nobody takes while holding another; those of
/// allocators come on top.
enum class ProcessLock {
  Allocators,
  CustomCalls,
  Events,
  GuardedMemory,
  Hook,
  Images,
  Pool,
  Streams,
  Trust,
  Count
};
std::mutex &processLock(ProcessLock lock);

/// Holds one of them in a scope.
class ProcessLockGuard : std::lock_guard<std::mutex> {
public:
  explicit ProcessLockGuard(ProcessLock lock) : lock_guard(processLock(lock)) {}
};

} // namespace tensorc::rt

#endif
