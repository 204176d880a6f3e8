//===- SingleSpectra.cpp - spectra of matrices of f32 and c64 -------------===//

#include "runtime/linalg/Spectra.h"

tensorc_rt_op_fn tensorc::linalg::findSingleSpectral(std::string_view name) {
  return baseline::findOf<float>(name);
}
