//===- Slopes.h - Derivatives of special functions by shape parameters ----===//
//
// These derivatives have no closed form. They are computed by finite
// differences in f64, with a relative error of about 1e-9.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_AUTODIFF_SLOPES_H
#define TENSORC_COMPILER_TRANSFORMS_AUTODIFF_SLOPES_H

#include "ir/builder/TensorBuilder.h"

namespace tensorc::compiler::autodiff {

/// Returns the derivative of gammainc(a, x) with respect to a; NaN at a = 0.
mlir::Value gammaincSlope(builder::TensorBuilder &b, mlir::Value a,
                          mlir::Value x);
/// Returns the derivative of betainc(a, b, x) with respect to a; NaN at a = 0.
/// The derivative with respect to b is -slope(b, a, 1 - x).
mlir::Value betaincSlope(builder::TensorBuilder &b, mlir::Value first,
                         mlir::Value second, mlir::Value x);

} // namespace tensorc::compiler::autodiff

#endif // TENSORC_COMPILER_TRANSFORMS_AUTODIFF_SLOPES_H
