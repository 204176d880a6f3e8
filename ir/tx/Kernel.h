//===- Kernel.h - Calls of kernels written by the user ----------*- C++ -*-===//
//
// This op (TxKernel.td) is separate from the others because few sources need
// it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_KERNEL_H
#define TENSORC_IR_TX_KERNEL_H

#include "ir/tx/TxDialect.h"

#define GET_OP_CLASSES
#include "ir/tx/TxKernel.h.inc"

#endif // TENSORC_IR_TX_KERNEL_H
