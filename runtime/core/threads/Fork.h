//===- Fork.h - use of the runtime in a child of fork -----------*- C++ -*-===//
//
// fork() copies one thread and every lock in its current state. A handler
// therefore takes the locks below before the fork, and both processes release
// them after it. Streams and pools, whose threads the child does not have, are
// created anew in the child when their generation is not forkGeneration().
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_CORE_THREADS_FORK_H
#define TENSORC_RUNTIME_CORE_THREADS_FORK_H

#include <cstdint>
#include <mutex>

namespace tensorc::rt {

/// Counts a fork. Called in the child, where the other threads of the parent do
/// not exist.
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
  Tiles,
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
