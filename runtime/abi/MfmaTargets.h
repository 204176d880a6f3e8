//===- MfmaTargets.h - code without matrix instructions ---------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_ABI_MFMATARGETS_H
#define TENSORC_RUNTIME_ABI_MFMATARGETS_H

#include <string_view>

namespace tensorc::rt {

/// Suffix of a target whose code runs on the same chip, but contains no matrix
/// instructions, as in "rocm:gfx942-mfma".
inline constexpr std::string_view withoutMfma = "-mfma";

} // namespace tensorc::rt

#endif
