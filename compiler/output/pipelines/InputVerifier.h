//===- InputVerifier.h - What a program from outside must be --------------===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_INPUTVERIFIER_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_INPUTVERIFIER_H

#include "compiler/output/pipelines/Pipelines.h"

namespace tensorc::compiler {

/// Refuses what the verifiers of single ops let pass and no stage could handle:
/// other ops than the stage `from` leaves (none: tx ops in functions of one
/// block), and sizes that no machine has.
mlir::LogicalResult verifyInput(mlir::ModuleOp module,
                                std::optional<Stage> from);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_INPUTVERIFIER_H
