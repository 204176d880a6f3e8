//===- AxisNest.h - Loops of scans and sorts along an axis ----------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_AXISNEST_H
#define TENSORC_CODEGEN_EMITTERS_AXISNEST_H

#include "codegen/emitters/LoopNest.h"

namespace tensorc::codegen {

/// A scan, or a sort and an argsort of one tensor, and element-wise ops around
/// it. All values have one shape, except that a sort may store only the first
/// elements of each row. A *row* lies along the scanned or sorted axis.
struct AxisNest {
  /// Reports errors as diagnostics.
  static mlir::FailureOr<AxisNest> create(KernelBuilder &kernel);

  /// One scan, or at most one sort and one argsort.
  llvm::SmallVector<mlir::Operation *, 2> ops;
  mlir::Value operand() { return ops.front()->getOperand(0); }

  CollapsedDims loops;
  /// Dims of `loops`: those of the rows, and the one along the axis.
  llvm::SmallVector<unsigned> rowLoops;
  unsigned axisLoop;
  /// True if rows are contiguous in memory. A loop of one step, for a dim of
  /// size 1, is innermost only if it is the only loop.
  bool axisIsInnermost() const;

  mlir::AffineExpr length() const { return loops.sizes[axisLoop]; }
  /// Number of elements of a row that are stored, counted from its first.
  mlir::AffineExpr storedLength;
  llvm::SmallVector<mlir::AffineExpr> rowSizes() const;
  /// Returns a value per loop, except for the one along the axis.
  llvm::SmallVector<mlir::Value>
  dimsOf(llvm::ArrayRef<mlir::Value> rowIndex) const;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_AXISNEST_H
