//===- Drivers.h - registration of devices by drivers -----------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_DRIVERS_H
#define TENSORC_RUNTIME_DRIVERS_DRIVERS_H

#include "runtime/abi/DeviceKinds.h"
#include "runtime/core/Driver.h"

namespace tensorc::rt {

/// The devices that a driver has found.
struct FoundDevices {
  std::vector<Device *> devices;
  /// Name and reason for each device that exists but cannot be used. The error
  /// for a request of a device of this kind contains them.
  std::vector<std::string> refused;
  /// Restrictions of devices that can be used, such as an old driver.
  std::vector<std::string> notes;
  /// Advice on another way to use such hardware. The same error contains it.
  std::string advice;
};

/// For each kind, the function that adds the devices of its driver. It adds
/// none if there is no such hardware, or if the vendor's library is missing.
#define KIND(kind, driver, target, ...)                                        \
  void add##driver##Devices(FoundDevices &found);
#define DRIVER_ONLY(kind, driver, ...)                                         \
  void add##driver##Devices(FoundDevices &found);
TENSORC_DEVICE_KINDS(KIND, DRIVER_ONLY)
#undef DRIVER_ONLY
#undef KIND

/// Returns an error if TENSORC_CPU requests features that this processor lacks.
Status checkCpuEnvironment();
/// Returns an error for invalid environment variables of the simulators.
Status checkSimulators();
/// Returns an unlisted simulated device such as "sim:gfx942", created at the
/// first request; null for other names.
Device *findSimulatedChip(const char *name);

} // namespace tensorc::rt

#endif
