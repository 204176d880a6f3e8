//===- BlockRunner.cpp - runs blocks, one after another -------------------===//
#include "runtime/drivers/sim/BlockRunner.h"

#include "runtime/drivers/sim/calls/Calls.h"

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Stack size of a thread in addition to its frame, for callbacks and signal
/// handlers.
static constexpr size_t stackBase = size_t(64) << 10;

static const SimCalls &callsFor(const Grid &grid) {
  if (grid.counters)
    return countedCalls();
  return grid.options.checks ? checkedCalls : uncheckedCalls;
}

void BlockRunner::runThread(void *context) {
  auto &thread = *static_cast<Thread *>(context);
  ThreadBlock &block = *thread.owner;
  block.grid->kernel.function(&thread, &callsFor(*block.grid),
                              block.memory.arguments());
  block.scheduler.finish(thread);
}

/// Runs all threads of a block one after another on one stack. Used if they
/// never wait.
void BlockRunner::runAllThreads(void *context) {
  auto &block = *static_cast<ThreadBlock *>(context);
  Scheduler &scheduler = block.scheduler;
  const SimCalls &calls = callsFor(*block.grid);
  while (auto i = scheduler.order().next()) {
    scheduler.noteProgress();
    block.grid->kernel.function(&scheduler.threads()[*i], &calls,
                                block.memory.arguments());
    if (block.grid->counters)
      block.grid->counters->finish(*i);
  }
  scheduler.abandon();
}

Status BlockRunner::beginThreads(uint64_t number) {
  const SimKernel &kernel = block.grid->kernel;
  size_t stack = (kernel.stackBytes + stackBase + 4095) & ~size_t(4095);
  bool hasFibers = kernel.has(simSynchronizes);
  std::span<Thread> threads = block.scheduler.threads();
  for (uint32_t i = 0; i < threads.size(); ++i) {
    Thread &thread = threads[i];
    thread.block = number;
    thread.thread = i;
    thread.owner = &block;
    thread.state = ThreadState::Ready;
    thread.lastAtomic = {};
    thread.copies.clear();
    bool hasBegun = hasFibers || i == 0
                        ? thread.fiber.begin(
                              stack, hasFibers ? runThread : runAllThreads,
                              hasFibers ? static_cast<void *>(&thread) : &block)
                        : true;
    if (!hasBegun)
      return outOfMemory();
  }
  return Status();
}

Status BlockRunner::run(uint64_t number) {
  block.begin(number);
  TENSORC_RT_TRY(beginThreads(number));
  block.scheduler.run();
  if (block.grid->counters)
    block.grid->counters->meetAll();
  return block.errors.take();
}
