//===- TileTest.h - Tests the matrix instructions of a device ---*- C++ -*-===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_TILETEST_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_TILETEST_H

#include "compiler/session/placement/KeyedFile.h"
#include "runtime/include/tensorc/runtime.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace tensorc::placement {

/// Returns the target for which code of the device is compiled: its own, or a
/// simpler one if testTiles found wrong numbers.
std::string targetOf(tensorc_rt_device *device);

/// Multiplies small matrices of integers with the matrix instructions of the
/// device's target, unless it is simulated. If the product is wrong, reports
/// that on stderr, and targetOf returns a target without these instructions.
/// Tests each combination of device kind, driver and compiler once: `folders`
/// hold earlier outcomes, which are reported again. A test that cannot be run,
/// for example for lack of memory, is repeated by the next call. Must be called
/// before a program that multiplies matrices is compiled for the device.
void testTiles(tensorc_rt_device *device, const FactFolders &folders,
               llvm::StringRef compiler);

/// Locks the outcomes of the tests around a fork, so that the child finds them
/// unlocked. Waits for a running test.
void lockTiles();
void unlockTiles();

/// True if code for the program may use matrix instructions: it has products of
/// matrices, or composite ops that may contain some.
bool mayMultiply(mlir::Operation *module);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_TILETEST_H
