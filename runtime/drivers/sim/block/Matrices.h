//===- Matrices.h - matrix instructions of a subgroup -----------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_MATRICES_H
#define TENSORC_RUNTIME_DRIVERS_SIM_BLOCK_MATRICES_H

#include "runtime/drivers/sim/block/Thread.h"

#include <span>

namespace tensorc::rt::sim {

/// Number of lanes of ldmatrix.
constexpr uint32_t matrixLoadLanes = 32;
/// Loads matrices to the registers of all lanes.
void loadMatrices(std::span<Thread> lanes);

/// Returns the number of lanes of a multiplication.
uint32_t matrixLanes(SimMultiply kind);
/// Returns the number of operations on f16 that take as long as a
/// multiplication, divided by its lanes.
uint64_t matrixFlopsPerLane(SimMultiply kind);
/// Multiplies the matrices in the registers of all lanes.
void multiplyMatrices(std::span<Thread> lanes);

} // namespace tensorc::rt::sim

#endif
