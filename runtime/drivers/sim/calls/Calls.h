//===- Calls.h - the functions that kernels call ----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_CALLS_CALLS_H
#define TENSORC_RUNTIME_DRIVERS_SIM_CALLS_CALLS_H

#include "runtime/drivers/sim/block/ThreadBlock.h"

namespace tensorc::rt::sim {

inline Thread &threadOf(SimThread *self) {
  return *static_cast<Thread *>(self);
}

/// The table for kernels whose blocks are counted.
const SimCalls &countedCalls();
/// The tables for kernels whose accesses are checked, and for the others.
extern const SimCalls checkedCalls, uncheckedCalls;

/// The callbacks, see SimCalls.
namespace calls {

void *access(SimThread *, void *token, uint32_t site) noexcept;
void *accessUnchecked(SimThread *, void *address, uint32_t) noexcept;
void *accessMasked(SimThread *, void *token, uint64_t mask,
                   uint32_t site) noexcept;
void *accessMaskedUnchecked(SimThread *, void *address, uint64_t,
                            uint32_t) noexcept;

void barrier(SimThread *, uint32_t site) noexcept;
void namedBarrier(SimThread *, uint32_t number, uint32_t threads,
                  uint32_t site) noexcept;
void mbarrierInit(SimThread *, void *token, uint32_t arrivals,
                  uint32_t site) noexcept;
void mbarrierFence(SimThread *, uint32_t site) noexcept;
void mbarrierArrive(SimThread *, void *token, uint32_t bytes,
                    uint32_t site) noexcept;
void mbarrierWait(SimThread *, void *token, uint32_t parity,
                  uint32_t site) noexcept;

uint64_t shuffle(SimThread *, uint64_t value, uint32_t operand, uint32_t width,
                 SimShuffle mode, uint32_t site) noexcept;
template <bool Checked>
void loadMatrices(SimThread *, void *token, uint32_t *registers,
                  uint32_t transposed, uint32_t site) noexcept;
void multiply(SimThread *, uint32_t *registers, SimMultiply kind,
              uint32_t site) noexcept;

template <bool Checked>
void copyAsync(SimThread *, void *to, void *from, uint32_t inside,
               uint32_t site) noexcept;
void commitCopies(SimThread *, uint32_t site) noexcept;
void waitForCopies(SimThread *, uint32_t pending, uint32_t site) noexcept;

void tensorCopy(SimThread *, const void *map, const int64_t *coordinates,
                void *to, void *barrier, uint32_t site) noexcept;
uint32_t sharedAddress(SimThread *, void *token, uint32_t site) noexcept;
void wgmma(SimThread *, uint32_t *registers, uint64_t left, uint64_t right,
           uint64_t what, uint32_t site) noexcept;
void wgmmaWait(SimThread *, uint32_t *registers, uint32_t count,
               uint32_t pending, uint32_t site) noexcept;

} // namespace calls

/// Returns the number of the mbarrier at an address. The access is checked as
/// an initialization (SimOp::Write) or an atomic access.
uint32_t findMbarrier(Thread &thread, void *token, uint32_t site, SimOp op);

} // namespace tensorc::rt::sim

#endif
