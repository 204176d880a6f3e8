//===- FitEstimate.h - Memory and time of a program under a limit ---------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FITESTIMATE_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FITESTIMATE_H

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
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

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_FITESTIMATE_H
