//===- KernelTable.h - The constant that describes a simulated kernel -----===//
#ifndef TENSORC_CODEGEN_TARGETS_SIM_KERNELTABLE_H
#define TENSORC_CODEGEN_TARGETS_SIM_KERNELTABLE_H

#include "codegen/targets/sim/SiteTable.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SmallSet.h"

namespace tensorc::codegen::sim {

/// Properties of a kernel that sim-lower-accesses derives from its accesses.
struct KernelTraits {
  bool synchronizes = false, hasAtomics = false;
  /// The argument words through which the kernel writes. `writesAnything` is
  /// set if it writes to an address of unknown origin.
  llvm::SmallSet<unsigned, 4> written;
  bool writesAnything = false;
  uint64_t stackBytes = 0;
};

/// Adds the SimKernel of the function, as a global with the function's name.
/// Renames the function to NAME.thread and removes its sim attributes.
void addKernelTable(mlir::LLVM::LLVMFuncOp function, const SiteTable &sites,
                    const KernelTraits &traits);

} // namespace tensorc::codegen::sim

#endif // TENSORC_CODEGEN_TARGETS_SIM_KERNELTABLE_H
