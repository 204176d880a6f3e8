//===- Drivers.h - how drivers make their devices known ---------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_DRIVERS_H
#define TENSORC_RUNTIME_DRIVERS_DRIVERS_H

#include "runtime/core/Driver.h"

namespace tensorc::rt {

void addCpuDevices(std::vector<Device *> &devices);
/// Refuses a TENSORC_CPU that this processor does not run.
Status checkCpuEnvironment();
void addSimDevices(std::vector<Device *> &devices);
/// Refuses variables of the environment that have no meaning for simulators.
Status checkSimulators();
/// The device "sim:gfx942", which is not listed and made when it is first asked
/// for; null for other names.
Device *findSimulatedChip(const char *name);
/// None where the vendor's library is not there.
void addCudaDevices(std::vector<Device *> &devices);
void addHipDevices(std::vector<Device *> &devices);
void addNullDevices(std::vector<Device *> &devices);

} // namespace tensorc::rt

#endif
