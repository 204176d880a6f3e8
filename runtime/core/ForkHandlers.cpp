//===- ForkHandlers.cpp - locks that are held around a fork ---------------===//
#include "runtime/core/Driver.h"
#include "runtime/core/threads/Fork.h"

#include <pthread.h>

using namespace tensorc::rt;

static void lockAll() {
  waitForDevices();
  lockProcess();
  Allocator::lockAll();
}

static void unlockAll() {
  Allocator::unlockAll();
  unlockProcess();
}

static void enterChild() {
  countFork();
  unlockAll();
}

[[gnu::constructor]] static void registerForFork() {
  // Fails only if there is no memory for the registration; forks are then not
  // protected.
  (void)pthread_atfork(lockAll, unlockAll, enterChild);
}
