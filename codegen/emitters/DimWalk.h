//===- DimWalk.h - The loops of a fusion that walks along one dim ---------===//
#ifndef TENSORC_CODEGEN_EMITTERS_DIMWALK_H
#define TENSORC_CODEGEN_EMITTERS_DIMWALK_H

#include "codegen/emitters/LoopNest.h"

namespace tensorc::codegen {

/// A scan, or a sort and an argsort of one tensor, and element-wise ops around
/// it. All values have one shape; a *row* is what lies along the walked dim.
struct DimWalk {
  /// Errors are diagnostics.
  static mlir::FailureOr<DimWalk> create(KernelBuilder &kernel);

  /// One scan; or at most one sort and one argsort.
  llvm::SmallVector<mlir::Operation *, 2> ops;
  mlir::Value operand() { return ops.front()->getOperand(0); }

  CollapsedDims loops;
  /// Over `loops`, which are those of the rows and the walked one.
  llvm::SmallVector<unsigned> rowLoops;
  unsigned walkLoop;
  /// Whether what lies side by side in memory is a row. A loop of one step, for
  /// a dim of size 1, is innermost only if it is alone.
  bool walksInnermost() const;

  mlir::AffineExpr length() const { return loops.sizes[walkLoop]; }
  llvm::SmallVector<mlir::AffineExpr> rowSizes() const;
  /// A value per loop, but for the walked one.
  llvm::SmallVector<mlir::Value>
  dimsOf(llvm::ArrayRef<mlir::Value> rowIndex) const;
};

/// Emits and stores the outputs of the fusion at the loops' index.
mlir::LogicalResult storeOutputs(KernelBuilder &kernel, const DimWalk &walk,
                                 ExpressionEmitter &elements);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_DIMWALK_H
