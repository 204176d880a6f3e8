//===- InputVerifier.h - Verification of input programs -------------------===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_INPUTVERIFIER_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_INPUTVERIFIER_H

#include "compiler/output/pipelines/Pipelines.h"

namespace tensorc::compiler {

/// Reports an error for programs that pass the verifiers of single ops but that
/// the stages cannot handle: programs with other ops than those after stage
/// `from` (or, without `from`, other than tx ops in functions of one block),
/// and tensors that are larger than any machine's memory.
mlir::LogicalResult verifyInput(mlir::ModuleOp module,
                                std::optional<Stage> from);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_INPUTVERIFIER_H
