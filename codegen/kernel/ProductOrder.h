//===- ProductOrder.h - Demanded order of bf16 products ---------*- C++ -*-===//
//
// Large contractions of bf16 are summed in one of two orders, "fma" or "chains"
// (ir/tx/TxSchedule.td). The target chooses, unless the environment or the
// program demands one.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_KERNEL_PRODUCTORDER_H
#define TENSORC_CODEGEN_KERNEL_PRODUCTORDER_H

#include "llvm/ADT/StringRef.h"

namespace tensorc::codegen {

/// Attribute of a module: the demanded order. It replaces the target's choice.
constexpr llvm::StringLiteral kBf16OrderAttr = "txk.bf16_order";
/// Environment variable that sets the attribute in compilations for CPUs.
constexpr char bf16OrderVariable[] = "TENSORC_BF16_ORDER";

inline bool isBf16Order(llvm::StringRef order) {
  return order == "fma" || order == "chains";
}

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_KERNEL_PRODUCTORDER_H
