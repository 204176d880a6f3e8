//===- Batching.h - Vectorizes a function over a batch --------------------===//
//
// Every op gets a batch dim, so that a contraction stays one contraction.
// Values that do not depend on the batch are computed once. Symbolic sizes keep
// their names.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_BATCHING_BATCHING_H
#define TENSORC_COMPILER_TRANSFORMS_BATCHING_BATCHING_H

#include "ir/shape/Dim.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler {

/// The batch dim of a value, or nullopt if all examples share the value.
using BatchAxis = std::optional<int64_t>;

struct BatchOptions {
  /// Number of examples.
  shape::Dim size;
  /// The batch dim of each argument and result, in the types with the batch.
  llvm::SmallVector<BatchAxis> in, out;
  /// The new function's name.
  std::string name;
};

/// Adds a function after `function` that computes it for a batch of examples.
/// If an op, or the function itself, cannot be batched, reports an error there.
mlir::FailureOr<mlir::func::FuncOp> batch(mlir::func::FuncOp function,
                                          const BatchOptions &options);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_BATCHING_BATCHING_H
