//===- Factorizations.cpp - Factorizations and solvers of real matrices ---===//
//
// Single matrices, and batches of small matrices by SmallMatrices.h. The choice
// depends only on the number of rows, so the bits of a result do not depend on
// the batch. Compiled for each CPU level.
//
//===----------------------------------------------------------------------===//

#include "runtime/linalg/Factorizations.h"
#include "runtime/linalg/SmallMatrices.h"

namespace tensorc::linalg::TENSORC_LINALG_LEVEL {

#define TENSORC_OF(fn) TENSORC_LINALG_OF(float, double, fn)
#define TENSORC_SMALL(fn) TENSORC_OF_SMALL(float, double, fn)

tensorc_rt_op_fn find(std::string_view name) {
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
