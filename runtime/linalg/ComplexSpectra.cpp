//===- ComplexSpectra.cpp - Of complex matrices ---------------------------===//
//
// Apart from those of real ones, so that both compile side by side.
//
//===----------------------------------------------------------------------===//

#include "runtime/linalg/Spectra.h"

namespace tensorc::linalg {

using namespace baseline;

tensorc_rt_op_fn findComplexSpectral(std::string_view name) {
  using C64 = std::complex<float>;
  using C128 = std::complex<double>;
  if (name == "svd")
    return TENSORC_LINALG_OF(C64, C128, svd);
  if (name == "eigh")
    return TENSORC_LINALG_OF(C64, C128, eigh);
  if (name == "eig")
    return TENSORC_LINALG_OF(C64, C128, eig);
  if (name == "cofactors")
    return TENSORC_LINALG_OF(C64, C128, cofactors);
  return nullptr;
}

} // namespace tensorc::linalg
