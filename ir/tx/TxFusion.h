//===- TxFusion.h - What a fusion's outputs must be -------------*- C++ -*-===//
#ifndef TENSORC_IR_TX_TXFUSION_H
#define TENSORC_IR_TX_TXFUSION_H

#include "ir/tx/Tx.h"

namespace tensorc::tx {

/// Whether each output has the shape that the fusion's kind iterates: of a row
/// or column what is reduced or the reduced shape, of a contraction its
/// result's dims in some order. The body's ops need not have been verified.
mlir::LogicalResult verifyFusionOutputs(FusionOp fusion);

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_TXFUSION_H
