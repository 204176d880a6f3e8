//===- RandomBits.h - Counter-based random generators -----------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCALAR_RANDOMBITS_H
#define TENSORC_CODEGEN_EMITTERS_SCALAR_RANDOMBITS_H

#include "ir/tx/Tx.h"

namespace tensorc::codegen {

/// Returns the element of tx.random_bits at a row-major position, which is an
/// i64 or a vector of i64. The words of key and counter are scalars or vectors
/// like the position. An empty counter means 0.
mlir::Value randomBits(mlir::OpBuilder &b, mlir::Location loc,
                       tx::RandomBitsOp op, mlir::ValueRange key,
                       mlir::ValueRange counter, mlir::Value position);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_RANDOMBITS_H
