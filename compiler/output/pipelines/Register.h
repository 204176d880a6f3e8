//===- Register.h - Every dialect and pass of the project -------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_REGISTER_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_REGISTER_H

#include "mlir/IR/DialectRegistry.h"

namespace tensorc::compiler {

/// Our dialects, the upstream ones we use, and what translation needs.
void registerAllTensorcDialects(mlir::DialectRegistry &registry);

/// Our passes and the few upstream ones that tests run.
void registerAllTensorcPasses();

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_REGISTER_H
