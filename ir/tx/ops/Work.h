//===- Work.h - The arithmetic of an op -----------------------------------===//
#ifndef TENSORC_IR_TX_OPS_WORK_H
#define TENSORC_IR_TX_OPS_WORK_H

#include "ir/shape/Dim.h"

#include "mlir/IR/Operation.h"

namespace tensorc::tx {

/// Returns the number of arithmetic operations: one per element of an
/// element-wise op, one per element that a reduction or scan reads, one
/// multiplication and one addition per product of a contraction, 0 for other
/// ops.
shape::Dim flopsOf(mlir::Operation *op);

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_OPS_WORK_H
