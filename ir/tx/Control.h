//===- Control.h - Branches and loops -------------------------------------===//
//
// These ops are separate from Tx.h because few sources need them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_CONTROL_H
#define TENSORC_IR_TX_CONTROL_H

#include "ir/tx/TxDialect.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace tensorc::tx {
mlir::LogicalResult verifyBranches(mlir::Operation *op);

template <typename Op>
struct Branches : mlir::OpTrait::TraitBase<Op, Branches> {
  static mlir::LogicalResult verifyRegionTrait(mlir::Operation *op) {
    return verifyBranches(op);
  }
};
} // namespace tensorc::tx

#define GET_OP_CLASSES
#include "ir/tx/TxControl.h.inc"

namespace tensorc::tx {

/// True for tx.if and tx.switch: the first operand selects the block that runs,
/// and the block takes the other operands.
inline bool isBranch(mlir::Operation *op) { return op->hasTrait<Branches>(); }
/// Creates an op like `like`, with empty regions.
mlir::Operation *createBranch(mlir::OpBuilder &b, mlir::Operation *like,
                              mlir::TypeRange results,
                              mlir::ValueRange operands);

/// True if a value is passed to a function by value, as a number instead of a
/// buffer. Branches may forward such a value.
bool isByValue(mlir::Value v);

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_CONTROL_H
