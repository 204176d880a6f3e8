//===- DoubleSpectra.cpp - Of matrices of f64 and c128 --------------------===//
//
// Apart from those of f32, so that both compile side by side.
//
//===----------------------------------------------------------------------===//

#include "runtime/linalg/Spectra.h"

tensorc_rt_op_fn tensorc::linalg::findDoubleSpectral(std::string_view name) {
  return baseline::findOf<double>(name);
}
