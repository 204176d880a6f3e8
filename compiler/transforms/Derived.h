//===- Derived.h - Programs made of recorded functions --------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_DERIVED_H
#define TENSORC_COMPILER_TRANSFORMS_DERIVED_H

#include "compiler/graph/Recorder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

namespace tensorc::transforms {

/// What a pass said of an op as an error of the function that has it.
void refuse(graph::Recorder &r, const char *op, mlir::Diagnostic &diagnostic,
            llvm::ArrayRef<graph::Node *> order);
/// Simplifies what is to be recorded: what is folded and shared is not.
mlir::LogicalResult simplify(mlir::func::FuncOp function);

} // namespace tensorc::transforms

#endif // TENSORC_COMPILER_TRANSFORMS_DERIVED_H
