//===- Rounding.h - Products of operands rounded to tf32 --------*- C++ -*-===//
#ifndef TENSORC_IR_TX_OPS_ROUNDING_H
#define TENSORC_IR_TX_OPS_ROUNDING_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/StringRef.h"

namespace tensorc::tx {

/// Attribute of a dot_general of f32: tf32 represents every element of its
/// operands exactly, so instructions for tf32 multiply exactly. The result does
/// not depend on the attribute, except for the order of additions.
constexpr llvm::StringLiteral tf32Attr = "tx.tf32";

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_OPS_ROUNDING_H
