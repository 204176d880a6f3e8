//===- CpuCosts.h - Costs per microarchitecture -----------------*- C++ -*-===//
//
// These are costs by which emitters choose among kernels that give the same
// bits. The table is in CpuCosts.def.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_CPUCOSTS_H
#define TENSORC_CODEGEN_KERNEL_CPUCOSTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace tensorc::codegen {

struct CpuModel;
class TargetInfo;

enum class CostSource { Measured, Published, Assumed };

/// A cost and the source of its value.
struct Cost {
  int64_t value = 0;
  CostSource source = CostSource::Assumed;
  /// Where the value was measured, who published it, or why it is assumed; see
  /// CpuCosts.def. A test requires it to be set.
  llvm::StringRef origin = {};

  operator int64_t() const { return value; }
};

/// A row of the table: the costs of a microarchitecture.
struct CpuCosts {
  llvm::StringRef name;
  /// LLVM's names of the processors of this microarchitecture, separated by
  /// spaces.
  llvm::StringRef cpus;
#define CPU_COST(NAME, ...) Cost NAME;
#define CPU_ROW(...)
#define CPU_VALUE(...)
#include "codegen/kernel/CpuCosts.def"
};

/// A column of the table: a cost.
struct CostColumn {
  llvm::StringRef name;
  Cost CpuCosts::*cost;
  /// The benchmark that measures the cost again, as COMMAND in `tensorc bench
  /// benchmarks/costs.mlir --entry=COMMAND`.
  llvm::StringRef command;
};

/// Returns the row "generic", followed by those of all microarchitectures.
llvm::ArrayRef<CpuCosts> listCpuCosts();
llvm::ArrayRef<CostColumn> listCostColumns();

/// Returns the row for LLVM's name of a processor, or "generic" if there is
/// none.
const CpuCosts &getCpuCosts(llvm::StringRef cpu);
/// Returns the row of the model's processor. A baseline with AMX uses that of
/// the first processor with AMX.
const CpuCosts &getCpuCosts(const CpuModel &cpu);
/// Returns the row of the target's processor, or that of setHostCosts. Other
/// baselines use "generic", so that their code does not depend on the machine
/// that compiles it. GPUs do, too.
const CpuCosts &getCpuCosts(const TargetInfo &target);

/// True if the table has no row for the processor of this machine. False if
/// TENSORC_TEST_CPU substitutes another processor.
bool lacksHostRow();

/// Sets the row of the target "cpu", such as one with costs that a session has
/// measured on this machine; null restores that of the table. Code that is
/// compiled later uses the row, which must live as long as the process.
void setHostCosts(const CpuCosts *row);

/// Returns the values of the row that setHostCosts has set, where they differ
/// from those of the table, as a string for cache keys. Returns an empty string
/// if no row is set.
std::string getHostCostIdentity();

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_CPUCOSTS_H
