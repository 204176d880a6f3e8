//===- Tx.h - The ops of the tx dialect -------------------------*- C++ -*-===//
#ifndef TENSORC_IR_TX_TX_H
#define TENSORC_IR_TX_TX_H

#include "ir/tx/Structure.h"

#define GET_OP_CLASSES
#include "ir/tx/TxOps.h.inc"

#endif // TENSORC_IR_TX_TX_H
