//===- Kernel.h - Calls of kernels that the user wrote ----------*- C++ -*-===//
//
// TxKernel.td apart from the other ops: few sources know of it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_KERNEL_H
#define TENSORC_IR_TX_KERNEL_H

#include "ir/tx/TxDialect.h"

#define GET_OP_CLASSES
#include "ir/tx/TxKernel.h.inc"

#endif // TENSORC_IR_TX_KERNEL_H
