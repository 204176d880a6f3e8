//===- AccessCalls.cpp - accesses of a kernel to memory -------------------===//
#include "runtime/drivers/sim/calls/Calls.h"

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

void *calls::accessUnchecked(SimThread *, void *address, uint32_t) noexcept {
  return address;
}

void *calls::accessMaskedUnchecked(SimThread *, void *address, uint64_t,
                                   uint32_t) noexcept {
  return address;
}

void *calls::access(SimThread *self, void *token, uint32_t site) noexcept {
  auto bits = reinterpret_cast<uint64_t>(token);
  if (!(bits & simTokenBit))
    return token; // private memory
  Thread &thread = threadOf(self);
  ThreadBlock &block = *thread.owner;
  const SimSite &what = block.site(site);
  char *at =
      block.accesses.checkAligned(thread, bits, what.bytes, site, what.op);
  if (what.op == SimOp::Atomic)
    block.accesses.notePoll(thread, at, site);
  return at;
}

void *calls::accessMasked(SimThread *self, void *token, uint64_t mask,
                          uint32_t site) noexcept {
  auto bits = reinterpret_cast<uint64_t>(token);
  if (!(bits & simTokenBit) || !mask)
    return token;
  Thread &thread = threadOf(self);
  ThreadBlock &block = *thread.owner;
  const SimSite &what = block.site(site);
  uint64_t bytes = what.bytes;
  char *first = nullptr;
  // Each run of set bits is checked as one access.
  while (mask) {
    auto begin = static_cast<unsigned>(__builtin_ctzll(mask));
    uint64_t rest = ~(mask >> begin);
    unsigned length =
        rest ? static_cast<unsigned>(__builtin_ctzll(rest)) : 64 - begin;
    char *at = block.accesses.check(thread, bits + begin * bytes,
                                    length * bytes, site, what.op);
    first = at - begin * bytes;
    unsigned end = begin + length;
    mask = end == 64 ? 0 : mask & ~uint64_t(0) << end;
  }
  block.accesses.checkAlignment(thread, first, bits, site);
  return first;
}
