//===- Scheduler.cpp - switches between the threads of a block ------------===//
#include "runtime/drivers/sim/block/Scheduler.h"

#include "runtime/drivers/sim/block/Deadlocks.h"

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Number of accesses of one thread after which other threads run, and the
/// maximum number of such switches without progress of any thread.
static constexpr uint32_t accessBudget = 1u << 20, maxStalls = 1u << 10;
/// Maximum number of rounds in which all threads only poll or wait.
static constexpr uint32_t maxIdleRounds = 1000;

void Scheduler::prepare(const Grid &of) {
  grid = &of;
  count = of.kernel.blockThreads;
  if (capacity < count) {
    storage = std::make_unique<Thread[]>(count);
    capacity = count;
  }
  runOrder.prepare(of.options, count);
}

void Scheduler::begin(uint64_t block) {
  barriers = 1;
  states = {};
  states.ready = count;
  patience.budget = accessBudget;
  noteProgress();
  runOrder.begin(block);
}

void Scheduler::run() {
  fibers.running = hasFibers() ? &pick()->fiber : &storage[0].fiber;
  fibers.host.switchTo(*fibers.running);
}

void Scheduler::abandon() {
  Fiber &from = *fibers.running;
  fibers.running = nullptr;
  from.switchTo(fibers.host);
  __builtin_unreachable();
}

void Scheduler::leave(Thread &thread) {
  Thread *next = pick();
  if (next == &thread)
    return;
  if (!next)
    abandon();
  fibers.running = &next->fiber;
  thread.fiber.switchTo(next->fiber);
}

/// Returns the next thread in the order that can run, or null if there is none.
Thread *Scheduler::pick() {
  while (true) {
    while (auto number = runOrder.next())
      if (storage[*number].state == ThreadState::Ready)
        return &storage[*number];
    if (!advance())
      return nullptr;
  }
}

/// Ends a round, and begins the next one with the threads that can continue.
/// Returns false if there is no next round.
bool Scheduler::advance() {
  if (errors.any() || states.done == count)
    return false;
  runOrder.beginRound();
  if (states.ready)
    return true;
  if (states.atBarrier == count) {
    releaseBarrier();
    return !errors.any();
  }
  if (states.polling && ++patience.idleRounds < maxIdleRounds) {
    for (Thread &thread : threads())
      if (thread.state == ThreadState::Polling)
        wake(thread);
    states.polling = 0;
    return true;
  }
  reportStuck();
  return false;
}

void Scheduler::releaseBarrier() {
  for (const Thread &thread : threads())
    if (thread.site != storage[0].site)
      return reportStuck();
  for (Thread &thread : threads())
    wake(thread);
  states.atBarrier = 0;
  advanceEpoch();
  afterBarrier();
  noteProgress();
}

void Scheduler::suspend(Thread &thread, ThreadState state, uint32_t site) {
  thread.state = state;
  thread.site = site;
  --states.ready;
}

void Scheduler::wake(Thread &thread) {
  thread.state = ThreadState::Ready;
  ++states.ready;
}

void Scheduler::finish(Thread &thread) {
  thread.state = ThreadState::Done;
  ++states.done;
  --states.ready;
  noteProgress();
  leave(thread);
}

void Scheduler::waitAtBarrier(Thread &thread, uint32_t site) {
  suspend(thread, ThreadState::AtBarrier, site);
  ++states.atBarrier;
  leave(thread);
}

void Scheduler::poll(Thread &thread, uint32_t site) {
  suspend(thread, ThreadState::Polling, site);
  ++states.polling;
  leave(thread);
}

void Scheduler::giveUp(Thread &thread, uint32_t site) {
  thread.site = site;
  thread.state = ThreadState::Polling;
  reportStuck();
  abandon();
}

void Scheduler::giveTurn(Thread &thread, uint32_t site) {
  patience.budget = accessBudget;
  if (++patience.stalls > maxStalls)
    giveUp(thread, site);
  if (hasFibers())
    poll(thread, site);
}

void Scheduler::reportStuck() {
  reportDeadlock(errors, threads(), grid->kernel.subgroupSize);
}
