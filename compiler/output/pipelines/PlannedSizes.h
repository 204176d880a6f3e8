//===- PlannedSizes.h - Sizes for which a program gets memory plans -------===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_PLANNEDSIZES_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_PLANNEDSIZES_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace tensorc::compiler {

/// Records in the module that its program gets plans for these values of its
/// named sizes: "n=1024,m=64" (passes/memory/fit/PlanSizes.cpp). Returns an empty
/// string, or why the list is wrong.
std::string setPlannedSizes(mlir::ModuleOp module, llvm::StringRef list);

/// Returns why the recorded values do not fit the named sizes of the program's
/// arguments: a size has no value, or a name is not one of theirs. Returns an
/// empty string if they do.
std::string whyNotPlanned(mlir::ModuleOp module);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_PLANNEDSIZES_H
