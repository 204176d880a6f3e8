//===- TargetOf.h - The target of a program ---------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_TARGETOF_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_TARGETOF_H

#include "codegen/kernel/TargetInfo.h"

#include "mlir/IR/Operation.h"
#include <optional>

namespace tensorc::compiler {

/// Returns the target of the op's module, or nullopt if the module names none.
/// A later pass reports a missing target.
std::optional<codegen::TargetInfo> targetOf(mlir::Operation *op);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_TARGETOF_H
