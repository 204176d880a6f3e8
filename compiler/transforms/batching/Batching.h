//===- Batching.h - Functions of a batch ----------------------------------===//
//
// What a function does for one example, for many at once: every op becomes one
// with a dimension more, so that a contraction stays one contraction. What does
// not depend on the batch is computed once. Sizes keep their names.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_BATCHING_BATCHING_H
#define TENSORC_COMPILER_TRANSFORMS_BATCHING_BATCHING_H

#include "ir/shape/Dim.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler {

/// Where the batch is; none: it is shared by all.
using BatchAxis = std::optional<int64_t>;

struct BatchOptions {
  /// How many examples.
  shape::Dim size;
  /// Per argument and per result; of the types with the batch.
  llvm::SmallVector<BatchAxis> in, out;
  /// The new function's name.
  std::string name;
};

/// Adds behind `function` one that does for a batch what it does for one. An
/// error is a diagnostic at the op that cannot be batched, or at the function.
mlir::FailureOr<mlir::func::FuncOp> batch(mlir::func::FuncOp function,
                                          const BatchOptions &options);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_BATCHING_BATCHING_H
