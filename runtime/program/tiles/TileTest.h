//===- TileTest.h - tests the matrix instructions of packages ---*- C++ -*-===//
#ifndef TENSORC_RUNTIME_PROGRAM_TILES_TILETEST_H
#define TENSORC_RUNTIME_PROGRAM_TILES_TILETEST_H

#include "runtime/program/Module.h"

namespace tensorc::rt {

/// Runs a test program (runtime/abi/TileTest.h) on the device, once in a process
/// for each program. Sets `why` if its result is wrong, or if the driver refuses
/// it. Returns errors that say nothing about the instructions, such as a
/// cancellation, lack of memory or a lost device; the next load then tests
/// again. Devices that compute nothing, or in the host's memory, are not tested.
Status testTiles(Device &device, std::span<const char> package,
                 std::string &why);

/// Reports on stderr if the module's code is used instead of better code whose
/// matrix instructions do not work; once in a process for each device and
/// target.
void reportTiles(const Module &module);

} // namespace tensorc::rt

#endif
