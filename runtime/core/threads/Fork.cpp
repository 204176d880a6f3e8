//===- Fork.cpp - use of the runtime in a child of fork -------------------===//
#include "runtime/core/threads/Fork.h"

#include <atomic>

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

void tensorc::rt::countFork() {
  generation.fetch_add(1, std::memory_order_release);
}

void tensorc::rt::lockProcess() {
  for (std::mutex &lock : locks)
    lock.lock();
}

void tensorc::rt::unlockProcess() {
  for (std::mutex &lock : locks)
    lock.unlock();
}
