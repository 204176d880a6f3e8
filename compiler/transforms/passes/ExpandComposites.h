//===- ExpandComposites.h - Composites become what they mean --------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_EXPANDCOMPOSITES_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_EXPANDCOMPOSITES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::compiler {

/// Builds what takes the place of a composite. One that is itself its meaning
/// stays.
using Meaning =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Operation *)>;

/// Composites of the function become what they mean, where `isMeant` says so,
/// also those that others mean. `meaning` is the op's own if there is none.
void expandComposites(mlir::func::FuncOp function,
                      llvm::function_ref<bool(mlir::Operation *)> isMeant,
                      Meaning meaning = nullptr);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_EXPANDCOMPOSITES_H
