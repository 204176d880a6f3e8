//===- GpuChips.h - Facts of GPUs, by the chip's name -----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_KERNEL_GPUCHIPS_H
#define TENSORC_CODEGEN_KERNEL_GPUCHIPS_H

#include "codegen/kernel/TargetInfo.h"

#include <optional>

namespace tensorc::codegen {

/// Returns the facts of "sm_90", "gfx942", ..., without a target's name.
std::optional<TargetFacts> getGpuFacts(llvm::StringRef chip);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_GPUCHIPS_H
