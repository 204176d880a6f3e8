//===- Drivers.cpp - the table of drivers ---------------------------------===//
#include "runtime/drivers/Drivers.h"

#include <cstdlib>
#include <cstring>

using namespace tensorc::rt;

/// Each adds its devices; a driver without hardware adds none.
static constexpr void (*drivers[])(std::vector<Device *> &) = {
    addCpuDevices,
    addSimDevices,
    addNullDevices,
};

/// May throw std::bad_alloc; the next call then tries again.
static const std::vector<Device *> *makeDevices() {
  auto list = std::make_unique<std::vector<Device *>>();
  try {
    for (auto add : drivers)
      add(*list);
  } catch (...) {
    for (Device *device : *list)
      delete device;
    throw;
  }
  return list.release();
}

static constinit std::atomic<bool> devicesAreWanted{false};

const std::vector<Device *> &tensorc::rt::allDevices() {
  devicesAreWanted.store(true, std::memory_order_relaxed);
  // Never destroyed: work may go on while the process exits.
  static const std::vector<Device *> *devices = makeDevices();
  return *devices;
}

void tensorc::rt::waitForDevices() {
  if (!devicesAreWanted.load(std::memory_order_relaxed))
    return;
  try {
    allDevices();
  } catch (const std::bad_alloc &) {
  }
}

static const char *defaultName() {
  const char *name = std::getenv("TENSORC_DEVICE");
  return name && *name ? name : "cpu";
}

Status tensorc::rt::findDevice(const char *given, Device *&out) {
  const char *name = given ? given : defaultName();
  size_t length = std::strlen(name);
  std::string known;
  for (Device *device : allDevices()) {
    // "cpu" is the first device whose name is "cpu:..."
    if (!std::strcmp(device->name(), name) ||
        (length && !std::strncmp(device->name(), name, length) &&
         device->name()[length] == ':')) {
      out = device;
      return Status();
    }
    known += (known.empty() ? "" : ", ") + std::string(device->name());
  }
  if ((out = findSimulatedChip(name)))
    return Status();
  return error(TENSORC_RT_NOT_FOUND, "no device '%s'%s; there are: %s", name,
               given ? "" : " (from TENSORC_DEVICE)", known.c_str());
}
