//===- AxisNest.h - Loops of scans and sorts along an axis ----------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_AXISNEST_H
#define TENSORC_CODEGEN_EMITTERS_AXISNEST_H

#include "codegen/emitters/LoopNest.h"

namespace tensorc::codegen {

/// A scan, or a sort and an argsort of one tensor, and element-wise ops around
/// it. All values have one shape, but what is stored of a sort may be the first
/// elements of each row; a *row* is what lies along that axis.
struct AxisNest {
  /// Errors are diagnostics.
  static mlir::FailureOr<AxisNest> create(KernelBuilder &kernel);

  /// One scan; or at most one sort and one argsort.
  llvm::SmallVector<mlir::Operation *, 2> ops;
  mlir::Value operand() { return ops.front()->getOperand(0); }

  CollapsedDims loops;
  /// Over `loops`, which are those of the rows and the one along the axis.
  llvm::SmallVector<unsigned> rowLoops;
  unsigned axisLoop;
  /// Whether what lies side by side in memory is a row. A loop of one step, for
  /// a dim of size 1, is innermost only if it is alone.
  bool axisIsInnermost() const;

  mlir::AffineExpr length() const { return loops.sizes[axisLoop]; }
  /// How many elements of a row are stored, from the first on.
  mlir::AffineExpr storedLength;
  llvm::SmallVector<mlir::AffineExpr> rowSizes() const;
  /// A value per loop, except for the one along the axis.
  llvm::SmallVector<mlir::Value>
  dimsOf(llvm::ArrayRef<mlir::Value> rowIndex) const;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_AXISNEST_H
