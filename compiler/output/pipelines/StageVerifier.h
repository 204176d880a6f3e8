//===- StageVerifier.h - Verification of the IR after a stage -------------===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_STAGEVERIFIER_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_STAGEVERIFIER_H

#include "compiler/output/pipelines/Pipelines.h"

namespace tensorc::compiler {

/// Reports an error at the first op that the stage should have removed.
mlir::LogicalResult verifyStage(mlir::ModuleOp module, Stage stage);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_STAGEVERIFIER_H
