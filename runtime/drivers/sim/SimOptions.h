//===- SimOptions.h - how launches are simulated ----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_SIMOPTIONS_H
#define TENSORC_RUNTIME_DRIVERS_SIM_SIMOPTIONS_H

#include "runtime/core/Status.h"

#include <cstdint>

namespace tensorc::rt::sim {

enum class Order { Forward, Reverse, Random };

/// Options read from the environment at each launch, so that tests can change
/// them.
struct SimOptions {
  /// TENSORC_SIM_ORDER=forward|reverse|random|SEED: the order of the threads of
  /// a block, and of the blocks.
  Order order = Order::Forward;
  uint64_t seed = 0;
  /// TENSORC_SIM_CHECKS=0 turns the checks of accesses off.
  bool checks = true;

  static SimOptions fromEnvironment();
};

constexpr uint32_t maxListedDevices = 8;

/// Returns an error for the first invalid TENSORC_SIM_* variable. Empty
/// variables count as unset. The functions below rely on this check.
Status checkSimEnvironment();

/// Number of devices, from TENSORC_SIM_DEVICES; 1 if unset.
uint32_t simDeviceCount();

/// TENSORC_SIM_MEMORY: bytes of each device, with K, M or G; 0: as many as the
/// host has. Read at each allocation.
uint64_t simMemoryLimit();
/// TENSORC_SIM_DELAY: additional microseconds of each launch and copy. Read at
/// each.
uint32_t simDelay();

} // namespace tensorc::rt::sim

#endif
