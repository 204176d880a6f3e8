//===- AxisNest.h - Loops of scans and sorts along an axis ----------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_AXISNEST_H
#define TENSORC_CODEGEN_EMITTERS_AXISNEST_H

#include "codegen/emitters/LoopNest.h"

namespace tensorc::codegen {

/// The loops of a fusion around a scan, or around a sort and an argsort of one
/// tensor. All values have one shape, except that a sort may store only the
/// first elements of each row. A *row* runs along the scanned or sorted axis.
struct AxisNest {
  /// Reports errors as diagnostics.
  static mlir::FailureOr<AxisNest> create(KernelBuilder &kernel);

  /// The scan; or the sort, the argsort, or both.
  llvm::SmallVector<mlir::Operation *, 2> ops;
  mlir::Value operand() { return ops.front()->getOperand(0); }

  CollapsedDims loops;
  /// Loops over the dims of rows, and the loop along the axis.
  llvm::SmallVector<unsigned> rowLoops;
  unsigned axisLoop;
  /// True if rows are contiguous in memory. A loop of one step, for a dim of
  /// size 1, is innermost only if it is the only loop.
  bool axisIsInnermost() const;

  mlir::AffineExpr length() const { return loops.sizes[axisLoop]; }
  /// Number of elements of a row that are stored, from its first one on.
  mlir::AffineExpr storedLength;
  llvm::SmallVector<mlir::AffineExpr> rowSizes() const;
  /// Returns an index per loop from those of the row; that of the axis is null.
  llvm::SmallVector<mlir::Value>
  dimsOf(llvm::ArrayRef<mlir::Value> rowIndex) const;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_AXISNEST_H
