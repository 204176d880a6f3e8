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

/// Called by the child of a fork: threads of the parent are gone.
void countFork();
/// Number of forks between the process that loaded the library and this one.
uint32_t forkGeneration();

/// The locks of the process. Nobody takes one while holding another. The locks
/// of allocators come in addition.
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
/// Takes and releases all of them, around a fork.
void lockProcess();
void unlockProcess();

/// Holds one of the locks in a scope.
class ProcessLockGuard : std::lock_guard<std::mutex> {
public:
  explicit ProcessLockGuard(ProcessLock lock) : lock_guard(processLock(lock)) {}
};

} // namespace tensorc::rt

#endif
