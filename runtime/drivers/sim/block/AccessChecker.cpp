//===- AccessChecker.cpp - checks each access of a kernel -----------------===//
#include "runtime/drivers/sim/block/AccessChecker.h"

#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Number of times that a thread may read an unchanged value before other
/// threads run.
static constexpr uint32_t maxPolls = 32;
/// Maximum number of such reads if no other thread can run.
static constexpr uint32_t maxLonelyPolls = 1u << 16;

char *AccessChecker::check(Thread &thread, uint64_t token, uint64_t bytes,
                           uint32_t site, SimOp op) {
  uint32_t number = simSegment(token);
  const Segment *segment = memory.findAccess(token, bytes);
  if (!segment) {
    errors.reportRange(thread, token, bytes, memory.find(number), site);
    scheduler.abandon();
  }
  auto offset = static_cast<uint64_t>(simOffset(token));
  if (segment->cells) {
    if (memory.isShared(number))
      checkRaces<true>(thread, number, offset, bytes, site, op);
    else
      checkRaces<false>(thread, number, offset, bytes, site, op);
  }
  scheduler.spendAccess(thread, site);
  return segment->host + offset;
}

void AccessChecker::checkAlignment(const Thread &thread, const char *at,
                                   uint64_t token, uint32_t site) {
  unsigned alignment = grid->kernel.sites[site].alignment;
  if (!alignment || reinterpret_cast<uintptr_t>(at) % alignment == 0)
    return;
  errors.report("thread %u: byte %lld of %s is not aligned to %u (%s)",
                thread.thread, (long long)simOffset(token),
                errors.segmentName(simSegment(token)).c_str(), alignment,
                errors.place(site).c_str());
  scheduler.abandon();
}

template <bool Shared>
void AccessChecker::checkRaces(const Thread &thread, uint32_t number,
                               uint64_t offset, uint64_t bytes, uint32_t site,
                               SimOp op) {
  const Segment &segment = memory[number];
  if (Shared && flights.any())
    checkInFlight(thread, number, offset, bytes, site);
  if (Shared && proxy)
    checkAsync(thread, number, offset, bytes, site, op);
  Visit mine(Shared ? memory.owner() : thread.block % Visit::maxOwner + 1,
             thread.thread, scheduler.epoch(), site, op == SimOp::Atomic);
  uint64_t first = offset >> segment.granuleLog;
  uint64_t last = (offset + bytes - 1) >> segment.granuleLog;
  for (uint64_t i = first; i <= last; ++i) {
    Finding finding =
        touch<Shared>(segment.cells[segment.firstCell + i], mine, op);
    if (finding.kind == Finding::None)
      continue;
    errors.reportRace(thread, number, std::max(offset, i << segment.granuleLog),
                      site, finding);
    scheduler.abandon();
  }
}

void AccessChecker::checkSharedRaces(const Thread &thread, uint32_t number,
                                     uint64_t offset, uint64_t bytes,
                                     uint32_t site, SimOp op) {
  checkRaces<true>(thread, number, offset, bytes, site, op);
}

/// Reports an access to the destination of a copy that may still be in flight.
void AccessChecker::checkInFlight(const Thread &thread, uint32_t number,
                                  uint64_t offset, uint64_t bytes,
                                  uint32_t site) {
  auto flight = flights.find(memory[number], offset, bytes);
  if (!flight)
    return;
  errors.report(
      "thread %u %s byte %llu of %s (%s), and nobody has waited for the "
      "copy by thread %u to that place",
      thread.thread, errors.verb(site), (unsigned long long)flight->offset,
      errors.segmentName(number).c_str(), errors.place(site).c_str(),
      flight->thread);
  scheduler.abandon();
}

/// Checks an ordinary access of a thread against asynchronous copies and
/// multiplications.
void AccessChecker::checkAsync(const Thread &thread, uint32_t number,
                               uint64_t offset, uint64_t bytes, uint32_t site,
                               SimOp op) {
  uint64_t address = memory.sharedOffset(number) + offset;
  const char *conflict = proxy->findConflict(thread.thread, address, bytes, op);
  if (!conflict)
    return;
  errors.report("a race: thread %u %s byte %llu of %s (%s), and %s",
                thread.thread, errors.verb(op), (unsigned long long)offset,
                errors.segmentName(number).c_str(), errors.place(site).c_str(),
                conflict);
  scheduler.abandon();
}

void AccessChecker::notePoll(Thread &thread, const char *at, uint32_t site) {
  uint64_t value = 0;
  std::memcpy(&value, at, std::min<size_t>(grid->kernel.sites[site].bytes, 8));
  AtomicAccess &last = thread.lastAtomic;
  if (last.address != at || last.value != value) {
    last = {at, value, 0};
    return;
  }
  ++last.repeats;
  if (grid->kernel.has(simSynchronizes) && last.repeats % maxPolls == 0)
    scheduler.poll(thread, site);
  else if (last.repeats == maxLonelyPolls)
    scheduler.giveUp(thread, site);
}
