//===- SpirvModule.h - the kernels of a SPIR-V module -----------*- C++ -*-===//
//
// Vulkan's drivers may crash on invalid modules, so data that is not a SPIR-V
// module, or that lacks a kernel, is refused first.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_DRIVERS_VULKAN_SPIRVMODULE_H
#define TENSORC_RUNTIME_DRIVERS_VULKAN_SPIRVMODULE_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tensorc::rt::vulkan {

struct SpirvModule {
  std::vector<uint32_t> words;
  /// Block sizes of the kernels, by the name of the entry point.
  std::map<std::string, std::array<uint32_t, 3>, std::less<>> kernels;
  /// True if the code depends on the traits of the driver (FloatTraits).
  bool hasSpecConstants = false;
};

/// Returns nullopt if the bytes do not begin with SPIR-V's header or are not a
/// sequence of instructions.
std::optional<SpirvModule> readModule(std::span<const char> bytes);

} // namespace tensorc::rt::vulkan

#endif
