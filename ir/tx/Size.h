//===- Size.h - Sizes as values -------------------------------------------===//
//
// This op is separate from Tx.h because few sources need it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_SIZE_H
#define TENSORC_IR_TX_SIZE_H

#include "ir/tx/TxDialect.h"

#define GET_OP_CLASSES
#include "ir/tx/TxSize.h.inc"

#endif // TENSORC_IR_TX_SIZE_H
