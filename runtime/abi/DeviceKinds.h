//===- DeviceKinds.h - The table of kinds of devices ------------*- C++ -*-===//
//
// A kind of device is a row here, a folder of codegen/targets that makes its
// code, and a folder of runtime/drivers that runs it. The runtime, the compiler
// and the C interface read this table; tools/lint/check_vendors.py refuses
// vendors' names elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_ABI_DEVICEKINDS_H
#define TENSORC_RUNTIME_ABI_DEVICEKINDS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace tensorc::rt {

/// A language of a vendor's own in which users write kernels.
struct KernelLanguage {
  const char *name;   // in the program: txp.kernel_source
  const char *title;  // in messages
  const char *suffix; // of a file that holds it
};
inline constexpr KernelLanguage cudaLanguage{"cuda", "CUDA C++", ".cu"};

struct DeviceKind {
  /// Prefix of the names of its devices and targets: "cuda" of "cuda:0" and
  /// "cuda:sm_90".
  std::string_view name;
  /// DLPack's number (DLDeviceType) of its memory, and of host memory that is
  /// pinned for it; 0: DLPack has none.
  int32_t dlpack = 0, dlpackHost = 0;
  /// Programs may pass streams of the vendor's library.
  bool sharesStreams = false;
  /// The language that its target compiles besides MLIR, or null.
  const KernelLanguage *language = nullptr;
  /// The file that holds the version of the loaded driver; empty: the version
  /// of the system's kernel is used instead.
  const char *versionFile = "";
};

/// KIND(name, driver, target, members of DeviceKind...) for a kind with code,
/// DRIVER_ONLY(name, driver, members...) for one without. The driver's function
/// is add<driver>Devices (runtime/drivers/Drivers.h), the target's
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

/// The kind of a device or a target by its name, or null.
constexpr const DeviceKind *findDeviceKind(std::string_view name) {
  std::string_view prefix = name.substr(0, name.find(':'));
  for (const DeviceKind &kind : deviceKinds)
    if (kind.name == prefix)
      return &kind;
  return nullptr;
}

/// The names of the kinds that `isListed`: "cpu, cuda".
template <typename Predicate> std::string listDeviceKinds(Predicate isListed) {
  std::string list;
  for (const DeviceKind &kind : deviceKinds)
    if (isListed(kind))
      list.append(list.empty() ? "" : ", ").append(kind.name);
  return list;
}

/// The titles of the languages that kinds of devices compile: "CUDA C++".
inline std::string listKernelLanguages() {
  std::string list;
  for (const DeviceKind &kind : deviceKinds)
    if (kind.language)
      list.append(list.empty() ? "" : ", ").append(kind.language->title);
  return list;
}

} // namespace tensorc::rt

#endif
