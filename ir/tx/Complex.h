//===- Complex.h - Complex numbers and their parts ------------------------===//
//
// In a header of its own, as few sources know the ops.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_COMPLEX_H
#define TENSORC_IR_TX_COMPLEX_H

#include "ir/tx/TxDialect.h"

#define GET_OP_CLASSES
#include "ir/tx/TxComplex.h.inc"

#endif // TENSORC_IR_TX_COMPLEX_H
