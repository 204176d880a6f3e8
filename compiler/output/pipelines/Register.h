//===- Register.h - Registration of all dialects and passes -----*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_REGISTER_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_REGISTER_H

#include "mlir/IR/DialectRegistry.h"

namespace tensorc::compiler {

/// Registers our dialects, the upstream dialects that we use, and the
/// interfaces that the translation to LLVM IR needs.
void registerAllTensorcDialects(mlir::DialectRegistry &registry);

/// Registers our passes, and the few upstream passes that tests run.
void registerAllTensorcPasses();

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_REGISTER_H
