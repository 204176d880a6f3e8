//===- Complex.h - Complex numbers and their parts ------------------------===//
//
// These ops are separate from Tx.h because few sources need them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_COMPLEX_H
#define TENSORC_IR_TX_COMPLEX_H

#include "ir/tx/TxDialect.h"

#define GET_OP_CLASSES
#include "ir/tx/TxComplex.h.inc"

#endif // TENSORC_IR_TX_COMPLEX_H
