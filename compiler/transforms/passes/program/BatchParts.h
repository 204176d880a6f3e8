//===- BatchParts.h - Parts of buffers ------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_BATCHPARTS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_BATCHPARTS_H

#include "compiler/transforms/passes/program/ProgramSizes.h"

namespace tensorc::compiler {

/// Emits the views that tx-split-batch and tx-bucket-reductions add to a
/// program. The buffer of a value contains its parts.
class BatchParts {
public:
  BatchParts(mlir::ImplicitLocOpBuilder &b, ProgramSizes &sizes,
             llvm::DenseMap<mlir::Value, mlir::Value> &values)
      : b(b), sizes(sizes), values(values) {}

  /// Returns memory for the result of a fusion: a part of another buffer if the
  /// result, or a view of it, is a part of a concatenation without a copy.
  mlir::Value allocate(mlir::Value result);
  /// Emits a slice or concatenation that needs no copy. Returns false for other
  /// ops.
  bool emitView(mlir::Operation *op);

private:
  mlir::Value buffer(mlir::Value value);
  mlir::Value part(mlir::Value whole, int64_t offset, mlir::Value like);
  mlir::Value partOf(mlir::Value whole, unsigned number);

  mlir::ImplicitLocOpBuilder &b;
  ProgramSizes &sizes;
  llvm::DenseMap<mlir::Value, mlir::Value> &values;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_BATCHPARTS_H
