//===- Mbarriers.cpp - barriers in shared memory --------------------------===//
#include "runtime/drivers/sim/BlockRunner.h"

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

AsyncProxy &BlockRunner::asyncProxy() {
  if (!proxy)
    proxy = std::make_unique<AsyncProxy>(count, sharedUsed);
  return *proxy;
}

/// Called when all threads of the block have met at a barrier. Operations that
/// were known to be finished in one thread are then known in all.
void BlockRunner::shareKnowledge() {
  Knowledge all;
  for (const Knowledge &one : proxy->knowledge)
    all.join(one);
  std::fill(proxy->knowledge.begin(), proxy->knowledge.end(), all);
}

/// Returns the number of the mbarrier at an address. The access is checked as
/// an initialization or an atomic access.
uint32_t BlockRunner::findBarrier(Thread &thread, uint64_t token, uint32_t site,
                                  SimOp op) {
  if (grid->options.checks) {
    char *at = check(thread, token, sizeof(uint64_t), site, op);
    checkAlignment(thread, at, token, site);
  }
  auto &list = asyncProxy().barriers;
  for (uint32_t i = 0; i < list.size(); ++i)
    if (list[i].token == token)
      return i;
  if (op != SimOp::Write || list.size() == Knowledge::maxBarriers) {
    report("thread %u: %s (%s)", thread.thread,
           op == SimOp::Write ? "more mbarriers than are modelled"
                              : "no mbarrier has been made there",
           place(site).c_str());
    abandon();
  }
  list.push_back({token, 0, 0, 0, 0, false, {}, {}});
  return static_cast<uint32_t>(list.size() - 1);
}

void BlockRunner::mbarrierInit(SimThread *self, void *token, uint32_t arrivals,
                               uint32_t site) noexcept {
  auto &thread = *static_cast<Thread *>(self);
  BlockRunner &runner = *thread.owner;
  uint32_t i = runner.findBarrier(thread, reinterpret_cast<uint64_t>(token),
                                  site, SimOp::Write);
  Mbarrier &barrier = runner.proxy->barriers[i];
  barrier.count = barrier.pending = arrivals;
  barrier.isFenced = false;
}

/// Makes mbarriers that have been initialized visible to later copies.
void BlockRunner::mbarrierFence(SimThread *self, uint32_t) noexcept {
  for (Mbarrier &barrier :
       static_cast<Thread *>(self)->owner->asyncProxy().barriers)
    barrier.isFenced = true;
}

void BlockRunner::endPhase(Mbarrier &barrier) {
  if (barrier.pending || barrier.bytes)
    return;
  ++barrier.phase;
  barrier.pending = barrier.count;
  barrier.known.join(barrier.arrived);
  progressed();
}

void BlockRunner::mbarrierArrive(SimThread *self, void *token, uint32_t bytes,
                                 uint32_t site) noexcept {
  auto &thread = *static_cast<Thread *>(self);
  BlockRunner &runner = *thread.owner;
  uint32_t i = runner.findBarrier(thread, reinterpret_cast<uint64_t>(token),
                                  site, SimOp::Atomic);
  Mbarrier &barrier = runner.proxy->barriers[i];
  if (!barrier.pending) {
    runner.report("thread %u arrives at an mbarrier whose phase has all its "
                  "%u arrivals (%s)",
                  thread.thread, barrier.count, runner.place(site).c_str());
    runner.abandon();
  }
  --barrier.pending;
  barrier.bytes += bytes;
  barrier.arrived.join(runner.proxy->knowledge[thread.thread]);
  runner.progressed();
  runner.endPhase(barrier);
}

/// Waits until the phase with this parity is finished. Copies in flight that
/// signal the mbarrier arrive at this point at the latest.
void BlockRunner::mbarrierWait(SimThread *self, void *token, uint32_t parity,
                               uint32_t site) noexcept {
  auto &thread = *static_cast<Thread *>(self);
  BlockRunner &runner = *thread.owner;
  uint32_t i = runner.findBarrier(thread, reinterpret_cast<uint64_t>(token),
                                  site, SimOp::Atomic);
  auto isOver = [&] {
    return (runner.proxy->barriers[i].phase & 1) != (parity & 1);
  };
  while (!isOver()) {
    runner.deliverCopies(i);
    if (!isOver())
      runner.poll(thread, site);
  }
  Knowledge &mine = runner.proxy->knowledge[thread.thread];
  const Mbarrier &barrier = runner.proxy->barriers[i];
  mine.join(barrier.known);
  mine.phases[i] = std::max(mine.phases[i], barrier.phase);
}

/// bar.sync with a barrier number: synchronizes some of the block's subgroups.
void BlockRunner::namedBarrier(SimThread *self, uint32_t number,
                               uint32_t threads, uint32_t site) noexcept {
  auto &thread = *static_cast<Thread *>(self);
  BlockRunner &runner = *thread.owner;
  auto &waiting = runner.asyncProxy().named[number % 16].waiting;
  thread.namedBarrier = number;
  if (++waiting < threads) {
    thread.state = State::AtNamedBarrier;
    thread.site = site;
    --runner.ready;
    runner.leave(thread);
    return;
  }
  waiting = 0;
  Knowledge all = runner.proxy->knowledge[thread.thread];
  auto isThere = [&](const Thread &other) {
    return other.state == State::AtNamedBarrier && other.namedBarrier == number;
  };
  for (uint32_t i = 0; i < runner.count; ++i)
    if (isThere(runner.threads[i]))
      all.join(runner.proxy->knowledge[i]);
  runner.proxy->knowledge[thread.thread] = all;
  for (uint32_t i = 0; i < runner.count; ++i)
    if (isThere(runner.threads[i])) {
      runner.proxy->knowledge[i] = all;
      runner.threads[i].state = State::Ready;
      ++runner.ready;
    }
  ++runner.epoch;
  runner.progressed();
}
