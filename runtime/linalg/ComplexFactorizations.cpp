//===- ComplexFactorizations.cpp - Factorizations of complex matrices -----===//
//
// Single matrices use Eigen's complex arithmetic, batches of small ones
// SmallMatrices.h. Compiled for each level.
//
//===----------------------------------------------------------------------===//

#include "runtime/linalg/Factorizations.h"
#include "runtime/linalg/SmallMatrices.h"

namespace tensorc::linalg::TENSORC_LINALG_LEVEL {

#define TENSORC_OF(fn)                                                         \
  TENSORC_LINALG_OF(std::complex<float>, std::complex<double>, fn)
#define TENSORC_SMALL(fn)                                                      \
  TENSORC_OF_SMALL(std::complex<float>, std::complex<double>, fn)

tensorc_rt_op_fn findComplex(std::string_view name) {
  if (name == "cholesky")
    return TENSORC_SMALL(cholesky);
  if (name == "triangular_solve")
    return TENSORC_SMALL(triangularSolve);
  if (name == "solve")
    return TENSORC_SMALL(solve);
  if (name == "tridiagonal_solve")
    return TENSORC_OF(tridiagonalSolve);
  if (name == "lu")
    return TENSORC_SMALL(lu);
  if (name == "determinant")
    return TENSORC_SMALL(determinant);
  if (name == "qr")
    return TENSORC_SMALL(qr);
  return nullptr;
}

} // namespace tensorc::linalg::TENSORC_LINALG_LEVEL
