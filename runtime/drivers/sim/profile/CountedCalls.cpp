//===- CountedCalls.cpp - callbacks of a block that is counted ------------===//
//
// Each callback counts the work that hardware would do, and then calls the
// callback without counting.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/sim/block/Matrices.h"
#include "runtime/drivers/sim/calls/Calls.h"

#include <bit>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Bytes per row of a matrix that ldmatrix loads.
static constexpr uint64_t rowBytes = 16;

/// Returns the counters of the thread's block.
static Counters &countersOf(const Thread &thread) {
  return *thread.owner->grid->counters;
}

static void countAccess(const Thread &thread, const void *address,
                        uint64_t bytes, uint32_t site) {
  const BlockMemory &memory = thread.owner->memory;
  auto token = reinterpret_cast<uint64_t>(address);
  uint32_t number = simSegment(token);
  const Segment *segment = memory.find(number);
  if (!(token & simTokenBit) || !segment)
    return; // private memory, or an error that the check will report
  bool isShared = memory.isShared(number);
  uint64_t base = isShared ? memory.sharedOffset(number)
                           : reinterpret_cast<uint64_t>(segment->host);
  countersOf(thread).access(thread.thread, site, isShared,
                            base + static_cast<uint64_t>(simOffset(token)),
                            bytes);
}

static void *accessCounted(SimThread *self, void *token,
                           uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  countAccess(thread, token, thread.owner->site(site).bytes, site);
  return calls::access(self, token, site);
}

static void *accessMaskedCounted(SimThread *self, void *token, uint64_t mask,
                                 uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  uint64_t bytes = thread.owner->site(site).bytes;
  if (mask) {
    auto first = static_cast<unsigned>(std::countr_zero(mask));
    auto last = 64 - static_cast<unsigned>(std::countl_zero(mask));
    countAccess(thread, static_cast<char *>(token) + first * bytes,
                (last - first) * bytes, site);
  }
  return calls::accessMasked(self, token, mask, site);
}

static void barrierCounted(SimThread *self, uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  countersOf(thread).execute(thread.thread, site);
  calls::barrier(self, site);
}

static uint64_t shuffleCounted(SimThread *self, uint64_t value,
                               uint32_t operand, uint32_t width,
                               SimShuffle mode, uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  countersOf(thread).execute(thread.thread, site);
  return calls::shuffle(self, value, operand, width, mode, site);
}

static void loadMatricesCounted(SimThread *self, void *token,
                                uint32_t *registers, uint32_t transposed,
                                uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  countAccess(thread, token, rowBytes, site);
  calls::loadMatrices<true>(self, token, registers, transposed, site);
}

static void multiplyCounted(SimThread *self, uint32_t *registers,
                            SimMultiply kind, uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  countersOf(thread).execute(thread.thread, site, matrixFlopsPerLane(kind));
  calls::multiply(self, registers, kind, site);
}

static void copyAsyncCounted(SimThread *self, void *to, void *from,
                             uint32_t inside, uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  uint64_t bytes = thread.owner->site(site).bytes;
  if (inside)
    countAccess(thread, from, bytes, site);
  countAccess(thread, to, bytes, site);
  calls::copyAsync<true>(self, to, from, inside, site);
}

static void tensorCopyCounted(SimThread *self, const void *map,
                              const int64_t *coordinates, void *to,
                              void *mbarrier, uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  const TensorMap &box = static_cast<const BoundMap *>(map)->map;
  uint64_t bytes = box.elementBytes;
  for (uint32_t d = 0; d < box.rank; ++d)
    bytes *= box.box[d];
  countersOf(thread).bulkCopy(thread.thread, site, bytes);
  calls::tensorCopy(self, map, coordinates, to, mbarrier, site);
}

static void namedBarrierCounted(SimThread *self, uint32_t number,
                                uint32_t participants, uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  countersOf(thread).execute(thread.thread, site);
  calls::namedBarrier(self, number, participants, site);
}

static void wgmmaCounted(SimThread *self, uint32_t *registers, uint64_t left,
                         uint64_t right, uint64_t what,
                         uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  SimWgmma op = SimWgmma::decode(what);
  // The product has 64 rows per warpgroup of 128 threads, and 16 elements of
  // K per step.
  uint64_t flops = uint64_t(2) * 64 * op.columns * 16 * op.steps / 128;
  countersOf(thread).execute(thread.thread, site, flops);
  calls::wgmma(self, registers, left, right, what, site);
}

static void countExecuted(SimThread *self, uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  countersOf(thread).execute(thread.thread, site);
}

static void branchCounted(SimThread *self, uint32_t taken,
                          uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  countersOf(thread).branch(thread.thread, site, taken != 0);
}

static void radixCounted(SimThread *self, uint64_t unit, uint64_t divisor,
                         uint32_t) noexcept {
  countersOf(threadOf(self)).radix(unit, divisor);
}

const SimCalls &tensorc::rt::sim::countedCalls() {
  static const SimCalls calls = {
      accessCounted,        accessMaskedCounted,  barrierCounted,
      shuffleCounted,       loadMatricesCounted,  multiplyCounted,
      copyAsyncCounted,     calls::commitCopies,  calls::waitForCopies,
      calls::mbarrierInit,  calls::mbarrierFence, calls::mbarrierArrive,
      calls::mbarrierWait,  tensorCopyCounted,    namedBarrierCounted,
      calls::sharedAddress, wgmmaCounted,         calls::wgmmaWait,
      countExecuted,        branchCounted,        radixCounted};
  return calls;
}
