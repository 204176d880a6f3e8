//===- CpuTarget.h - The cpu target (cpu, cpu:...) --------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_CPU_CPUTARGET_H
#define TENSORC_CODEGEN_TARGETS_CPU_CPUTARGET_H

#include "codegen/targets/Target.h"

namespace tensorc::codegen {

/// Returns the facts for a target string of a CPU.
TargetInfo getCpuInfo(llvm::StringRef target);

/// Appends the passes that lower kernels from upstream dialects to the llvm
/// dialect. `pm` is anchored on the kernels' module. Returns an error if the
/// target is unknown.
llvm::Error addCpuLowerPasses(mlir::OpPassManager &pm,
                              const CodegenOptions &options);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_TARGETS_CPU_CPUTARGET_H
