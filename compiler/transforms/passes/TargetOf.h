//===- TargetOf.h - What a program is compiled to ---------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_TARGETOF_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_TARGETOF_H

#include "codegen/kernel/TargetInfo.h"

#include "mlir/IR/Operation.h"
#include <optional>

namespace tensorc::compiler {

/// None if the op's module does not name one; a later pass then complains.
std::optional<codegen::TargetInfo> targetOf(mlir::Operation *op);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_TARGETOF_H
