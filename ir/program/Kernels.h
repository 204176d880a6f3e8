//===- Kernels.h - kernels that the user wrote ------------------*- C++ -*-===//
//
// Separate from the other ops because few sources need these (TxpKernels.td).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_PROGRAM_KERNELS_H
#define TENSORC_IR_PROGRAM_KERNELS_H

#include "ir/program/Txp.h"

#define GET_OP_CLASSES
#include "ir/program/TxpKernels.h.inc"

#endif
