//===- CountedCalls.cpp - callbacks of a block that is counted ------------===//
//
// Each callback counts the work that hardware would do, and then calls the
// callback without counting.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/sim/BlockRunner.h"

#include <bit>

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

/// Bytes per row of a matrix that ldmatrix loads.
static constexpr uint64_t rowBytes = 16;
/// Number of operations per lane in a matrix instruction: 2 * 16 * 8 * 16 / 32
/// lanes of mma, which equal 2 * 16 * 16 * 16 / 64 lanes of mfma.
static constexpr uint64_t flopsPerLane = 128;

namespace tensorc::rt::sim {

/// Gives access to the callbacks that do not count.
struct CountedCalls {
  using Thread = BlockRunner::Thread;

  static void countAccess(Thread &thread, uint64_t token, uint64_t bytes,
                          uint32_t site) {
    const BlockRunner &runner = *thread.owner;
    uint32_t number = simSegment(token);
    if (!(token & simTokenBit) || number >= runner.segments.size())
      return; // private memory, or an error that the check will report
    auto offset = static_cast<uint64_t>(simOffset(token));
    bool isShared = number >= runner.grid->kernel.buffers;
    uint64_t base =
        isShared ? runner.segmentBegin(number)
                 : reinterpret_cast<uint64_t>(runner.segments[number].host);
    runner.grid->counters->access(thread.thread, site, isShared, base + offset,
                                  bytes);
  }

  static void *accessCounted(SimThread *self, void *token,
                             uint32_t site) noexcept {
    auto &thread = *static_cast<Thread *>(self);
    BlockRunner &runner = *thread.owner;
    countAccess(thread, reinterpret_cast<uint64_t>(token),
                runner.grid->kernel.sites[site].bytes, site);
    return BlockRunner::access(self, token, site);
  }

  static void *accessMaskedCounted(SimThread *self, void *token, uint64_t mask,
                                   uint32_t site) noexcept {
    auto &thread = *static_cast<Thread *>(self);
    BlockRunner &runner = *thread.owner;
    uint64_t bytes = runner.grid->kernel.sites[site].bytes;
    if (mask) {
      auto first = static_cast<unsigned>(std::countr_zero(mask));
      auto last = 64 - static_cast<unsigned>(std::countl_zero(mask));
      countAccess(thread, reinterpret_cast<uint64_t>(token) + first * bytes,
                  (last - first) * bytes, site);
    }
    return BlockRunner::accessMasked(self, token, mask, site);
  }

  static void barrierCounted(SimThread *self, uint32_t site) noexcept {
    auto &thread = *static_cast<Thread *>(self);
    thread.owner->grid->counters->execute(thread.thread, site);
    BlockRunner::barrier(self, site);
  }

  static uint64_t shuffleCounted(SimThread *self, uint64_t value,
                                 uint32_t operand, uint32_t width,
                                 SimShuffle mode, uint32_t site) noexcept {
    auto &thread = *static_cast<Thread *>(self);
    thread.owner->grid->counters->execute(thread.thread, site);
    return BlockRunner::shuffle(self, value, operand, width, mode, site);
  }

  static void loadMatricesCounted(SimThread *self, void *token,
                                  uint32_t *registers, uint32_t transposed,
                                  uint32_t site) noexcept {
    auto &thread = *static_cast<Thread *>(self);
    countAccess(thread, reinterpret_cast<uint64_t>(token), rowBytes, site);
    BlockRunner::loadMatrices<true>(self, token, registers, transposed, site);
  }

  static void multiplyCounted(SimThread *self, uint32_t *registers,
                              SimMultiply kind, uint32_t site) noexcept {
    auto &thread = *static_cast<Thread *>(self);
    thread.owner->grid->counters->execute(thread.thread, site, flopsPerLane);
    BlockRunner::multiply(self, registers, kind, site);
  }

  static void copyAsyncCounted(SimThread *self, void *to, void *from,
                               uint32_t inside, uint32_t site) noexcept {
    auto &thread = *static_cast<Thread *>(self);
    BlockRunner &runner = *thread.owner;
    uint64_t bytes = runner.grid->kernel.sites[site].bytes;
    if (inside)
      countAccess(thread, reinterpret_cast<uint64_t>(from), bytes, site);
    countAccess(thread, reinterpret_cast<uint64_t>(to), bytes, site);
    BlockRunner::copyAsync<true>(self, to, from, inside, site);
  }

  static void tensorCopyCounted(SimThread *self, const void *map,
                                const int64_t *coordinates, void *to,
                                void *mbarrier, uint32_t site) noexcept {
    auto &thread = *static_cast<Thread *>(self);
    const TensorMap &box = static_cast<const BoundMap *>(map)->map;
    uint64_t bytes = box.elementBytes;
    for (uint32_t d = 0; d < box.rank; ++d)
      bytes *= box.box[d];
    thread.owner->grid->counters->bulkCopy(thread.thread, site, bytes);
    BlockRunner::tensorCopy(self, map, coordinates, to, mbarrier, site);
  }

  static void namedBarrierCounted(SimThread *self, uint32_t number,
                                  uint32_t participants,
                                  uint32_t site) noexcept {
    auto &thread = *static_cast<Thread *>(self);
    thread.owner->grid->counters->execute(thread.thread, site);
    BlockRunner::namedBarrier(self, number, participants, site);
  }

  static void wgmmaCounted(SimThread *self, uint32_t *registers, uint64_t left,
                           uint64_t right, uint64_t what,
                           uint32_t site) noexcept {
    auto &thread = *static_cast<Thread *>(self);
    SimWgmma op = SimWgmma::decode(what);
    // The product has 64 rows per warpgroup of 128 threads, and 16 elements of
    // K per step.
    uint64_t flops = uint64_t(2) * 64 * op.columns * 16 * op.steps / 128;
    thread.owner->grid->counters->execute(thread.thread, site, flops);
    BlockRunner::wgmma(self, registers, left, right, what, site);
  }

  static void countExecuted(SimThread *self, uint32_t site) noexcept {
    auto &thread = *static_cast<Thread *>(self);
    thread.owner->grid->counters->execute(thread.thread, site);
  }

  static void branchCounted(SimThread *self, uint32_t taken,
                            uint32_t site) noexcept {
    auto &thread = *static_cast<Thread *>(self);
    thread.owner->grid->counters->branch(thread.thread, site, taken != 0);
  }

  static void radixCounted(SimThread *self, uint64_t unit, uint64_t divisor,
                           uint32_t) noexcept {
    static_cast<Thread *>(self)->owner->grid->counters->radix(unit, divisor);
  }

  static const SimCalls &get() {
    static const SimCalls calls = {accessCounted,
                                   accessMaskedCounted,
                                   barrierCounted,
                                   shuffleCounted,
                                   loadMatricesCounted,
                                   multiplyCounted,
                                   copyAsyncCounted,
                                   BlockRunner::commitCopies,
                                   BlockRunner::waitForCopies,
                                   BlockRunner::mbarrierInit,
                                   BlockRunner::mbarrierFence,
                                   BlockRunner::mbarrierArrive,
                                   BlockRunner::mbarrierWait,
                                   tensorCopyCounted,
                                   namedBarrierCounted,
                                   BlockRunner::sharedAddress,
                                   wgmmaCounted,
                                   BlockRunner::wgmmaWait,
                                   countExecuted,
                                   branchCounted,
                                   radixCounted};
    return calls;
  }
};

} // namespace tensorc::rt::sim

const SimCalls &tensorc::rt::sim::countedCalls() { return CountedCalls::get(); }
