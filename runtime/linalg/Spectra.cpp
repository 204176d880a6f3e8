//===- Spectra.cpp - Of real matrices -------------------------------------===//

#include "runtime/linalg/Spectra.h"

namespace tensorc::linalg {

using namespace baseline;

tensorc_rt_op_fn findSpectral(std::string_view name) {
  if (name == "svd")
    return TENSORC_LINALG_OF(float, double, svd);
  if (name == "eigh")
    return TENSORC_LINALG_OF(float, double, eigh);
  if (name == "eig")
    return run<runAll<float, std::complex<float>, eig<float>>,
               runAll<double, std::complex<double>, eig<double>>>;
  if (name == "cofactors")
    return TENSORC_LINALG_OF(float, double, cofactors);
  return nullptr;
}

} // namespace tensorc::linalg
