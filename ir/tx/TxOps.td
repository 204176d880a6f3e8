//===- TxOps.td - All ops of the tx dialect, by category ------------------===//
#ifndef TENSORC_IR_TX_TXOPS_TD
#define TENSORC_IR_TX_TXOPS_TD

include "ir/tx/TxAttributes.td"
include "ir/tx/TxControl.td"
include "ir/tx/TxElementwise.td"
include "ir/tx/TxIndexing.td"
include "ir/tx/TxKernel.td"
include "ir/tx/TxMath.td"
include "ir/tx/TxRandom.td"
include "ir/tx/TxReduction.td"
include "ir/tx/TxScan.td"
include "ir/tx/TxShape.td"
include "ir/tx/TxStructure.td"

#endif // TENSORC_IR_TX_TXOPS_TD
