//===- ResultShardings.h - Shardings of a program's results -----*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_SHARDING_RESULTSHARDINGS_H
#define TENSORC_COMPILER_TRANSFORMS_SHARDING_RESULTSHARDINGS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler {

/// Splits the results whose `tx.sharding` is empty as the annotations of the
/// program imply, and records their shardings.
mlir::LogicalResult chooseResultShardings(mlir::func::FuncOp function);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_SHARDING_RESULTSHARDINGS_H
