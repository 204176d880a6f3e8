//===- ScalarOps.h - Ops on single elements, or vectors of them -----------===//
//
// What the definitions in ir/tx name in `float`, `signed`, `unsigned` and
// `bool`, beside plain op classes. Values are scalars or 1-D vectors of
// signless element types.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCALAR_SCALAROPS_H
#define TENSORC_CODEGEN_EMITTERS_SCALAR_SCALAROPS_H

#include "ir/tx/TxDialect.h"

namespace tensorc::codegen {

enum class ElementKind { Float, Signed, Unsigned, Bool };

ElementKind elementKind(mlir::Type element);

/// Whether x comes before y in the order of sorts: NaN is above all, -0 is 0.
mlir::Value comesBefore(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Type element, mlir::Value x, mlir::Value y);

/// The type of an element in kernels: integers lose their sign.
mlir::Type kernelType(mlir::Type element);

/// `element`, or a vector of it if `like` is a vector type.
mlir::Type shapedLike(mlir::Type element, mlir::Type like);

/// A constant of a scalar or vector type; integers take the rounded value.
mlir::Value constantOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                       double value);

/// The bits of floats as signed integers in their order, and back: of negative
/// floats a larger magnitude is smaller. -0 is below 0; NaN are beyond the
/// infinities, on the side of their sign.
mlir::Value inOrderOfFloats(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value bits);

/// The op's scalar meaning on elements. `operands` have one shape.
mlir::FailureOr<mlir::Value> emitScalar(mlir::OpBuilder &b, mlir::Location loc,
                                        mlir::Operation *op,
                                        mlir::ValueRange operands);

/// Change of dtype between the element types of tensors.
mlir::Value convertElements(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value x, mlir::Type from, mlir::Type to);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_SCALAROPS_H
