//===- Chains.h - Orders of interleaved chains ------------------*- C++ -*-===//
#ifndef TENSORC_IR_TX_CHAINS_H
#define TENSORC_IR_TX_CHAINS_H

#include "ir/tx/TxDialect.h"

namespace tensorc::tx {

/// The class of orders whose sums are interleaved chains of FMAs
/// (TxSchedule.td).
inline constexpr llvm::StringLiteral chainsOrder = "chains";

/// Returns the order of the instruction that multiplies tiles of bf16: two
/// chains in each 32 steps of K.
inline OrderAttr getTileOrder(mlir::MLIRContext *context) {
  return OrderAttr::get(context, chainsOrder, {2}, 32, 0);
}

inline bool isChains(OrderAttr order) {
  return order.getInstruction() == chainsOrder;
}

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_CHAINS_H
