//===- FloatFunctions.h - Float ops of several arith ops ------------------===//
//
// Functions that op definitions in ir/tx name in `float`. f16 and bf16 are
// computed in f32 and rounded once.
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
/// Returns the next float towards y. As integers, the bits of floats count up
/// away from zero.
mlir::Value nextAfterFloat(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Operation *op, mlir::ValueRange x,
                           mlir::Type type);

/// Integer division that rounds down, with the results of SafeArith.h for 0 and
/// -1.
mlir::Value floorDivSigned(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Operation *op, mlir::ValueRange x,
                           mlir::Type type);
mlir::Value modSigned(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Operation *op, mlir::ValueRange x, mlir::Type type);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_FLOATFUNCTIONS_H
