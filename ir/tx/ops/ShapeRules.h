//===- ShapeRules.h - Shape rules of tx ops -------------------------------===//
#ifndef TENSORC_IR_TX_OPS_SHAPERULES_H
#define TENSORC_IR_TX_OPS_SHAPERULES_H

#include "ir/shape/Rules.h"
#include "ir/tx/Dims.h"

namespace tensorc::tx {

/// Applies the op's shape rule to operands with these dims and to the requested
/// shape `result`. The dims are those of the operands' types, or those of a
/// run. Returns nullopt for an op without a rule.
std::optional<shape::InferredShape>
inferShape(mlir::Operation *op, llvm::ArrayRef<shape::Dims> operands,
           shape::Dims result);
/// Applies the op's shape rule to its types.
std::optional<shape::InferredShape> inferShape(mlir::Operation *op);

/// Checks the op's types against the result of a rule.
mlir::LogicalResult verifyInferred(mlir::Operation *op,
                                   const shape::InferredShape &rule);
/// Checks the op's types against its rule, and checks that their dynamic dims
/// have names. Conditions that can be decided only at run time are not checked.
mlir::LogicalResult verifyShape(mlir::Operation *op);

} // namespace tensorc::tx

#endif // TENSORC_IR_TX_OPS_SHAPERULES_H
