//===- SubgroupCalls.cpp - operations of whole subgroups ------------------===//
#include "runtime/drivers/sim/calls/Calls.h"

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

uint64_t calls::shuffle(SimThread *self, uint64_t value, uint32_t operand,
                        uint32_t width, SimShuffle mode,
                        uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  ThreadBlock &block = *thread.owner;
  uint32_t size = block.grid->kernel.subgroupSize;
  thread.shuffle = {value, 0, operand, width, mode};
  if (!width || width > size || width & (width - 1)) {
    block.errors.report(
        "thread %u shuffles among %u lanes of a subgroup of %u (%s)",
        thread.thread, width, size, block.errors.place(site).c_str());
    block.scheduler.abandon();
  }
  block.subgroups.join(thread, Together::Shuffle, site);
  return thread.shuffle.result;
}

template <bool Checked>
void calls::loadMatrices(SimThread *self, void *token, uint32_t *registers,
                         uint32_t transposed, uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  ThreadBlock &block = *thread.owner;
  auto *row = static_cast<const char *>(token);
  if (Checked)
    row =
        block.accesses.checkAligned(thread, reinterpret_cast<uint64_t>(token),
                                    block.site(site).bytes, site, SimOp::Read);
  thread.matrix = {registers, row, transposed, {}};
  block.subgroups.join(thread, Together::LoadMatrices, site);
}

template void calls::loadMatrices<true>(SimThread *, void *, uint32_t *,
                                        uint32_t, uint32_t) noexcept;
template void calls::loadMatrices<false>(SimThread *, void *, uint32_t *,
                                         uint32_t, uint32_t) noexcept;

void calls::multiply(SimThread *self, uint32_t *registers, SimMultiply kind,
                     uint32_t site) noexcept {
  Thread &thread = threadOf(self);
  thread.matrix = {registers, nullptr, 0, kind};
  thread.owner->subgroups.join(thread, Together::Multiply, site);
}
