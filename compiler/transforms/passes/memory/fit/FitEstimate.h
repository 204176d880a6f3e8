//===- FitEstimate.h - Memory and time of a program under a limit ---------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FIT_FITESTIMATE_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FIT_FITESTIMATE_H

#include "ir/program/Txp.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tensorc::compiler {

struct FitMemoryPassOptions;

/// What txp-fit-memory can do for the entries of a module.
struct FitEstimate {
  /// False if a size is known only at run time. The limit is then enforced by
  /// the allocator, and nothing else is known.
  bool isKnown = true;
  bool fits = true;
  /// True if only decisions that cost no time were made.
  bool isFree = true;
  /// The bytes of the plan, or of the smallest one if none fits; the maximum of
  /// all entries.
  int64_t bytes = 0;
  /// Estimated time of a run, summed over the entries.
  double seconds = 0;
  /// The bytes that each entry needs without decisions.
  std::vector<int64_t> natural;
};

/// Which decisions a search tries.
enum class FitEffort {
  Free, // those that cost no time, which takes milliseconds
  Full,
};

/// Runs the search of txp-fit-memory, and changes nothing.
FitEstimate estimateFit(mlir::ModuleOp module,
                        const FitMemoryPassOptions &options, FitEffort effort);

/// Bytes that a program needs at the sizes for which it was planned.
struct PlannedBytes {
  int64_t natural = 0, needed = 0;
};

/// Changes a program with named sizes so that it fits into the limit if the
/// sizes have these values. If it does not fit, only says what the smallest plan
/// needs. Returns nullopt if it cannot be planned.
std::optional<PlannedBytes> fitForSizes(txp::FuncOp program,
                                        mlir::DictionaryAttr sizes,
                                        int64_t limit,
                                        const FitMemoryPassOptions &options);

/// Adds programs of the same kernels that need less memory if the named sizes
/// have the values of txp.planned_sizes; see PlanSizes.cpp.
void planForSizes(mlir::ModuleOp module, const FitMemoryPassOptions &options);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FIT_FITESTIMATE_H
