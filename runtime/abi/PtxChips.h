//===- PtxChips.h - chips for which PTX is generated ------------*- C++ -*-===//
//
// The compiler generates PTX for these chips. The CUDA driver uses the table to
// find the code that the installed driver can assemble.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_ABI_PTXCHIPS_H
#define TENSORC_RUNTIME_ABI_PTXCHIPS_H

#include <string_view>

namespace tensorc::rt {

inline constexpr std::string_view ptxPrefix = "cuda:sm_";

/// X(name, features, driver): the target; LLVM's feature for the first version
/// of PTX that supports it (LLVM's default version is older than most chips, and
/// LLVM would abort); and the first driver that assembles this version, as
/// cuDriverGetVersion returns it (12000 is CUDA 12.0).
// clang-format off
#define TENSORC_PTX_CHIPS(X)                                                   \
  X("cuda:sm_75", "+ptx63", 10000)                                             \
  X("cuda:sm_80", "+ptx70", 11000)                                             \
  X("cuda:sm_86", "+ptx71", 11010)                                             \
  X("cuda:sm_89", "+ptx78", 11080)                                             \
  X("cuda:sm_90", "+ptx78", 11080)                                             \
  X("cuda:sm_90a", "+ptx80", 12000)                                            \
  X("cuda:sm_100", "+ptx86", 12070)                                            \
  X("cuda:sm_120", "+ptx87", 12080)
// clang-format on

struct PtxChip {
  std::string_view name;
  const char *features;
  int driver;
};

inline constexpr PtxChip ptxChips[] = {
#define X(name, features, driver) {name, features, driver},
    TENSORC_PTX_CHIPS(X)
#undef X
};

/// Returns the chip with this name, or null.
constexpr const PtxChip *findPtxChip(std::string_view name) {
  for (const PtxChip &chip : ptxChips)
    if (chip.name == name)
      return &chip;
  return nullptr;
}

} // namespace tensorc::rt

#endif
