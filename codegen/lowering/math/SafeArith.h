//===- SafeArith.h - Arithmetic without undefined results -------*- C++ -*-===//
//
// arith's division by zero, over-wide shifts and out-of-range conversions are
// undefined or poison. These builders give them the results of
// docs/numerics.md. All take scalars or 1-D vectors of one type.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_LOWERING_MATH_SAFEARITH_H
#define TENSORC_CODEGEN_LOWERING_MATH_SAFEARITH_H

#include "mlir/IR/Builders.h"

namespace tensorc::codegen {

/// x / 0 = 0; the smallest value / -1 = itself.
mlir::Value safeDivSigned(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                          mlir::Value y);
mlir::Value safeDivUnsigned(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value x, mlir::Value y);

/// The remainder that goes with the quotient: x rem 0 = x, x rem -1 = 0.
mlir::Value safeRemSigned(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                          mlir::Value y);
mlir::Value safeRemUnsigned(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value x, mlir::Value y);

/// Amounts count as unsigned; from the width on all bits are shifted out.
mlir::Value safeShiftLeft(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                          mlir::Value amount);
mlir::Value safeShiftRightSigned(mlir::OpBuilder &b, mlir::Location loc,
                                 mlir::Value x, mlir::Value amount);
mlir::Value safeShiftRightUnsigned(mlir::OpBuilder &b, mlir::Location loc,
                                   mlir::Value x, mlir::Value amount);

/// Truncates toward zero, saturates, NaN gives 0. `type` is the integer type
/// (or vector of it); any float type is taken.
mlir::Value saturatingFloatToSigned(mlir::OpBuilder &b, mlir::Location loc,
                                    mlir::Value x, mlir::Type type);
mlir::Value saturatingFloatToUnsigned(mlir::OpBuilder &b, mlir::Location loc,
                                      mlir::Value x, mlir::Type type);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_MATH_SAFEARITH_H
