//===- Quotient.h - Integer division of indices -----------------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCALAR_QUOTIENT_H
#define TENSORC_CODEGEN_EMITTERS_SCALAR_QUOTIENT_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tensorc::codegen {

/// Emits `expr`, x floordiv y or x mod y, for scalars or vectors of type index.
mlir::Value emitQuotient(mlir::ImplicitLocOpBuilder &b,
                         mlir::AffineBinaryOpExpr expr, mlir::Value x,
                         mlir::Value y);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_QUOTIENT_H
