//===- Tolerance.h - Tolerances of outputs --------------------------------===//
#ifndef TENSORC_TOOLS_TENSORC_TOLERANCE_H
#define TENSORC_TOOLS_TENSORC_TOLERANCE_H

#include "tools/io/Compare.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::tool {

/// Returns, for each result of a function, the tolerance of the coarsest dtype
/// in its computation (see "Compared with the reference" in docs/numerics.md).
llvm::SmallVector<Tolerance> tolerancesOf(mlir::func::FuncOp function);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_TOLERANCE_H
