//===- TxOps.td - All ops of the tx dialect, by category ------------------===//
#ifndef TENSORC_IR_TX_OPS_TXOPS_TD
#define TENSORC_IR_TX_OPS_TXOPS_TD

include "ir/tx/TxAttributes.td"
include "ir/tx/structure/TxControl.td"
include "ir/tx/ops/TxElementwise.td"
include "ir/tx/ops/TxIndexing.td"
include "ir/tx/structure/TxKernel.td"
include "ir/tx/ops/TxMath.td"
include "ir/tx/ops/TxRandom.td"
include "ir/tx/ops/TxReduction.td"
include "ir/tx/ops/TxScan.td"
include "ir/tx/ops/TxShape.td"
include "ir/tx/ops/TxSpecial.td"
include "ir/tx/structure/TxStructure.td"

#endif // TENSORC_IR_TX_OPS_TXOPS_TD
