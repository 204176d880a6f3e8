//===- BarrierCalls.cpp - barriers of threads -----------------------------===//
#include "runtime/drivers/sim/calls/Calls.h"

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

void calls::barrier(SimThread *self, uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  thread.owner->scheduler.waitAtBarrier(thread, site);
}

/// bar.sync with a barrier number: synchronizes some of the block's subgroups.
void calls::namedBarrier(SimThread *self, uint32_t number, uint32_t threads,
                         uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  ThreadBlock &block = *thread.owner;
  Scheduler &scheduler = block.scheduler;
  AsyncProxy &async = block.async();
  uint32_t &waiting = async.waiting[number % AsyncProxy::maxNamedBarriers];
  thread.namedBarrier = number;
  if (++waiting < threads) {
    scheduler.suspend(thread, ThreadState::AtNamedBarrier, site);
    return scheduler.leave(thread);
  }
  waiting = 0;
  Knowledge all = async.knowledge[thread.thread];
  auto isThere = [&](const Thread &other) {
    return other.state == ThreadState::AtNamedBarrier &&
           other.namedBarrier == number;
  };
  for (const Thread &other : scheduler.threads())
    if (isThere(other))
      all.join(async.knowledge[other.thread]);
  async.knowledge[thread.thread] = all;
  for (Thread &other : scheduler.threads())
    if (isThere(other)) {
      async.knowledge[other.thread] = all;
      scheduler.wake(other);
    }
  scheduler.advanceEpoch();
  scheduler.noteProgress();
}

//===----------------------------------------------------------------------===//
// Barriers in shared memory
//===----------------------------------------------------------------------===//

uint32_t tensorc::rt::sim::findMbarrier(Thread &thread, void *token,
                                        uint32_t site, SimOp op) {
  ThreadBlock &block = *thread.owner;
  auto bits = reinterpret_cast<uint64_t>(token);
  if (block.grid->options.checks)
    block.accesses.checkAligned(thread, bits, sizeof(uint64_t), site, op);
  auto &list = block.async().barriers;
  for (uint32_t i = 0; i < list.size(); ++i)
    if (list[i].token == bits)
      return i;
  if (op != SimOp::Write || list.size() == Knowledge::maxBarriers) {
    block.errors.report("thread %u: %s (%s)", thread.thread,
                        op == SimOp::Write ? "more mbarriers than are modelled"
                                           : "no mbarrier has been made there",
                        block.errors.place(site).c_str());
    block.scheduler.abandon();
  }
  list.push_back({bits, 0, 0, 0, 0, false, {}, {}});
  return static_cast<uint32_t>(list.size() - 1);
}

void calls::mbarrierInit(SimThread *self, void *token, uint32_t arrivals,
                         uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  uint32_t i = findMbarrier(thread, token, site, SimOp::Write);
  Mbarrier &barrier = thread.owner->async().barriers[i];
  barrier.count = barrier.pending = arrivals;
  barrier.isFenced = false;
}

/// Makes mbarriers that have been initialized visible to later copies.
void calls::mbarrierFence(SimThread *self, uint32_t) noexcept {
  for (Mbarrier &barrier : threadOf(self).owner->async().barriers)
    barrier.isFenced = true;
}

void calls::mbarrierArrive(SimThread *self, void *token, uint32_t bytes,
                           uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  ThreadBlock &block = *thread.owner;
  uint32_t i = findMbarrier(thread, token, site, SimOp::Atomic);
  Mbarrier &barrier = block.async().barriers[i];
  if (!barrier.pending) {
    block.errors.report(
        "thread %u arrives at an mbarrier whose phase has all its "
        "%u arrivals (%s)",
        thread.thread, barrier.count, block.errors.place(site).c_str());
    block.scheduler.abandon();
  }
  --barrier.pending;
  barrier.bytes += bytes;
  barrier.arrived.join(block.async().knowledge[thread.thread]);
  barrier.endPhase();
  block.scheduler.noteProgress();
}

/// Waits until the phase with this parity is finished. Copies in flight that
/// signal the mbarrier arrive at this point at the latest.
void calls::mbarrierWait(SimThread *self, void *token, uint32_t parity,
                         uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  ThreadBlock &block = *thread.owner;
  uint32_t i = findMbarrier(thread, token, site, SimOp::Atomic);
  AsyncProxy &async = block.async();
  auto isOver = [&] { return (async.barriers[i].phase & 1) != (parity & 1); };
  while (!isOver()) {
    if (async.deliverCopies(i, block.memory.shared()))
      block.scheduler.noteProgress();
    if (!isOver())
      block.scheduler.poll(thread, site);
  }
  Knowledge &mine = async.knowledge[thread.thread];
  const Mbarrier &barrier = async.barriers[i];
  mine.join(barrier.known);
  mine.phases[i] = std::max(mine.phases[i], barrier.phase);
}
