//===- Fork.h - the runtime in a child of fork ------------------*- C++ -*-===//
//
// fork() copies one thread and every lock in its current state. Therefore fork
// waits for the locks below, which both processes then release. Streams and
// pools, whose threads the child does not have, are created anew in the child
// when their generation is not forkGeneration().
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_CORE_THREADS_FORK_H
#define TENSORC_RUNTIME_CORE_THREADS_FORK_H

#include <cstdint>
#include <mutex>

namespace tensorc::rt {

/// Counts a fork. The child calls it; the threads of the parent do not exist
/// there.
void countFork();
/// Returns the number of forks between the process that loaded the library and
/// this one.
uint32_t forkGeneration();

/// Locks of the process. No thread takes one while it holds another. Each
/// allocator has a lock of its own in addition.
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
/// Take and release all of these locks, around a fork.
void lockProcess();
void unlockProcess();

/// Holds one of the process locks during its lifetime.
class ProcessLockGuard : std::lock_guard<std::mutex> {
public:
  explicit ProcessLockGuard(ProcessLock lock) : lock_guard(processLock(lock)) {}
};

} // namespace tensorc::rt

#endif
