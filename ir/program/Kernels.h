//===- Kernels.h - Ops for kernels written by the user ----------*- C++ -*-===//
//
// These ops (TxpKernels.td) are separate from the others because few sources
// need them.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_PROGRAM_KERNELS_H
#define TENSORC_IR_PROGRAM_KERNELS_H

#include "ir/program/Txp.h"

#define GET_OP_CLASSES
#include "ir/program/TxpKernels.h.inc"

#endif
