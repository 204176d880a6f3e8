//===- Drivers.h - how drivers make their devices known ---------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_DRIVERS_H
#define TENSORC_RUNTIME_DRIVERS_DRIVERS_H

#include "runtime/core/Driver.h"

namespace tensorc::rt {

void addCpuDevices(std::vector<Device *> &devices);
/// Returns an error if TENSORC_CPU names a processor that this one cannot run.
Status checkCpuEnvironment();
void addSimDevices(std::vector<Device *> &devices);
/// Returns an error if an environment variable of the simulators is invalid.
Status checkSimulators();
/// Returns the device "sim:gfx942", which is not listed and is created on first
/// use; null for other names.
Device *findSimulatedChip(const char *name);
/// Adds no devices if the vendor's library is missing.
void addCudaDevices(std::vector<Device *> &devices);
void addHipDevices(std::vector<Device *> &devices);
void addNullDevices(std::vector<Device *> &devices);

} // namespace tensorc::rt

#endif
