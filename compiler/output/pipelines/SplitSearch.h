//===- SplitSearch.h - Number of parts with which a program fits ----------===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_SPLITSEARCH_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_SPLITSEARCH_H

#include "compiler/output/pipelines/Pipelines.h"
#include "compiler/transforms/passes/Passes.h"

namespace tensorc::compiler {

/// Adds the pass that chooses a schedule for each fusion.
void addSchedules(mlir::OpPassManager &pm, const CompileOptions &options);

/// Returns the options of txp-fit-memory.
FitMemoryPassOptions fitOptions(const CompileOptions &options);

/// Replaces a module at the end of the stage emit by one that computes batches
/// in parts (tx-split-batch), if the program does not fit into the memory limit
/// otherwise, or would take longer. `fused` is a copy of the module as the stage
/// fuse left it.
void splitToFit(mlir::ModuleOp module, mlir::ModuleOp fused,
                const CompileOptions &options);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_SPLITSEARCH_H
