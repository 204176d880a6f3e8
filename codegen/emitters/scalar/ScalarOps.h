//===- ScalarOps.h - Ops on single elements or vectors of elements --------===//
//
// These emitters are named under `float`, `signed`, `unsigned` and `bool` by op
// definitions in ir/tx. Operands are scalars or 1-D vectors of signless types.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCALAR_SCALAROPS_H
#define TENSORC_CODEGEN_EMITTERS_SCALAR_SCALAROPS_H

#include "ir/tx/TxDialect.h"

namespace tensorc::codegen {

enum class ElementKind { Float, Signed, Unsigned, Bool };

ElementKind elementKind(mlir::Type element);

/// Returns an i1 (or one per lane) that is true if x comes before y in an
/// ascending sort. NaN comes last, and -0 equals +0.
mlir::Value comesBefore(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Type element, mlir::Value x, mlir::Value y);

/// Returns the type that represents a dtype in kernels: integers become
/// signless.
mlir::Type kernelType(mlir::Type element);

/// Returns `element`, or a vector of it if `like` is a vector type.
mlir::Type shapedLike(mlir::Type element, mlir::Type like);

/// Returns a scalar or splat constant. For integer types, `value` is rounded.
mlir::Value constantOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                       double value);

/// Converts the bits of floats to signed integers of the same order, and back,
/// by reversing the order of the negative ones. -0 comes before +0. NaNs come
/// before -infinity or after +infinity, according to their sign.
mlir::Value inOrderOfFloats(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value bits);

/// Emits the scalar ops of `op` on elements or lanes. All `operands` have the
/// same shape.
mlir::FailureOr<mlir::Value> emitScalar(mlir::OpBuilder &b, mlir::Location loc,
                                        mlir::Operation *op,
                                        mlir::ValueRange operands);

/// Converts elements (or vectors of them) from dtype `from` to dtype `to`.
mlir::Value convertElements(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value x, mlir::Type from, mlir::Type to);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_SCALAROPS_H
