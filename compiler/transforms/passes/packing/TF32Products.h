//===- TF32Products.h - Contractions of numbers of tf32 ---------*- C++ -*-===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_TF32PRODUCTS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_TF32PRODUCTS_H

#include "codegen/kernel/TargetInfo.h"

#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace tensorc::compiler {

/// Adds a pattern that marks contractions of f32 whose operands are rounded to
/// tf32, if the target has instructions for them. Otherwise adds one that
/// removes marks.
void addTF32ProductPatterns(mlir::RewritePatternSet &patterns,
                            const std::optional<codegen::TargetInfo> &target);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PACKING_TF32PRODUCTS_H
