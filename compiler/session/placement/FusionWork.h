//===- FusionWork.h - What kernels read, write and compute ----------------===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_FUSIONWORK_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_FUSIONWORK_H

#include "compiler/output/pipelines/Pipelines.h"
#include "compiler/session/placement/CostModel.h"
#include "ir/tx/Dims.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::placement {

/// One launch of the program: a fusion, or a call of the user's.
struct FusionWork {
  /// Of what is picked out of a value, as much as is picked.
  struct Read {
    shape::Dim whole, picked;
  };
  std::vector<Read> reads;
  shape::Dim written;
  /// Per class. An element-wise op counts one per element, a reduction or scan
  /// one per element read, a contraction a multiplication and an addition.
  std::array<shape::Dim, numRateClasses> operations;

  /// The smaller sum of those that can be compared for all sizes.
  shape::Dim bytesRead() const;
  shape::Dim flops() const;
  /// With sizes for the names. One that nobody knows counts as nothing.
  KernelWork
  at(llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> sizeOf) const;
};
FusionWork workOf(mlir::Operation *op);

/// What a function does after the stage fuse. As long-lived as its context.
class FunctionWork {
public:
  explicit FunctionWork(mlir::func::FuncOp function);

  std::vector<KernelWork>
  at(llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> sizeOf) const;

private:
  std::vector<FusionWork> launches;
};

/// The function's kernels as the planner makes them for the options' target,
/// of a module that has been recorded or parsed; nothing if that fails. The
/// module is used up.
std::optional<FunctionWork> planFor(mlir::func::FuncOp function,
                                    const compiler::CompileOptions &options);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_FUSIONWORK_H
