//===- AxisNest.h - Loops of scans and sorts along an axis ----------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_AXISNEST_H
#define TENSORC_CODEGEN_EMITTERS_AXISNEST_H

#include "codegen/emitters/LoopNest.h"

namespace tensorc::codegen {

/// The loop nest of a scan, or of a sort and an argsort of one tensor. All
/// values of the fusion have the same shape, except that a sort may store only
/// the first elements of each row. A *row* is a slice along the scanned or
/// sorted axis.
struct AxisNest {
  /// Reports errors as diagnostics.
  static mlir::FailureOr<AxisNest> create(KernelBuilder &kernel);

  /// The scan; or the sort, the argsort, or both.
  llvm::SmallVector<mlir::Operation *, 2> ops;
  mlir::Value operand() { return ops.front()->getOperand(0); }

  CollapsedDims loops;
  /// Indices into `loops`: the loops over the dims other than the axis, and the
  /// loop along the axis.
  llvm::SmallVector<unsigned> rowLoops;
  unsigned axisLoop;
  /// True if the axis loop is innermost, so that the elements of a row are
  /// contiguous. A loop of one iteration (axis of size 1) counts only if it is
  /// the only loop.
  bool axisIsInnermost() const;

  mlir::AffineExpr length() const { return loops.sizes[axisLoop]; }
  /// Number of leading elements of each row that are stored.
  mlir::AffineExpr storedLength;
  llvm::SmallVector<mlir::AffineExpr> rowSizes() const;
  /// Expands an index over `rowLoops` to one value per loop. The entry of the
  /// axis loop is null.
  llvm::SmallVector<mlir::Value>
  dimsOf(llvm::ArrayRef<mlir::Value> rowIndex) const;
};

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_AXISNEST_H
