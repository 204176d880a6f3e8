//===- Dft.h - Fourier transforms that become kernels ---------------------===//
//
// This op is separate from Tx.h because few sources need it.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_TX_DFT_H
#define TENSORC_IR_TX_DFT_H

#include "ir/tx/TxDialect.h"

#define GET_OP_CLASSES
#include "ir/tx/TxDft.h.inc"

#endif // TENSORC_IR_TX_DFT_H
