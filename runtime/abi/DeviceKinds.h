//===- DeviceKinds.h - The table of kinds of devices ------------*- C++ -*-===//
//
// A kind of device has a row here, a folder of codegen/targets that generates
// its code, and a folder of runtime/drivers that runs it. The runtime, the
// compiler and the C interface read this table; tools/lint/check_vendors.py
// refuses vendors' names elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_ABI_DEVICEKINDS_H
#define TENSORC_RUNTIME_ABI_DEVICEKINDS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace tensorc::rt {

/// A vendor's language in which users may write kernels, besides MLIR.
struct KernelLanguage {
  const char *name;   // name in programs; see txp.kernel_source
  const char *title;  // name in error messages
  const char *suffix; // suffix of source files
};
inline constexpr KernelLanguage cudaLanguage{"cuda", "CUDA C++", ".cu"};

struct DeviceKind {
  /// The prefix of the names of the kind's devices and targets: "cuda" of
  /// "cuda:0" and "cuda:sm_90".
  std::string_view name;
  /// DLPack's numbers (DLDeviceType) for the device's memory and for host
  /// memory that is pinned for it; 0 if DLPack has none.
  int32_t dlpack = 0, dlpackHost = 0;
  /// True if programs may pass streams of the vendor's library.
  bool sharesStreams = false;
  /// The kernel language that the kind's target compiles besides MLIR, or null.
  const KernelLanguage *language = nullptr;
  /// The file that contains the version of the loaded driver, if the library
  /// does not report it.
  const char *versionFile = "";
};

/// The list of kinds: KIND(name, driver, target, members of DeviceKind...) for
/// a kind that the compiler has a target for, DRIVER_ONLY(name, driver,
/// members...) for a kind that has only a driver. The driver's function is
/// add<driver>Devices (runtime/drivers/Drivers.h), the target's
/// get<target>Target (codegen/targets/Target.h). Devices are listed in this
/// order.
// clang-format off
#define TENSORC_DEVICE_KINDS(KIND, DRIVER_ONLY)                                \
  KIND(cpu, Cpu, Cpu, .dlpack = 1)                                             \
  KIND(cuda, Cuda, Nvptx, .dlpack = 2, .dlpackHost = 3, .sharesStreams = true, \
       .language = &cudaLanguage, .versionFile = "/sys/module/nvidia/version") \
  KIND(rocm, Hip, Amdgpu, .dlpack = 10, .dlpackHost = 11,                      \
       .sharesStreams = true, .versionFile = "/sys/module/amdgpu/version")     \
  KIND(opencl, Opencl, Opencl)                                                 \
  KIND(vulkan, Vulkan, Vulkan)                                                 \
  KIND(metal, Metal, Metal)                                                    \
  KIND(sim, Sim, Sim)                                                          \
  DRIVER_ONLY(null, Null)
// clang-format on

inline constexpr DeviceKind deviceKinds[] = {
#define KIND(kind, driver, target, ...) {.name = #kind, __VA_ARGS__},
#define DRIVER_ONLY(kind, driver, ...) {.name = #kind, __VA_ARGS__},
    TENSORC_DEVICE_KINDS(KIND, DRIVER_ONLY)
#undef DRIVER_ONLY
#undef KIND
};

/// A second name for the GPUs of one vendor among the devices of a kind:
/// "xpu:1" is the second Intel GPU that OpenCL lists.
struct DeviceAlias {
  std::string_view name, kind;
  uint32_t vendor; // the vendor's PCI-SIG number
};
inline constexpr DeviceAlias deviceAliases[] = {
    {"xpu", "opencl", 0x8086}, // Intel
    {"mps", "vulkan", 0x106b}, // Apple, by MoltenVK
};

constexpr std::string_view prefixOf(std::string_view name) {
  return name.substr(0, name.find(':'));
}

/// Returns the alias with which a device's name begins, or null.
constexpr const DeviceAlias *findDeviceAlias(std::string_view name) {
  for (const DeviceAlias &alias : deviceAliases)
    if (alias.name == prefixOf(name))
      return &alias;
  return nullptr;
}

/// Returns the second name of a vendor's GPU, or "".
constexpr std::string_view aliasOf(std::string_view kind, uint32_t vendor) {
  for (const DeviceAlias &alias : deviceAliases)
    if (alias.kind == kind && alias.vendor == vendor)
      return alias.name;
  return {};
}

/// Returns the kind of the device or target with this name, or null.
constexpr const DeviceKind *findDeviceKind(std::string_view name) {
  const DeviceAlias *alias = findDeviceAlias(name);
  std::string_view prefix = alias ? alias->kind : prefixOf(name);
  for (const DeviceKind &kind : deviceKinds)
    if (kind.name == prefix)
      return &kind;
  return nullptr;
}

/// Returns the names of the kinds for which `isListed` returns true: "cpu,
/// cuda".
template <typename Predicate> std::string listDeviceKinds(Predicate isListed) {
  std::string list;
  for (const DeviceKind &kind : deviceKinds)
    if (isListed(kind))
      list.append(list.empty() ? "" : ", ").append(kind.name);
  return list;
}

/// Returns the titles of the languages that the kinds' targets compile: "CUDA
/// C++".
inline std::string listKernelLanguages() {
  std::string list;
  for (const DeviceKind &kind : deviceKinds)
    if (kind.language)
      list.append(list.empty() ? "" : ", ").append(kind.language->title);
  return list;
}

} // namespace tensorc::rt

#endif
