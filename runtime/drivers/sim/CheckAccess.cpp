//===- CheckAccess.cpp - checks each access of a kernel -------------------===//
#include "runtime/drivers/sim/BlockRunner.h"

#include <cstring>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Number of times that a thread may read an unchanged value before other
/// threads run.
static constexpr uint32_t maxPolls = 32;
/// Maximum number of such reads if no other thread can run.
static constexpr uint32_t maxLonelyPolls = 1u << 16;

void *BlockRunner::accessUnchecked(SimThread *, void *address,
                                   uint32_t) noexcept {
  return address;
}

void *BlockRunner::accessMaskedUnchecked(SimThread *, void *address, uint64_t,
                                         uint32_t) noexcept {
  return address;
}

void *BlockRunner::access(SimThread *self, void *token,
                          uint32_t site) noexcept {
  auto bits = reinterpret_cast<uint64_t>(token);
  if (!(bits & simTokenBit))
    return token; // private memory
  auto &thread = *static_cast<Thread *>(self);
  BlockRunner &runner = *thread.owner;
  const SimSite &what = runner.grid->kernel.sites[site];
  char *at = runner.check(thread, bits, what.bytes, site);
  runner.checkAlignment(thread, at, bits, site);
  if (what.op == SimOp::Atomic)
    runner.notePoll(thread, at, site);
  return at;
}

void *BlockRunner::accessMasked(SimThread *self, void *token, uint64_t mask,
                                uint32_t site) noexcept {
  auto bits = reinterpret_cast<uint64_t>(token);
  if (!(bits & simTokenBit) || !mask)
    return token;
  auto &thread = *static_cast<Thread *>(self);
  BlockRunner &runner = *thread.owner;
  uint64_t bytes = runner.grid->kernel.sites[site].bytes;
  char *first = nullptr;
  // Each run of set bits is checked as one access.
  while (mask) {
    auto begin = static_cast<unsigned>(__builtin_ctzll(mask));
    uint64_t rest = ~(mask >> begin);
    unsigned length =
        rest ? static_cast<unsigned>(__builtin_ctzll(rest)) : 64 - begin;
    char *at = runner.check(thread, bits + begin * bytes, length * bytes, site);
    first = at - begin * bytes;
    unsigned end = begin + length;
    mask = end == 64 ? 0 : mask & ~uint64_t(0) << end;
  }
  runner.checkAlignment(thread, first, bits, site);
  return first;
}

/// Checks an access and returns the host address of the bytes. Does not return
/// if the access is not allowed.
char *BlockRunner::check(Thread &thread, uint64_t token, uint64_t bytes,
                         uint32_t site, SimOp op) {
  uint32_t number = simSegment(token);
  int64_t offset = simOffset(token);
  if (number >= segments.size() || offset < 0 ||
      bytes > segments[number].bytes ||
      static_cast<uint64_t>(offset) > segments[number].bytes - bytes) {
    reportRange(thread, number, offset, bytes, site);
    abandon();
  }
  const Segment &segment = segments[number];
  if (segment.cells) {
    if (number < grid->kernel.buffers)
      checkRaces<false>(thread, number, offset, bytes, site, op);
    else
      checkRaces<true>(thread, number, offset, bytes, site, op);
  }
  if (--budget == 0)
    giveTurn(thread, site);
  return segment.host + offset;
}

void BlockRunner::checkAlignment(const Thread &thread, const char *at,
                                 uint64_t token, uint32_t site) {
  unsigned alignment = grid->kernel.sites[site].alignment;
  if (!alignment || reinterpret_cast<uintptr_t>(at) % alignment == 0)
    return;
  report("thread %u: byte %lld of %s is not aligned to %u (%s)", thread.thread,
         (long long)simOffset(token), segmentName(simSegment(token)).c_str(),
         alignment, place(site).c_str());
  abandon();
}

template <bool Shared>
void BlockRunner::checkRaces(Thread &thread, uint32_t number, uint64_t offset,
                             uint64_t bytes, uint32_t site, SimOp op) {
  const Segment &segment = segments[number];
  if (Shared && inFlight)
    checkInFlight(thread, number, offset, bytes, site);
  if (Shared && proxy)
    checkAsync(thread, number, offset, bytes, site, op);
  Visit mine(Shared ? generation : block % Visit::maxOwner + 1, thread.thread,
             epoch, site, op == SimOp::Atomic);
  uint64_t first = offset >> segment.granuleLog;
  uint64_t last = (offset + bytes - 1) >> segment.granuleLog;
  for (uint64_t i = first; i <= last; ++i) {
    Finding finding =
        touch<Shared>(segment.cells[segment.firstCell + i], mine, op);
    if (finding.kind == Finding::None)
      continue;
    reportRace(thread, number, std::max(offset, i << segment.granuleLog), site,
               finding);
    abandon();
  }
}

/// Detects polling: a thread that reads the same value repeatedly waits for
/// another thread, which would never run on the same host thread. Switches to
/// it.
void BlockRunner::notePoll(Thread &thread, const char *at, uint32_t site) {
  uint64_t value = 0;
  std::memcpy(&value, at, std::min<size_t>(grid->kernel.sites[site].bytes, 8));
  if (thread.polled != at || thread.polledValue != value) {
    thread.polled = at;
    thread.polledValue = value;
    thread.polls = 0;
    return;
  }
  ++thread.polls;
  if (grid->kernel.has(simSynchronizes) && thread.polls % maxPolls == 0)
    poll(thread, site);
  else if (thread.polls == maxLonelyPolls)
    giveUp(thread, site);
}

template void BlockRunner::checkRaces<true>(Thread &, uint32_t, uint64_t,
                                            uint64_t, uint32_t, SimOp);
