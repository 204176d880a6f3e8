//===- SpecialFunctions.h - Error, gamma, beta and Bessel functions -------===//
//
// These emitters are named under `float` by ir/tx/ops/TxSpecial.td. All of them
// compute in f64 and round the result. Results in f16 and bf16 are first
// rounded to f32, like results of the math dialect.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALFUNCTIONS_H
#define TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALFUNCTIONS_H

#include "mlir/IR/Builders.h"

namespace tensorc::codegen {

#define TENSORC_SPECIAL_FUNCTIONS(X)                                           \
  X(erfc)                                                                      \
  X(erfcx)                                                                     \
  X(erfinv)                                                                    \
  X(ndtr)                                                                      \
  X(logNdtr)                                                                   \
  X(ndtri)                                                                     \
  X(lgamma)                                                                    \
  X(digamma)                                                                   \
  X(polygamma)                                                                 \
  X(zeta)                                                                      \
  X(gammainc)                                                                  \
  X(gammaincc)                                                                 \
  X(betainc)                                                                   \
  X(besselI0)                                                                  \
  X(besselI0e)                                                                 \
  X(besselI1)                                                                  \
  X(besselI1e)                                                                 \
  X(sinc)                                                                      \
  X(xlogy)                                                                     \
  X(xlog1py)                                                                   \
  X(log1mexp)                                                                  \
  X(logit)                                                                     \
  X(entr)

#define TENSORC_DECLARE(name)                                                  \
  mlir::Value name##Float(mlir::OpBuilder &b, mlir::Location loc,              \
                          mlir::Operation *op, mlir::ValueRange x,             \
                          mlir::Type type);
TENSORC_SPECIAL_FUNCTIONS(TENSORC_DECLARE)
#undef TENSORC_DECLARE

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_SCALAR_SPECIALFUNCTIONS_H
