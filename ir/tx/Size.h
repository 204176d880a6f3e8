//===- Size.h - Sizes as values -------------------------------------------===//
//
// Separate from Tx.h because few sources need this op.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_SIZE_H
#define TENSORC_IR_TX_SIZE_H

#include "ir/tx/TxDialect.h"

#define GET_OP_CLASSES
#include "ir/tx/TxSize.h.inc"

#endif // TENSORC_IR_TX_SIZE_H
