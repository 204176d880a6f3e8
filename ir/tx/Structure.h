//===- Structure.h - Fusions and calls --------------------------*- C++ -*-===//
//
// Fusions and related ops, which emitters need. Other ops are in Tx.h.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_STRUCTURE_H
#define TENSORC_IR_TX_STRUCTURE_H

#include "ir/tx/TxDialect.h"

#define GET_OP_CLASSES
#include "ir/tx/TxStructure.h.inc"

#endif // TENSORC_IR_TX_STRUCTURE_H
