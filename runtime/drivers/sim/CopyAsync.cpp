//===- CopyAsync.cpp - asynchronous copies --------------------------------===//
//
// A copy may write at any time until its thread has waited for it; until then
// no thread may access its destination. To find missing waits, the time of the
// write is varied: at the wait if threads run in order, at once if they run in
// reverse order, and otherwise at random.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/sim/BlockRunner.h"

#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

static void perform(const AsyncCopy &copy) {
  if (copy.from)
    std::memcpy(copy.to, copy.from, copy.bytes);
  else
    std::memset(copy.to, 0, copy.bytes);
}

/// Reports an access to the destination of a copy that may still be in flight.
void BlockRunner::checkInFlight(const Thread &thread, uint32_t number,
                                uint64_t offset, uint64_t bytes,
                                uint32_t site) {
  const Segment &segment = segments[number];
  uint64_t first = offset >> segment.granuleLog;
  uint64_t last = (offset + bytes - 1) >> segment.granuleLog;
  for (uint64_t i = first; i <= last; ++i) {
    uint16_t owner = flights[segment.firstCell + i];
    if (!owner)
      continue;
    uint64_t at = std::max(offset, i << segment.granuleLog);
    report("thread %u %s byte %llu of %s (%s), and nobody has waited for the "
           "copy by thread %u to that place",
           thread.thread, verb(site), (unsigned long long)at,
           segmentName(number).c_str(), place(site).c_str(), owner - 1);
    abandon();
  }
}

/// Marks the destination of a copy as in flight and returns its host address.
char *BlockRunner::noteCopy(Thread &thread, uint64_t token, AsyncCopy &copy) {
  copy.segment = simSegment(token);
  copy.offset = static_cast<uint64_t>(simOffset(token));
  char *to = check(thread, token, copy.bytes, copy.site, SimOp::Write);
  checkAlignment(thread, to, token, copy.site);
  if (copy.segment < grid->kernel.buffers) {
    report("thread %u copies to %s, which is not the workgroup's (%s)",
           thread.thread, segmentName(copy.segment).c_str(),
           place(copy.site).c_str());
    abandon();
  }
  const Segment &segment = segments[copy.segment];
  if (!segment.cells)
    return to;
  for (uint64_t i = copy.offset >> segment.granuleLog;
       i <= (copy.offset + copy.bytes - 1) >> segment.granuleLog; ++i)
    flights[segment.firstCell + i] = static_cast<uint16_t>(thread.thread + 1);
  ++inFlight;
  return to;
}

template <bool Checked>
void BlockRunner::copyAsync(SimThread *self, void *to, void *from,
                            uint32_t inside, uint32_t site) noexcept {
  auto &thread = *static_cast<Thread *>(self);
  BlockRunner &runner = *thread.owner;
  AsyncCopy copy{static_cast<char *>(to),
                 inside ? static_cast<const char *>(from) : nullptr,
                 runner.grid->kernel.sites[site].bytes,
                 site,
                 0,
                 0,
                 thread.copies.committed};
  if (Checked) {
    if (inside) {
      auto token = reinterpret_cast<uint64_t>(from);
      char *at = runner.check(thread, token, copy.bytes, site, SimOp::Read);
      runner.checkAlignment(thread, at, token, site);
      copy.from = at;
    }
    copy.to = runner.noteCopy(thread, reinterpret_cast<uint64_t>(to), copy);
  }
  bool atOnce = runner.grid->options.order == Order::Reverse ||
                (runner.grid->options.order == Order::Random &&
                 (runner.random ^ site ^ thread.thread) & 1);
  if (atOnce)
    perform(copy);
  else
    std::memset(copy.to, 0xff, copy.bytes);
  thread.copies.list.push_back(copy);
}

template void BlockRunner::copyAsync<true>(SimThread *, void *, void *,
                                           uint32_t, uint32_t) noexcept;
template void BlockRunner::copyAsync<false>(SimThread *, void *, void *,
                                            uint32_t, uint32_t) noexcept;

void BlockRunner::commitCopies(SimThread *self, uint32_t) noexcept {
  ++static_cast<Thread *>(self)->copies.committed;
}

/// Ends the flight of a copy, which then counts as a write of its thread.
void BlockRunner::finishCopy(Thread &thread, const AsyncCopy &copy) {
  if (grid->options.checks && segments[copy.segment].cells) {
    const Segment &segment = segments[copy.segment];
    for (uint64_t i = copy.offset >> segment.granuleLog;
         i <= (copy.offset + copy.bytes - 1) >> segment.granuleLog; ++i)
      flights[segment.firstCell + i] = 0;
    --inFlight;
    checkRaces<true>(thread, copy.segment, copy.offset, copy.bytes, copy.site,
                     SimOp::Write);
  }
  perform(copy);
}

void BlockRunner::waitForCopies(SimThread *self, uint32_t pending,
                                uint32_t) noexcept {
  auto &thread = *static_cast<Thread *>(self);
  AsyncCopies &copies = thread.copies;
  size_t done = 0;
  while (done < copies.list.size() &&
         copies.list[done].group + pending < copies.committed)
    thread.owner->finishCopy(thread, copies.list[done++]);
  copies.list.erase(copies.list.begin(),
                    copies.list.begin() + static_cast<ptrdiff_t>(done));
}
