//===- TileTargets.h - code without matrix instructions ---------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_ABI_TILETARGETS_H
#define TENSORC_RUNTIME_ABI_TILETARGETS_H

#include <string>
#include <string_view>

namespace tensorc::rt {

/// Suffixes of targets whose code runs on the same chip, but contains no matrix
/// instructions, as in "rocm:gfx942-mfma" and "rocm:gfx1100-wmma".
inline constexpr std::string_view withoutMfma = "-mfma", withoutWmma = "-wmma";

/// Returns the name of an AMD chip's target without matrix instructions.
inline std::string targetWithoutTiles(const std::string &own) {
  bool isCdna = own.find("gfx9") != std::string::npos;
  return own + std::string(isCdna ? withoutMfma : withoutWmma);
}

} // namespace tensorc::rt

#endif
