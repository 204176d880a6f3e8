//===- Deadlocks.cpp - describes threads that wait ------------------------===//
#include "runtime/drivers/sim/block/Deadlocks.h"

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Returns "thread 3 waits at the barrier (gpu.barrier at k.mlir:7:5)".
static std::string describeWait(const BlockErrors &errors,
                                const Thread &thread) {
  std::string text = "thread " + std::to_string(thread.thread);
  switch (thread.state) {
  case ThreadState::Done:
    return text + " has finished";
  case ThreadState::AtBarrier:
    return text + " waits at a barrier (" + errors.place(thread.site) + ")";
  case ThreadState::AtNamedBarrier:
    return text + " waits at a barrier of some threads (" +
           errors.place(thread.site) + ")";
  case ThreadState::InShuffle:
    return text +
           (thread.together == Together::Shuffle
                ? " waits in a shuffle ("
                : " waits in an operation on matrices (") +
           errors.place(thread.site) + ")";
  case ThreadState::Polling:
    return text + " polls memory (" + errors.place(thread.site) + ")";
  case ThreadState::Ready:
    return text + " runs";
  }
  return text;
}

void tensorc::rt::sim::reportInactiveLanes(BlockErrors &errors,
                                           const Thread &thread,
                                           const Thread &other) {
  errors.report("%s with inactive lanes: %s, and of the same subgroup %s",
                thread.together == Together::Shuffle
                    ? "a shuffle"
                    : "an operation on matrices",
                describeWait(errors, thread).c_str(),
                describeWait(errors, other).c_str());
}

void tensorc::rt::sim::reportDeadlock(BlockErrors &errors,
                                      std::span<const Thread> threads,
                                      uint32_t subgroupSize) {
  const Thread *first = nullptr, *polls = nullptr;
  for (uint32_t i = 0; i < threads.size(); ++i) {
    const Thread &thread = threads[i];
    if (thread.state == ThreadState::Polling && !polls)
      polls = &thread;
    if (thread.state == ThreadState::AtBarrier && !first)
      first = &thread;
    if (thread.state != ThreadState::InShuffle || polls)
      continue;
    size_t begin = i / subgroupSize * subgroupSize;
    size_t size = std::min<size_t>(subgroupSize, threads.size() - begin);
    for (const Thread &other : threads.subspan(begin, size))
      if (other.state != ThreadState::InShuffle &&
          other.state != ThreadState::Polling)
        return reportInactiveLanes(errors, thread, other);
  }
  if (polls) {
    for (uint32_t i = 0; i < threads.size(); ++i)
      if (threads[i].state != ThreadState::Polling)
        return errors.report("a deadlock: %s, and %s",
                             describeWait(errors, *polls).c_str(),
                             describeWait(errors, threads[i]).c_str());
    return errors.report("a deadlock: %s, and nobody changes it",
                         describeWait(errors, *polls).c_str());
  }
  for (uint32_t i = 0; first && i < threads.size(); ++i)
    if (threads[i].state != ThreadState::AtBarrier ||
        threads[i].site != first->site)
      return errors.report("a divergent barrier: %s, and %s",
                           describeWait(errors, *first).c_str(),
                           describeWait(errors, threads[i]).c_str());
  errors.report("a deadlock: no thread can go on");
}
