//===- GammaFunctions.h - Gamma, zeta and beta functions in f64 -*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCALAR_GAMMAFUNCTIONS_H
#define TENSORC_CODEGEN_EMITTERS_SCALAR_GAMMAFUNCTIONS_H

#include "codegen/emitters/scalar/SpecialBuilder.h"

namespace tensorc::codegen {

mlir::Value lgammaOf(SpecialBuilder &e, mlir::Value x);
mlir::Value digammaOf(SpecialBuilder &e, mlir::Value x);
mlir::Value zetaOf(SpecialBuilder &e, mlir::Value s, mlir::Value q);
mlir::Value polygammaOf(SpecialBuilder &e, mlir::Value n, mlir::Value x);
/// Returns the regularized incomplete gamma function P(a, x), or Q(a, x) if
/// `upper` is set.
mlir::Value incompleteGamma(SpecialBuilder &e, mlir::Value a, mlir::Value x,
                            bool upper);
mlir::Value incompleteBeta(SpecialBuilder &e, mlir::Value a, mlir::Value b,
                           mlir::Value x);

/// Returns the scaled complementary error function e^(x^2) erfc(x) for x >= 0.
mlir::Value positiveErfcx(SpecialBuilder &e, mlir::Value x);
mlir::Value erfcOf(SpecialBuilder &e, mlir::Value x);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_GAMMAFUNCTIONS_H
