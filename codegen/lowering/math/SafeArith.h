//===- SafeArith.h - Arithmetic without undefined results -------*- C++ -*-===//
//
// Division by zero, over-wide shifts and out-of-range conversions are undefined
// or poison in arith. These functions emit ops with the results that
// docs/numerics.md defines. All take scalars or 1-D vectors of one type.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_LOWERING_MATH_SAFEARITH_H
#define TENSORC_CODEGEN_LOWERING_MATH_SAFEARITH_H

#include "mlir/IR/Builders.h"

namespace tensorc::codegen {

/// Division with x / 0 = 0. The minimum signed value divided by -1 is the
/// minimum value.
mlir::Value safeDivSigned(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                          mlir::Value y);
mlir::Value safeDivUnsigned(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value x, mlir::Value y);

/// Remainders that match these quotients: x rem 0 = x, and x rem -1 = 0.
mlir::Value safeRemSigned(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                          mlir::Value y);
mlir::Value safeRemUnsigned(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value x, mlir::Value y);

/// Shifts by an unsigned amount. If the amount is at least the bit width, all
/// bits are shifted out.
mlir::Value safeShiftLeft(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                          mlir::Value amount);
mlir::Value safeShiftRightSigned(mlir::OpBuilder &b, mlir::Location loc,
                                 mlir::Value x, mlir::Value amount);
mlir::Value safeShiftRightUnsigned(mlir::OpBuilder &b, mlir::Location loc,
                                   mlir::Value x, mlir::Value amount);

/// Converts floats of any type to integers, with truncation toward zero and
/// saturation; NaN becomes 0. `type` is the integer type or a vector of it.
mlir::Value saturatingFloatToSigned(mlir::OpBuilder &b, mlir::Location loc,
                                    mlir::Value x, mlir::Type type);
mlir::Value saturatingFloatToUnsigned(mlir::OpBuilder &b, mlir::Location loc,
                                      mlir::Value x, mlir::Type type);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_MATH_SAFEARITH_H
