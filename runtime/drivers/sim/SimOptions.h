//===- SimOptions.h - options of the simulator ------------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_SIMOPTIONS_H
#define TENSORC_RUNTIME_DRIVERS_SIM_SIMOPTIONS_H

#include "runtime/core/Status.h"

#include <cstdint>

namespace tensorc::rt::sim {

enum class Order { Forward, Reverse, Random };

/// Options read from the environment at each launch, so that tests can change
/// them.
struct SimOptions {
  /// TENSORC_SIM_ORDER=forward|reverse|random|SEED: the order in which blocks,
  /// and the threads of a block, run.
  Order order = Order::Forward;
  uint64_t seed = 0;
  /// TENSORC_SIM_CHECKS=0 turns off the checks of accesses.
  bool checks = true;
  /// TENSORC_SIM_PROFILE=all: kernels that are compiled for a profile count all
  /// blocks, and not one of each kind.
  bool countsAll = false;

  static SimOptions fromEnvironment();
};

constexpr uint32_t maxListedDevices = 64;

/// Returns an error for the first invalid TENSORC_SIM_* variable. An empty
/// variable counts as unset. The functions below assume that this check
/// succeeded.
Status checkSimEnvironment();

/// Returns the number of devices: TENSORC_SIM_DEVICES, or 1 if unset.
uint32_t simDeviceCount();

/// Returns the number of bytes of each device: TENSORC_SIM_MEMORY, with suffix
/// K, M or G. 0 means the size of the host's memory. Read at each allocation.
uint64_t simMemoryLimit();
/// Returns TENSORC_SIM_DELAY, the additional microseconds of each launch and
/// copy. Read at each of them.
uint32_t simDelay();

} // namespace tensorc::rt::sim

#endif
