//===- FusionWork.h - Memory traffic and operations of kernels ------------===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_FUSIONWORK_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_FUSIONWORK_H

#include "compiler/output/pipelines/Pipelines.h"
#include "compiler/session/placement/CostModel.h"
#include "ir/tx/Dims.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::placement {

/// One launch of the program: a fusion, or a call of a user kernel.
struct FusionWork {
  /// The bytes of a value that is read, and the bytes that gathers and slices
  /// pick from it.
  struct Read {
    shape::Dim whole, picked;
  };
  std::vector<Read> reads;
  shape::Dim written;
  /// Number of operations of each class. An element-wise op counts one per
  /// element, a reduction or scan one per element read, a contraction one
  /// multiplication and one addition.
  std::array<shape::Dim, numRateClasses> operations;

  /// Returns the number of bytes read. This is the smaller of the sum of
  /// `whole` and the sum of `picked`, if one of them is smaller for all sizes.
  shape::Dim bytesRead() const;
  shape::Dim flops() const;
  /// Evaluates the work for given sizes of the symbols. Unknown symbols count
  /// as 0.
  KernelWork
  at(llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> sizeOf) const;
};
FusionWork workOf(mlir::Operation *op);

/// The work of a function after the stage `fuse`. It must not outlive the
/// function's context.
class FunctionWork {
public:
  explicit FunctionWork(mlir::func::FuncOp function);

  std::vector<KernelWork>
  at(llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> sizeOf) const;

private:
  std::vector<FusionWork> launches;
};

/// Plans a recorded or parsed function for the options' target, and returns its
/// kernels; nullopt if that fails. Consumes the module.
std::optional<FunctionWork> planFor(mlir::func::FuncOp function,
                                    const compiler::CompileOptions &options);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_FUSIONWORK_H
