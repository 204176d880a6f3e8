//===- Fork.cpp - what keeps the runtime usable in a child of fork --------===//
#include "runtime/core/threads/Fork.h"

#include "runtime/core/Driver.h"

#include <atomic>
#include <pthread.h>

using namespace tensorc::rt;

static constexpr auto numLocks = static_cast<unsigned>(ProcessLock::Count);
static constinit std::mutex locks[numLocks];
static constinit std::atomic<uint32_t> generation{0};

uint32_t tensorc::rt::forkGeneration() {
  return generation.load(std::memory_order_acquire);
}

std::mutex &tensorc::rt::processLock(ProcessLock lock) {
  return locks[static_cast<unsigned>(lock)];
}

static void lockAll() {
  waitForDevices();
  for (std::mutex &lock : locks)
    lock.lock();
  Allocator::lockAll();
}

static void unlockAll() {
  Allocator::unlockAll();
  for (std::mutex &lock : locks)
    lock.unlock();
}

static void enterChild() {
  generation.fetch_add(1, std::memory_order_release);
  unlockAll();
}

[[gnu::constructor]] static void registerForFork() {
  // Fails only without memory; then a fork is as safe as without this.
  (void)pthread_atfork(lockAll, unlockAll, enterChild);
}
