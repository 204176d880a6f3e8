//===- SimOptions.h - how launches are simulated ----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_SIM_SIMOPTIONS_H
#define TENSORC_RUNTIME_DRIVERS_SIM_SIMOPTIONS_H

#include "runtime/core/Status.h"

#include <cstdint>

namespace tensorc::rt::sim {

enum class Order { Forward, Reverse, Random };

/// Read from the environment at each launch, so that a test can change them.
struct SimOptions {
  /// TENSORC_SIM_ORDER=forward|reverse|random|SEED: who runs first, among the
  /// threads of a block and among the blocks.
  Order order = Order::Forward;
  uint64_t seed = 0;
  /// TENSORC_SIM_CHECKS=0: accesses are not looked at.
  bool checks = true;

  static SimOptions fromEnvironment();
};

constexpr uint32_t maxListedDevices = 8;

/// An error that names the first TENSORC_SIM_* that has no meaning; empty ones
/// count as unset. What reads them below may then take them as they are.
Status checkSimEnvironment();

/// How many devices TENSORC_SIM_DEVICES asks for; 1 unless set.
uint32_t simDeviceCount();

/// TENSORC_SIM_MEMORY: bytes that each device has, with K, M or G; 0: as many
/// as the host. Read at each allocation.
uint64_t simMemoryLimit();
/// TENSORC_SIM_DELAY: microseconds that each launch and copy takes longer. Read
/// at each.
uint32_t simDelay();

} // namespace tensorc::rt::sim

#endif
