//===- ExpandComposites.h - Expands composites into simpler ops -----------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_EXPANDCOMPOSITES_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_EXPANDCOMPOSITES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler {

/// Builds the replacement of a composite, or returns the composite's own result
/// to keep it.
using Meaning =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Operation *)>;

/// Expands the composites of the function for which `isMeant` is true,
/// including those in expansions of other composites. Uses the op's own
/// expansion if `meaning` is null.
void expandComposites(mlir::func::FuncOp function,
                      llvm::function_ref<bool(mlir::Operation *)> isMeant,
                      Meaning meaning = nullptr);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_EXPANDCOMPOSITES_H
