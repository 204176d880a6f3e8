//===- Control.h - Ops that choose what is computed -----------------------===//
//
// In a header of their own, as few sources know them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_CONTROL_H
#define TENSORC_IR_TX_CONTROL_H

#include "ir/tx/Tx.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

#define GET_OP_CLASSES
#include "ir/tx/TxControl.h.inc"

namespace tensorc::tx {

/// Whether a value is an argument of the function that is a number which
/// launches pass along, and no buffer; also where a branch passes it on.
bool isByValue(mlir::Value v);

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_CONTROL_H
