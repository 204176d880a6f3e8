//===- ComplexFactorizations.cpp - The same of complex matrices -----------===//
//
// One by one, each in Eigen's complex arithmetic. Compiled for two levels:
// wider vectors than AVX2's gain little.
//
//===----------------------------------------------------------------------===//

#include "runtime/linalg/Factorizations.h"

namespace tensorc::linalg::TENSORC_LINALG_LEVEL {

#define TENSORC_OF(fn)                                                         \
  TENSORC_LINALG_OF(std::complex<float>, std::complex<double>, fn)

tensorc_rt_op_fn findComplex(std::string_view name) {
  if (name == "cholesky")
    return TENSORC_OF(cholesky);
  if (name == "triangular_solve")
    return TENSORC_OF(triangularSolve);
  if (name == "solve")
    return TENSORC_OF(solve);
  if (name == "tridiagonal_solve")
    return TENSORC_OF(tridiagonalSolve);
  if (name == "lu")
    return TENSORC_OF(lu);
  if (name == "determinant")
    return TENSORC_OF(determinant);
  if (name == "qr")
    return TENSORC_OF(qr);
  return nullptr;
}

} // namespace tensorc::linalg::TENSORC_LINALG_LEVEL
