//===- ExpandComposites.h - Composites become what they mean --------------===//
#ifndef TENSORC_COMPILER_PASSES_EXPANDCOMPOSITES_H
#define TENSORC_COMPILER_PASSES_EXPANDCOMPOSITES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler {

/// Composites of the function become what they mean, where `isMeant` says so,
/// also those that others mean.
void expandComposites(mlir::func::FuncOp function,
                      llvm::function_ref<bool(mlir::Operation *)> isMeant);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_PASSES_EXPANDCOMPOSITES_H
