//===- CpuCosts.h - What was measured on a microarchitecture ----*- C++ -*-===//
//
// Numbers by which emitters choose among kernels of the same bits. CpuCosts.def
// has the table.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_CPUCOSTS_H
#define TENSORC_CODEGEN_KERNEL_CPUCOSTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tensorc::codegen {

class TargetInfo;

enum class CostSource { Measured, Published, Assumed };

/// A number, and why it is that.
struct Cost {
  int64_t value = 0;
  CostSource source = CostSource::Assumed;
  /// Empty in a table that is not complete.
  llvm::StringRef origin = {};

  operator int64_t() const { return value; }
};

/// A row of the table.
struct CpuCosts {
  llvm::StringRef name;
  /// LLVM's names of its processors, apart by spaces.
  llvm::StringRef cpus;
#define CPU_COST(NAME, ...) Cost NAME;
#define CPU_ROW(...)
#define CPU_VALUE(...)
#include "codegen/kernel/CpuCosts.def"
};

/// A column of the table.
struct CostColumn {
  llvm::StringRef name;
  Cost CpuCosts::*cost;
  /// Measures it again: tensorc bench benchmarks/costs.mlir --entry=COMMAND
  llvm::StringRef command;
};

/// "generic" and all microarchitectures.
llvm::ArrayRef<CpuCosts> listCpuCosts();
llvm::ArrayRef<CostColumn> listCostColumns();

/// The row of a processor by LLVM's name of it; "generic" if it has none.
const CpuCosts &getCpuCosts(llvm::StringRef cpu);
/// The row of the target's processor. A baseline has the generic one, so that
/// its code does not depend on the machine that compiles; so has a GPU.
const CpuCosts &getCpuCosts(const TargetInfo &target);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_CPUCOSTS_H
