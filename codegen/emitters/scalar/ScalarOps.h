//===- ScalarOps.h - Ops on single elements, or vectors of them -----------===//
//
// Functions that op definitions in ir/tx name in `float`, `signed`, `unsigned`
// and `bool`. Values are scalars or 1-D vectors of signless element types.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCALAR_SCALAROPS_H
#define TENSORC_CODEGEN_EMITTERS_SCALAR_SCALAROPS_H

#include "ir/tx/TxDialect.h"

namespace tensorc::codegen {

enum class ElementKind { Float, Signed, Unsigned, Bool };

ElementKind elementKind(mlir::Type element);

/// Returns an i1: true if x comes before y in the order of sorts. NaN comes
/// last, and -0 equals 0.
mlir::Value comesBefore(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Type element, mlir::Value x, mlir::Value y);

/// Returns the type of an element in kernels: integers become signless.
mlir::Type kernelType(mlir::Type element);

/// Returns `element`, or a vector of it if `like` is a vector type.
mlir::Type shapedLike(mlir::Type element, mlir::Type like);

/// Returns a constant of a scalar or vector type; integers take the rounded
/// value.
mlir::Value constantOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                       double value);

/// Converts the bits of floats to signed integers of the same order, and back:
/// the order of negative floats by magnitude is reversed. -0 is below 0; NaNs
/// are beyond the infinities, on the side of their sign.
mlir::Value inOrderOfFloats(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value bits);

/// Emits the op on elements. `operands` have one shape.
mlir::FailureOr<mlir::Value> emitScalar(mlir::OpBuilder &b, mlir::Location loc,
                                        mlir::Operation *op,
                                        mlir::ValueRange operands);

/// Converts between the dtypes `from` and `to` of tensors' elements.
mlir::Value convertElements(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value x, mlir::Type from, mlir::Type to);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_SCALAROPS_H
