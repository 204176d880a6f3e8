//===- FakeHip.cpp - a libamdhip64.so without a GPU -----------------------===//
#include "EntryPoints.h"

#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <string_view>

using namespace tensorc::fakes;
using namespace tensorc::rt::gpu;

const Flavour tensorc::fakes::flavour = {"fake libamdhip64", "gfx942",
                                         64 << 10};

/// As in the real one, a thread begins with device 0.
static thread_local int current = 0;

FakeDevice *tensorc::fakes::currentDevice() {
  return devices()[static_cast<size_t>(current)];
}

/// Numbers of hip_runtime_api.h.
int tensorc::fakes::attributeOf(int attribute) {
  switch (attribute) {
  case 23: // the version's two numbers
    return 9;
  case 61:
    return 4;
  case 56: // threads of a block
    return 1024;
  case 74: // shared memory of a block
    return 64 << 10;
  case 87: // threads of a wavefront
    return 64;
  case 57: // threads of a multiprocessor
    return 2048;
  case 63: // multiprocessors
    return 304;
  case 88: // memory pools
    return 1;
  default:
    return 0;
  }
}

/// TENSORC_FAKE_BROKEN=mfma: kernels of code objects with instructions of this
/// unit write nothing. v_mfma_f32_16x16x16_f16 and its bf16 are 0xd3cd and
/// 0xd3e1 in the high half of a word.
static bool hasBrokenMfma(const char *image) {
  const char *value = std::getenv("TENSORC_FAKE_BROKEN");
  if (!value || std::string_view(value) != "mfma")
    return false;
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof(header));
  for (Elf64_Off at = 0; at + 4 <= header.e_shoff; at += 4) {
    uint16_t high = 0;
    std::memcpy(&high, image + at + 2, sizeof(high));
    if (high == 0xd3cd || high == 0xd3e1)
      return true;
  }
  return false;
}

extern "C" {
FAKE_EXPORT Result hipRuntimeGetVersion(int *out) {
  *out = 60240092; // 6.2
  return success;
}

FAKE_EXPORT Result hipGetDevice(int *out) {
  *out = current;
  return success;
}

FAKE_EXPORT Result hipSetDevice(int device) {
  if (device < 0 || static_cast<size_t>(device) >= devices().size())
    return invalidDevice;
  current = device;
  return success;
}

FAKE_EXPORT Result hipGetDevicePropertiesR0600(void *out, int) {
  // hipDeviceProp_tR0600 and its gcnArchName. TENSORC_FAKE_ARCH_OFFSET: a
  // release in which it is elsewhere; 0: one that has none.
  constexpr size_t size = 1472;
  const char *value = std::getenv("TENSORC_FAKE_ARCH_OFFSET");
  size_t offset = value ? std::strtoull(value, nullptr, 10) : 1160;
  std::memset(out, 0, size);
  std::strcpy(static_cast<char *>(out), "a fake gfx of AMD");
  if (offset)
    std::strcpy(static_cast<char *>(out) + offset, "gfx942:sramecc+:xnack-");
  return success;
}

FAKE_EXPORT Result hipDeviceEnablePeerAccess(int peer, unsigned) {
  return peer == current ? invalidValue : success;
}

FAKE_EXPORT Result hipMemcpyPeerAsync(void *to, int toDevice, const void *from,
                                      int fromDevice, size_t size,
                                      Stream_t stream) {
  FakeDevice &device = *currentDevice();
  if (device.sticky != success)
    return device.sticky;
  return copyBetween(*devices()[static_cast<size_t>(toDevice)], to,
                     *devices()[static_cast<size_t>(fromDevice)], from, size,
                     *reinterpret_cast<FakeStream *>(stream));
}

FAKE_EXPORT Result hipModuleLoadData(Module_t *out, const void *image) {
  FakeDevice &device = *currentDevice();
  if (device.sticky != success)
    return device.sticky;
  FakeModule *module = nullptr;
  std::string log;
  Result result = loadModule(static_cast<const char *>(image), module, log);
  if (module)
    module->computesNothing |= hasBrokenMfma(static_cast<const char *>(image));
  *out = reinterpret_cast<Module_t>(module);
  return result;
}

FAKE_EXPORT const char *hipGetErrorName(Result result) {
  return result == illegalAddress ? "hipErrorIllegalAddress"
         : result == launchFailed ? "hipErrorLaunchFailure"
         : result == invalidImage ? "hipErrorInvalidImage"
                                  : "hipErrorFake";
}

FAKE_EXPORT const char *hipGetErrorString(Result result) {
  return result == illegalAddress ? "an illegal memory access was encountered"
         : result == launchFailed ? "unspecified launch failure"
         : result == invalidImage ? "device kernel image is invalid"
                                  : "a fake error";
}
}
