//===- ProductPrecision.h - Rounding that targets choose --------*- C++ -*-===//
#ifndef TENSORC_IR_TX_OPS_PRODUCTPRECISION_H
#define TENSORC_IR_TX_OPS_PRODUCTPRECISION_H

#include "llvm/ADT/StringRef.h"

namespace tensorc::tx {

/// Attribute of a dot_general of f32: a target with instructions for tf32 rounds
/// the operands to it. Other targets multiply in f32.
constexpr llvm::StringLiteral roundsToTF32Attr = "tx.rounds_to_tf32";

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_OPS_PRODUCTPRECISION_H
