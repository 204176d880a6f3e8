//===- Slopes.h - Derivatives of special functions by their shapes --------===//
//
// By differences in f64: no closed form is known. About 1e-9 of them is wrong.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_AUTODIFF_SLOPES_H
#define TENSORC_COMPILER_TRANSFORMS_AUTODIFF_SLOPES_H

#include "ir/builder/TensorBuilder.h"

namespace tensorc::compiler::autodiff {

/// Of gammainc(a, x) by a; NaN at a = 0.
mlir::Value gammaincSlope(builder::TensorBuilder &b, mlir::Value a,
                          mlir::Value x);
/// Of betainc(a, b, x) by a; NaN at a = 0. That by b is -slope(b, a, 1 - x).
mlir::Value betaincSlope(builder::TensorBuilder &b, mlir::Value first,
                         mlir::Value second, mlir::Value x);

} // namespace tensorc::compiler::autodiff

#endif // TENSORC_COMPILER_TRANSFORMS_AUTODIFF_SLOPES_H
