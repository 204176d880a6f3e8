//===- KernelTable.h - the constant that describes a kernel -----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_TARGETS_SIM_KERNELTABLE_H
#define TENSORC_CODEGEN_TARGETS_SIM_KERNELTABLE_H

#include "codegen/targets/sim/SiteTable.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SmallSet.h"

namespace tensorc::codegen::sim {

/// What sim-lower-accesses has found out about a kernel's accesses.
struct KernelTraits {
  bool synchronizes = false, hasAtomics = false;
  /// Words through which something is written; or nobody knows.
  llvm::SmallSet<unsigned, 4> written;
  bool writesAnything = false;
  uint64_t stackBytes = 0;
};

/// Adds the SimKernel of the function under its name. The function is renamed
/// to NAME.thread and loses its sim attributes.
void addKernelTable(mlir::LLVM::LLVMFuncOp function, const SiteTable &sites,
                    const KernelTraits &traits);

} // namespace tensorc::codegen::sim

#endif // TENSORC_CODEGEN_TARGETS_SIM_KERNELTABLE_H
