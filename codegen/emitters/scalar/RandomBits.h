//===- RandomBits.h - Counter-based random generators -----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCALAR_RANDOMBITS_H
#define TENSORC_CODEGEN_EMITTERS_SCALAR_RANDOMBITS_H

#include "ir/tx/Tx.h"

namespace tensorc::codegen {

/// Returns the element of tx.random_bits at a row-major position (i64 or a
/// vector of i64). Key and counter are words of the position's shape; an empty
/// counter is 0.
mlir::Value randomBits(mlir::OpBuilder &b, mlir::Location loc,
                       tx::RandomBitsOp op, mlir::ValueRange key,
                       mlir::ValueRange counter, mlir::Value position);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_RANDOMBITS_H
