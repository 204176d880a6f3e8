//===- AllOps.td - All ops of the tx dialect, for tools/opgen -------------===//
include "ir/library/Library.td"
include "ir/tx/ops/TxOps.td"
include "ir/tx/ops/TxComplex.td"
include "ir/tx/ops/TxSize.td"
