//===- BlockErrors.cpp - error messages of a block ------------------------===//
#include "runtime/drivers/sim/block/BlockErrors.h"

#include <cstdarg>
#include <cstdio>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

void BlockErrors::report(const char *format, ...) {
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

std::string BlockErrors::place(uint32_t site) const {
  const SimKernel &kernel = grid->kernel;
  if (site >= kernel.siteCount)
    return "somewhere";
  const SimSite &what = kernel.sites[site];
  std::string text = what.kernel ? kernel.strings + what.kernel : "an access";
  if (what.user)
    text += std::string(" at ") + (kernel.strings + what.user);
  return text;
}

std::string BlockErrors::segmentName(uint32_t number) const {
  uint32_t buffers = grid->kernel.buffers;
  return number < buffers
             ? "argument " + std::to_string(number)
             : "workgroup array " + std::to_string(number - buffers);
}

const char *BlockErrors::verb(SimOp op) {
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

void BlockErrors::reportRange(const Thread &thread, uint64_t token,
                              uint64_t bytes, const Segment *segment,
                              uint32_t site) {
  if (!segment)
    return report("thread %u %s %llu bytes of no buffer (%s)", thread.thread,
                  verb(site), (unsigned long long)bytes, place(site).c_str());
  report("thread %u %s %llu bytes at byte %lld of %s, which has %llu (%s)",
         thread.thread, verb(site), (unsigned long long)bytes,
         (long long)simOffset(token), segmentName(simSegment(token)).c_str(),
         (unsigned long long)segment->bytes, place(site).c_str());
}

void BlockErrors::reportRace(const Thread &thread, uint32_t number,
                             uint64_t offset, uint32_t site,
                             const Finding &finding) {
  const char *does = verb(site);
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
