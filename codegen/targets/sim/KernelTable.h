//===- KernelTable.h - The constant that describes a simulated kernel -----===//
#ifndef TENSORC_CODEGEN_TARGETS_SIM_KERNELTABLE_H
#define TENSORC_CODEGEN_TARGETS_SIM_KERNELTABLE_H

#include "codegen/targets/sim/SiteTable.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SmallSet.h"

namespace tensorc::codegen::sim {

/// Properties of a kernel's accesses that sim-lower-accesses has found.
struct KernelTraits {
  bool synchronizes = false, hasAtomics = false;
  /// Argument words through which something is written. `writesAnything` is set
  /// if a written address is unknown.
  llvm::SmallSet<unsigned, 4> written;
  bool writesAnything = false;
  uint64_t stackBytes = 0;
};

/// Adds the SimKernel of the function, a global with its name. Renames the
/// function to NAME.thread and removes its sim attributes.
void addKernelTable(mlir::LLVM::LLVMFuncOp function, const SiteTable &sites,
                    const KernelTraits &traits);

} // namespace tensorc::codegen::sim

#endif // TENSORC_CODEGEN_TARGETS_SIM_KERNELTABLE_H
