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

/// Signed division: x / 0 = 0, and the smallest value / -1 is itself.
mlir::Value safeDivSigned(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                          mlir::Value y);
mlir::Value safeDivUnsigned(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value x, mlir::Value y);

/// The remainder of these quotients: x rem 0 = x, and x rem -1 = 0.
mlir::Value safeRemSigned(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                          mlir::Value y);
mlir::Value safeRemUnsigned(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value x, mlir::Value y);

/// Amounts are unsigned. If the amount is at least the width, all bits are
/// shifted out.
mlir::Value safeShiftLeft(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                          mlir::Value amount);
mlir::Value safeShiftRightSigned(mlir::OpBuilder &b, mlir::Location loc,
                                 mlir::Value x, mlir::Value amount);
mlir::Value safeShiftRightUnsigned(mlir::OpBuilder &b, mlir::Location loc,
                                   mlir::Value x, mlir::Value amount);

/// Converts with truncation toward zero and saturation; NaN gives 0. `type` is
/// the integer type (or a vector of it). Any float type is accepted.
mlir::Value saturatingFloatToSigned(mlir::OpBuilder &b, mlir::Location loc,
                                    mlir::Value x, mlir::Type type);
mlir::Value saturatingFloatToUnsigned(mlir::OpBuilder &b, mlir::Location loc,
                                      mlir::Value x, mlir::Type type);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_MATH_SAFEARITH_H
