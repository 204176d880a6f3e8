//===- DoubleSpectra.cpp - spectra of matrices of f64 and c128 ------------===//
//
// A separate file from SingleSpectra.cpp so that both compile in parallel.
//
//===----------------------------------------------------------------------===//

#include "runtime/linalg/Spectra.h"

tensorc_rt_op_fn tensorc::linalg::findDoubleSpectral(std::string_view name) {
  return baseline::findOf<double>(name);
}
