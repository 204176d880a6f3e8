//===- Drivers.cpp - the devices of all drivers ---------------------------===//
#include "runtime/drivers/Drivers.h"

#include "runtime/abi/DeviceKinds.h"
#include "runtime/core/check/Checks.h"
#include "runtime/core/check/Faults.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

using namespace tensorc::rt;

/// The functions that add the drivers' devices, in the order of deviceKinds. A
/// driver whose hardware is missing adds none.
static constexpr void (*drivers[])(FoundDevices &) = {
#define KIND(kind, driver, target, ...) add##driver##Devices,
#define DRIVER_ONLY(kind, driver, ...) add##driver##Devices,
    TENSORC_DEVICE_KINDS(KIND, DRIVER_ONLY)
#undef DRIVER_ONLY
#undef KIND
};
static constexpr size_t numDrivers = std::size(drivers);
static_assert(numDrivers == std::size(deviceKinds));

/// True if TENSORC_LOG has the topic "devices". compiler/log has the list of
/// topics and reports unknown ones.
static bool logsDevices() {
  const char *value = secure_getenv("TENSORC_LOG");
  std::string_view topics = value ? value : "";
  while (!topics.empty()) {
    std::string_view topic = topics.substr(0, topics.find(','));
    if (topic == "devices" || topic == "all" || topic == "1")
      return true;
    topics.remove_prefix(std::min(topics.size(), topic.size() + 1));
  }
  return false;
}

/// May throw std::bad_alloc; then the next call tries again.
static const FoundDevices *makeDevices(size_t driver) {
  auto found = std::make_unique<FoundDevices>();
  try {
    drivers[driver](*found);
  } catch (...) {
    for (Device *device : found->devices)
      delete device;
    throw;
  }
  if (logsDevices())
    for (const auto *sentences : {&found->refused, &found->notes})
      for (const std::string &sentence : *sentences)
        std::fprintf(stderr, "tensorc: %s: %s\n",
                     std::string(deviceKinds[driver].name).c_str(),
                     sentence.c_str());
  return found.release();
}

static constinit std::atomic<bool> wanted[numDrivers] = {};

/// The devices of one driver. They are created on first use, because a GPU's
/// library is slow to start, and never destroyed, because work may go on while
/// the process exits.
template <size_t I> static const FoundDevices &devicesOf() {
  wanted[I].store(true, std::memory_order_relaxed);
  static const FoundDevices *found = makeDevices(I);
  return *found;
}

template <size_t... I>
static constexpr auto makeGetters(std::index_sequence<I...>) {
  return std::array{devicesOf<I>...};
}
static constexpr auto devicesOfDriver =
    makeGetters(std::make_index_sequence<numDrivers>());

static const std::vector<Device *> *joinDevices() {
  auto list = std::make_unique<std::vector<Device *>>();
  for (auto get : devicesOfDriver) {
    const std::vector<Device *> &own = get().devices;
    list->insert(list->end(), own.begin(), own.end());
  }
  return list.release();
}

const std::vector<Device *> &tensorc::rt::allDevices() {
  static const std::vector<Device *> *devices = joinDevices();
  return *devices;
}

void tensorc::rt::waitForDevices() {
  bool all = true;
  for (size_t i = 0; i < numDrivers; ++i) {
    if (!wanted[i].load(std::memory_order_relaxed)) {
      all = false;
      continue;
    }
    try {
      devicesOfDriver[i]();
    } catch (const std::bad_alloc &) {
      all = false;
    }
  }
  try {
    if (all)
      allDevices();
  } catch (const std::bad_alloc &) {
  }
}

/// TENSORC_DEVICE=auto means the host here, because the runtime has no cost
/// model.
static const char *defaultName() {
  const char *name = secure_getenv("TENSORC_DEVICE");
  return name && *name && std::strcmp(name, "auto") ? name : "cpu";
}

/// Returns the device with an alias such as "xpu" or "xpu:1", or null.
static Device *findByAlias(const std::vector<Device *> &devices,
                           std::string_view name) {
  std::string_view prefix = prefixOf(name);
  size_t number = 0;
  for (Device *device : devices) {
    if (device->alias() != prefix)
      continue;
    std::string own = std::string(prefix) + ":" + std::to_string(number++);
    if (name == own || (name == prefix && number == 1))
      return device;
  }
  return nullptr;
}

/// True if `name` denotes this device. "cuda" denotes the first of "cuda:...".
static bool isCalled(const Device &device, const char *name) {
  size_t length = std::strlen(name);
  return !std::strcmp(device.name(), name) ||
         (length && !std::strncmp(device.name(), name, length) &&
          device.name()[length] == ':');
}

Status tensorc::rt::findDevice(const char *given, Device *&out) {
  TENSORC_RT_TRY(verifyChecks());
  TENSORC_RT_TRY(checkCpuEnvironment());
  if (checks().memory)
    reportFaults();
  const char *name = given ? given : defaultName();
  const DeviceAlias *alias = findDeviceAlias(name);
  std::string_view prefix = alias ? alias->kind : prefixOf(name);
  if (prefix == "sim")
    TENSORC_RT_TRY(checkSimulators());
  std::string refused;
  for (size_t i = 0; i < numDrivers; ++i) {
    if (prefix != deviceKinds[i].name)
      continue;
    const FoundDevices &found = devicesOfDriver[i]();
    if (alias && (out = findByAlias(found.devices, name)))
      return Status();
    for (Device *device : found.devices)
      if (isCalled(*device, name))
        return out = device, Status();
    for (const std::string &why : found.refused)
      refused += "; " + why;
    if (!found.advice.empty())
      refused += "; " + found.advice;
  }
  if ((out = findSimulatedChip(name)))
    return Status();
  std::string known;
  for (Device *device : allDevices())
    known += (known.empty() ? "" : ", ") + std::string(device->name());
  return error(TENSORC_RT_NOT_FOUND, "no device '%s'%s%s; there are: %s", name,
               given ? "" : " (from TENSORC_DEVICE)", refused.c_str(),
               known.c_str());
}
