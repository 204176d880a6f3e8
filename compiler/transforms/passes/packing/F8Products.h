//===- F8Products.h - Contractions of 8-bit floats --------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_F8PRODUCTS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_F8PRODUCTS_H

#include "codegen/kernel/TargetInfo.h"

#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace tensorc::compiler {

/// Adds a pattern that converts the operands of contractions of 8-bit floats to
/// the dtype in which the target multiplies them.
void addF8ProductPatterns(mlir::RewritePatternSet &patterns,
                          const std::optional<codegen::TargetInfo> &target);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_F8PRODUCTS_H
