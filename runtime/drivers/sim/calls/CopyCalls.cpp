//===- CopyCalls.cpp - asynchronous copies --------------------------------===//
//
// A copy may write at any time until its thread has waited for it; until then
// no thread may access its destination. To find missing waits, the time of the
// write is varied: at the wait if threads run in order, at once if they run in
// reverse order, and otherwise at random.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/sim/calls/Calls.h"

#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

static void performCopy(const AsyncCopy &copy) {
  if (copy.from)
    std::memcpy(copy.to, copy.from, copy.bytes);
  else
    std::memset(copy.to, 0, copy.bytes);
}

/// Checks the destination of a copy and marks it as in flight. Returns its host
/// address.
static char *startCopy(Thread &thread, void *to, AsyncCopy &copy) {
  ThreadBlock &block = *thread.owner;
  auto token = reinterpret_cast<uint64_t>(to);
  copy.segment = simSegment(token);
  copy.offset = static_cast<uint64_t>(simOffset(token));
  char *at = block.accesses.checkAligned(thread, token, copy.bytes, copy.site,
                                         SimOp::Write);
  if (!block.memory.isShared(copy.segment)) {
    block.errors.report(
        "thread %u copies to %s, which is not the workgroup's (%s)",
        thread.thread, block.errors.segmentName(copy.segment).c_str(),
        block.errors.place(copy.site).c_str());
    block.scheduler.abandon();
  }
  const Segment &segment = block.memory[copy.segment];
  if (segment.cells)
    block.flights.start(segment, copy.offset, copy.bytes, thread.thread);
  return at;
}

template <bool Checked>
void calls::copyAsync(SimThread *self, void *to, void *from, uint32_t inside,
                      uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  ThreadBlock &block = *thread.owner;
  AsyncCopy copy{static_cast<char *>(to),
                 inside ? static_cast<const char *>(from) : nullptr,
                 block.site(site).bytes,
                 site,
                 0,
                 0,
                 thread.copies.committed};
  if (Checked) {
    if (inside)
      copy.from =
          block.accesses.checkAligned(thread, reinterpret_cast<uint64_t>(from),
                                      copy.bytes, site, SimOp::Read);
    copy.to = startCopy(thread, to, copy);
  }
  if (block.scheduler.order().performsAtOnce(site ^ thread.thread))
    performCopy(copy);
  else
    std::memset(copy.to, 0xff, copy.bytes);
  thread.copies.list.push_back(copy);
}

template void calls::copyAsync<true>(SimThread *, void *, void *, uint32_t,
                                     uint32_t) noexcept;
template void calls::copyAsync<false>(SimThread *, void *, void *, uint32_t,
                                      uint32_t) noexcept;

void calls::commitCopies(SimThread *self, uint32_t) noexcept {
  ++threadOf(self).copies.committed;
}

/// Ends the flight of a copy, which then counts as a write of its thread.
static void finishCopy(Thread &thread, const AsyncCopy &copy) {
  ThreadBlock &block = *thread.owner;
  if (block.grid->options.checks && block.memory[copy.segment].cells) {
    block.flights.finish(block.memory[copy.segment], copy.offset, copy.bytes);
    block.accesses.checkSharedRaces(thread, copy.segment, copy.offset,
                                    copy.bytes, copy.site, SimOp::Write);
  }
  performCopy(copy);
}

void calls::waitForCopies(SimThread *self, uint32_t pending,
                          uint32_t) noexcept {
  Thread &thread = threadOf(self);
  AsyncCopies &copies = thread.copies;
  size_t done = 0;
  while (done < copies.list.size() &&
         copies.list[done].group + pending < copies.committed)
    finishCopy(thread, copies.list[done++]);
  copies.list.erase(copies.list.begin(),
                    copies.list.begin() + static_cast<ptrdiff_t>(done));
}
