//===- BatchParts.h - Views of a batch that is computed in parts ----------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_BATCHPARTS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_BATCHPARTS_H

#include "compiler/transforms/passes/program/ProgramSizes.h"

namespace tensorc::compiler {

/// Emits what tx-split-batch adds to a program. The buffer of a value contains
/// its parts, which are views.
class BatchParts {
public:
  BatchParts(mlir::ImplicitLocOpBuilder &b, ProgramSizes &sizes,
             llvm::DenseMap<mlir::Value, mlir::Value> &values)
      : b(b), sizes(sizes), values(values) {}

  /// Returns memory for the result of a fusion: a part of another buffer if the
  /// result is a part of a batch that is used as a whole.
  mlir::Value allocate(mlir::Value result);
  /// Emits a slice of a batch, or the concatenation of parts, which need no
  /// copy. Returns false for other ops.
  bool emitView(mlir::Operation *op);

private:
  mlir::Value buffer(mlir::Value value);
  mlir::Value part(mlir::Value whole, int64_t number, mlir::Value like);

  mlir::ImplicitLocOpBuilder &b;
  ProgramSizes &sizes;
  llvm::DenseMap<mlir::Value, mlir::Value> &values;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_BATCHPARTS_H
