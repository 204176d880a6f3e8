//===- AllOps.td - All ops of the tx dialect, as tools/opgen reads them ---===//
include "ir/library/Library.td"
include "ir/tx/ops/TxOps.td"
include "ir/tx/ops/TxComplex.td"
include "ir/tx/ops/TxSize.td"
