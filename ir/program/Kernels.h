//===- Kernels.h - kernels that the user wrote ------------------*- C++ -*-===//
//
// TxpKernels.td apart from the other ops: few sources know of them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_PROGRAM_KERNELS_H
#define TENSORC_IR_PROGRAM_KERNELS_H

#include "ir/program/Txp.h"

#define GET_OP_CLASSES
#include "ir/program/TxpKernels.h.inc"

#endif
