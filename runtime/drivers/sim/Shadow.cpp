//===- Shadow.cpp - the last accesses to memory ---------------------------===//
#include "runtime/drivers/sim/Shadow.h"

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Memory order of the marks. Only one host thread at a time uses workgroup
/// memory, so relaxed accesses suffice there. For global memory, each of two
/// racing accesses leaves its mark before it reads the other's mark, so that at
/// least one of them sees the other.
static constexpr auto plain = std::memory_order_relaxed;

template <bool Shared>
static Visit load(std::atomic<uint64_t> &word, Visit mine) {
  Visit mark(word.load(Shared ? plain : std::memory_order_seq_cst));
  return Shared && mark.owner() != mine.owner() ? Visit() : mark;
}

/// Merges a mark into earlier ones with which it does not conflict. Returns the
/// earlier mark.
template <bool Shared>
static Visit merge(std::atomic<uint64_t> &word, Visit mine) {
  while (true) {
    uint64_t bits = word.load(plain);
    Visit old(bits);
    if (Shared && old.owner() != mine.owner())
      old = Visit();
    Visit merged = old.mergedWith(mine);
    if (merged.bits == bits)
      return old;
    if (Shared) {
      word.store(merged.bits, plain);
      return old;
    }
    if (word.compare_exchange_weak(bits, merged.bits))
      return old;
  }
}

template <bool Shared>
static Visit replace(std::atomic<uint64_t> &word, Visit mine) {
  Visit old = load<Shared>(word, mine);
  if (old.bits == mine.bits)
    return old;
  if (!Shared)
    return Visit(word.exchange(mine.bits));
  word.store(mine.bits, plain);
  return old;
}

template <bool Shared>
Finding tensorc::rt::sim::touch(Cell &cell, Visit mine, SimOp op) {
  if (op == SimOp::Read) {
    merge<Shared>(cell.reader, mine);
    Visit writer = load<Shared>(cell.writer, mine);
    if (Shared && writer.none())
      return {Finding::Uninitialized, writer, false};
    if (writer.isUnordered(mine))
      return {Finding::Race, writer, true};
    return {};
  }
  if (op == SimOp::Atomic) {
    Visit writer = load<Shared>(cell.writer, mine);
    if (Shared && writer.none())
      return {Finding::Uninitialized, writer, false};
    if (!writer.isAtomic() && writer.isUnordered(mine))
      return {Finding::Race, writer, true};
    if (writer.isAtomic())
      merge<Shared>(cell.writer, mine);
    else
      replace<Shared>(cell.writer, mine);
  } else {
    Visit writer = replace<Shared>(cell.writer, mine);
    if (writer.isUnordered(mine))
      return {Finding::Race, writer, true};
  }
  Visit reader = load<Shared>(cell.reader, mine);
  if (reader.isUnordered(mine))
    return {Finding::Race, reader, false};
  return {};
}

template Finding tensorc::rt::sim::touch<true>(Cell &, Visit, SimOp);
template Finding tensorc::rt::sim::touch<false>(Cell &, Visit, SimOp);
