//===- MathExpansions.h - Math functions as arithmetic ----------*- C++ -*-===//
//
// Each function emits the expansion of a math function at the builder's
// insertion point. There are no calls, no tables in memory, and no branches,
// except for huge arguments of sin, cos and tan. Errors are listed in
// docs/numerics.md. Special values are those of C99.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_LOWERING_MATH_MATHEXPANSIONS_H
#define TENSORC_CODEGEN_LOWERING_MATH_MATHEXPANSIONS_H

#include "codegen/lowering/math/FloatBuilder.h"

namespace tensorc::codegen {

// ExpandExp.cpp
mlir::Value expandExp(FloatBuilder &e, mlir::Value x);
mlir::Value expandExp2(FloatBuilder &e, mlir::Value x);
mlir::Value expandExpM1(FloatBuilder &e, mlir::Value x);
/// Returns 1 / (1 + exp(-x)).
mlir::Value expandSigmoid(FloatBuilder &e, mlir::Value x);
/// Returns exp(x). Requires 2^-100 < exp(x) < 2^100, or NaN.
mlir::Value expandBoundedExp(FloatBuilder &e, mlir::Value x);
/// Returns exp(x) - 1 under the same condition. The result for -0 may be +0.
mlir::Value expandBoundedExpM1(FloatBuilder &e, mlir::Value x);
/// Returns 2^(x + tail) for a small tail. Overflows and underflows as exp2
/// does.
mlir::Value expandExp2WithTail(FloatBuilder &e, mlir::Value x,
                               mlir::Value tail);

// ExpandLog.cpp
mlir::Value expandLog(FloatBuilder &e, mlir::Value x);
mlir::Value expandLog2(FloatBuilder &e, mlir::Value x);
mlir::Value expandLog10(FloatBuilder &e, mlir::Value x);
mlir::Value expandLog1p(FloatBuilder &e, mlir::Value x);

/// A decomposition x = 2^exponent * (1 + f) of x > 0, with 1 + f in [sqrt(1/2),
/// sqrt(2)).
struct LogReduction {
  mlir::Value exponent; // an integral float
  mlir::Value f;
};
LogReduction reduceForLog(FloatBuilder &e, mlir::Value x);

// ExpandTanhErf.cpp
mlir::Value expandTanh(FloatBuilder &e, mlir::Value x);
mlir::Value expandErf(FloatBuilder &e, mlir::Value x);

// ExpandPow.cpp
mlir::Value expandPow(FloatBuilder &e, mlir::Value x, mlir::Value y);

// ExpandTrig.cpp
mlir::Value expandSin(FloatBuilder &e, mlir::Value x);
mlir::Value expandCos(FloatBuilder &e, mlir::Value x);
mlir::Value expandTan(FloatBuilder &e, mlir::Value x);

// ExpandInverseTrig.cpp
mlir::Value expandAsin(FloatBuilder &e, mlir::Value x);
mlir::Value expandAcos(FloatBuilder &e, mlir::Value x);
mlir::Value expandAtan(FloatBuilder &e, mlir::Value x);
mlir::Value expandAtan2(FloatBuilder &e, mlir::Value y, mlir::Value x);

// ExpandHyperbolic.cpp
mlir::Value expandSinh(FloatBuilder &e, mlir::Value x);
mlir::Value expandCosh(FloatBuilder &e, mlir::Value x);
mlir::Value expandAsinh(FloatBuilder &e, mlir::Value x);
mlir::Value expandAcosh(FloatBuilder &e, mlir::Value x);
mlir::Value expandAtanh(FloatBuilder &e, mlir::Value x);

// ExpandCbrt.cpp
mlir::Value expandCbrt(FloatBuilder &e, mlir::Value x);

// ExpandRemainder.cpp
mlir::Value expandRemF(FloatBuilder &e, mlir::Value x, mlir::Value y);
mlir::Value expandRound(FloatBuilder &e, mlir::Value x);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_LOWERING_MATH_MATHEXPANSIONS_H
