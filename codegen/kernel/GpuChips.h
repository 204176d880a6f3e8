//===- GpuChips.h - Properties of GPU chips by name -------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_KERNEL_GPUCHIPS_H
#define TENSORC_CODEGEN_KERNEL_GPUCHIPS_H

#include "codegen/kernel/TargetInfo.h"

#include <optional>

namespace tensorc::codegen {

/// Returns the properties of a chip such as "sm_90" or "gfx942" (the name in
/// them is empty), or nullopt if the chip is unknown.
std::optional<TargetFacts> getGpuFacts(llvm::StringRef chip);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_GPUCHIPS_H
