//===- GpuChips.h - Facts of GPUs, by the chip's name -----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_KERNEL_GPUCHIPS_H
#define TENSORC_CODEGEN_KERNEL_GPUCHIPS_H

#include "codegen/kernel/TargetInfo.h"

#include <optional>

namespace tensorc::codegen {

/// Returns the facts of a chip such as "sm_90" or "gfx942", with an empty name,
/// or nullopt if it is unknown.
std::optional<TargetFacts> getGpuFacts(llvm::StringRef chip);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_GPUCHIPS_H
