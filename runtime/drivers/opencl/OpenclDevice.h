//===- OpenclDevice.h - a device and its context ----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_DRIVERS_OPENCL_OPENCLDEVICE_H
#define TENSORC_RUNTIME_DRIVERS_OPENCL_OPENCLDEVICE_H

#include "runtime/drivers/opencl/OpenclApi.h"

#include <string>

namespace tensorc::rt::opencl {

/// One device, with a context of its own.
struct OpenclDevice {
  const Functions &call;
  const DeviceId id;
  const std::string platform;
  Context context = nullptr; // null until the device is open
  // Bytes of the largest allocation, and of the memory; 0 until then.
  uint64_t largest = 0, total = 0;

  template <typename T> T getNumber(uint32_t what) const {
    T value = 0;
    (void)call.GetDeviceInfo(id, what, sizeof(value), &value, nullptr);
    return value;
  }
  std::string getText(uint32_t what) const;
  bool hasExtension(const char *name) const;
  bool isCpu() const { return getNumber<uint64_t>(deviceType) & cpuDeviceType; }
  /// Returns "NAME (PLATFORM)".
  std::string title() const {
    return getText(deviceName) + " (" + platform + ")";
  }
  /// Returns the reason why the device cannot be used; empty if it can.
  std::string findObstacle() const;
};

} // namespace tensorc::rt::opencl

#endif
