//===- UniformFlow.h - Control flow that a block shares ---------*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_UNIFORMFLOW_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_UNIFORMFLOW_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace tensorc::compiler {

/// Finds values of a kernel that may differ between the threads of a block.
/// What is read from memory may differ, too.
class UniformFlow {
public:
  explicit UniformFlow(mlir::gpu::GPUFuncOp function);

  /// Returns the innermost branch or loop around the op that some threads of a
  /// block may enter without the others, or null.
  mlir::Operation *divergenceAround(mlir::Operation *op) const;

private:
  bool varies(mlir::ValueRange values) const;
  /// Marks the second values where the first vary, or all if `all`.
  void flow(mlir::ValueRange from, mlir::ValueRange to, bool all = false);
  void mark(mlir::ValueRange values);
  void visit(mlir::Operation *op);
  bool diverges(mlir::Operation *op) const;

  llvm::DenseSet<mlir::Value> varying;
  bool hasChanged = false;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_UNIFORMFLOW_H
