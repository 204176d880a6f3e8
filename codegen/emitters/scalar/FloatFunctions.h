//===- FloatFunctions.h - Float ops that expand to several arith ops ------===//
//
// These emitters are named under `float` by op definitions in ir/tx. f16 and
// bf16 are computed in f32 and rounded once.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCALAR_FLOATFUNCTIONS_H
#define TENSORC_CODEGEN_EMITTERS_SCALAR_FLOATFUNCTIONS_H

#include "mlir/IR/Builders.h"

namespace tensorc::codegen {

mlir::Value signFloat(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Operation *op, mlir::ValueRange x, mlir::Type type);
mlir::Value floorDivFloat(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Operation *op, mlir::ValueRange x,
                          mlir::Type type);
mlir::Value modFloat(mlir::OpBuilder &b, mlir::Location loc,
                     mlir::Operation *op, mlir::ValueRange x, mlir::Type type);
mlir::Value hypotFloat(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Operation *op, mlir::ValueRange x,
                       mlir::Type type);
mlir::Value logAddExpFloat(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Operation *op, mlir::ValueRange x,
                           mlir::Type type);
mlir::Value sigmoidFloat(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Operation *op, mlir::ValueRange x,
                         mlir::Type type);
/// Returns the float that follows x in the direction of y, by adding 1 to its
/// bits or subtracting 1.
mlir::Value nextAfterFloat(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Operation *op, mlir::ValueRange x,
                           mlir::Type type);

/// Integer division that rounds down. For the divisors 0 and -1 it gives the
/// results that SafeArith.h defines.
mlir::Value floorDivSigned(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Operation *op, mlir::ValueRange x,
                           mlir::Type type);
mlir::Value modSigned(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Operation *op, mlir::ValueRange x, mlir::Type type);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_FLOATFUNCTIONS_H
