//===- Reports.cpp - error messages of the simulator ----------------------===//
#include "runtime/drivers/sim/BlockRunner.h"

#include <cstdarg>
#include <cstdio>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Reports an error. Only the first report of a block is kept.
void BlockRunner::report(const char *format, ...) {
  if (failed)
    return;
  failed = true;
  char text[900];
  va_list args;
  va_start(args, format);
  std::vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  failure = error(TENSORC_RT_DEVICE_ERROR, "kernel '%s', block %llu: %s",
                  grid->name, (unsigned long long)block, text);
}

/// Returns "vector.load at model.mlir:12:8".
std::string BlockRunner::place(uint32_t site) const {
  const SimKernel &kernel = grid->kernel;
  if (site >= kernel.siteCount)
    return "somewhere";
  const SimSite &what = kernel.sites[site];
  std::string text = what.kernel ? kernel.strings + what.kernel : "an access";
  if (what.user)
    text += std::string(" at ") + (kernel.strings + what.user);
  return text;
}

const char *BlockRunner::verb(uint32_t site) const {
  return verb(grid->kernel.sites[site].op);
}

std::string BlockRunner::segmentName(uint32_t number) const {
  uint32_t buffers = grid->kernel.buffers;
  return number < buffers
             ? "argument " + std::to_string(number)
             : "workgroup array " + std::to_string(number - buffers);
}

const char *BlockRunner::verb(SimOp op) {
  switch (op) {
  case SimOp::Read:
    return "reads";
  case SimOp::Write:
    return "writes";
  case SimOp::Atomic:
    return "updates";
  case SimOp::Matrix:
    return "loads";
  case SimOp::Copy:
    return "copies";
  default:
    return "touches";
  }
}

void BlockRunner::reportRange(const Thread &thread, uint32_t number,
                              int64_t offset, uint64_t bytes, uint32_t site) {
  const char *does = verb(grid->kernel.sites[site].op);
  if (number >= segments.size())
    return report("thread %u %s %llu bytes of no buffer (%s)", thread.thread,
                  does, (unsigned long long)bytes, place(site).c_str());
  report("thread %u %s %llu bytes at byte %lld of %s, which has %llu (%s)",
         thread.thread, does, (unsigned long long)bytes, (long long)offset,
         segmentName(number).c_str(),
         (unsigned long long)segments[number].bytes, place(site).c_str());
}

void BlockRunner::reportRace(const Thread &thread, uint32_t number,
                             uint64_t offset, uint32_t site,
                             const Finding &finding) {
  const char *does = verb(grid->kernel.sites[site].op);
  std::string where = segmentName(number), here = place(site);
  if (finding.kind == Finding::Uninitialized)
    return report("thread %u %s byte %llu of %s, which nobody has written (%s)",
                  thread.thread, does, (unsigned long long)offset,
                  where.c_str(), here.c_str());
  Visit other = finding.other;
  bool global = number < grid->kernel.buffers;
  // If several threads read the memory, the mark names only one of them, which
  // may be this thread.
  bool sameBlock = !global || (other.owner() == block % Visit::maxOwner + 1 &&
                               other.many() != Visit::Blocks);
  std::string who = "another thread";
  if (!sameBlock)
    who = other.many() == Visit::Blocks
              ? "a thread of another block"
              : "thread " + std::to_string(other.thread()) + " of block " +
                    std::to_string(other.owner() - 1);
  else if (other.thread() != thread.thread)
    who = "thread " + std::to_string(other.thread());
  std::string there =
      other.site() == Visit::unknownSite ? "somewhere" : place(other.site());
  report("a race: thread %u %s byte %llu of %s (%s), and %s %s it (%s) with "
         "no barrier between",
         thread.thread, does, (unsigned long long)offset, where.c_str(),
         here.c_str(), who.c_str(),
         other.isAtomic()
             ? "updates"
             : verb(finding.otherWrote ? SimOp::Write : SimOp::Read),
         there.c_str());
}

/// Returns "thread 3 waits at the barrier (gpu.barrier at k.mlir:7:5)".
std::string BlockRunner::waiting(const Thread &thread) const {
  std::string text = "thread " + std::to_string(thread.thread);
  switch (thread.state) {
  case State::Done:
    return text + " has finished";
  case State::AtBarrier:
    return text + " waits at a barrier (" + place(thread.site) + ")";
  case State::AtNamedBarrier:
    return text + " waits at a barrier of some threads (" + place(thread.site) +
           ")";
  case State::InShuffle:
    return text +
           (thread.together == Together::Shuffle
                ? " waits in a shuffle ("
                : " waits in an operation on matrices (") +
           place(thread.site) + ")";
  case State::Polling:
    return text + " polls memory (" + place(thread.site) + ")";
  case State::Ready:
    return text + " runs";
  }
  return text;
}

void BlockRunner::reportShuffle(const Thread &thread, const Thread &other) {
  report("%s with inactive lanes: %s, and of the same subgroup %s",
         thread.together == Together::Shuffle ? "a shuffle"
                                              : "an operation on matrices",
         waiting(thread).c_str(), waiting(other).c_str());
}

/// Reports a deadlock, and names two threads that wait.
void BlockRunner::reportStuck() {
  const Thread *first = nullptr, *polls = nullptr;
  for (uint32_t i = 0; i < count; ++i) {
    const Thread &thread = threads[i];
    if (thread.state == State::Polling && !polls)
      polls = &thread;
    if (thread.state == State::AtBarrier && !first)
      first = &thread;
    if (thread.state != State::InShuffle || polls)
      continue;
    const Subgroup &subgroup = subgroups[i / grid->kernel.subgroupSize];
    for (uint32_t lane = 0; lane < subgroup.size; ++lane)
      if (const Thread &other = threads[subgroup.begin + lane];
          other.state != State::InShuffle && other.state != State::Polling)
        return reportShuffle(thread, other);
  }
  if (polls) {
    for (uint32_t i = 0; i < count; ++i)
      if (threads[i].state != State::Polling)
        return report("a deadlock: %s, and %s", waiting(*polls).c_str(),
                      waiting(threads[i]).c_str());
    return report("a deadlock: %s, and nobody changes it",
                  waiting(*polls).c_str());
  }
  for (uint32_t i = 0; first && i < count; ++i)
    if (threads[i].state != State::AtBarrier || threads[i].site != first->site)
      return report("a divergent barrier: %s, and %s", waiting(*first).c_str(),
                    waiting(threads[i]).c_str());
  report("a deadlock: no thread can go on");
}
