//===- Kernel.h - Calls of kernels that the user wrote ----------*- C++ -*-===//
//
// Separate from the other ops because few sources need this one (TxKernel.td).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_KERNEL_H
#define TENSORC_IR_TX_KERNEL_H

#include "ir/tx/TxDialect.h"

#define GET_OP_CLASSES
#include "ir/tx/TxKernel.h.inc"

#endif // TENSORC_IR_TX_KERNEL_H
