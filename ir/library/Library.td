//===- Library.td - Ops that are made of others ---------------------------===//
//
// A composite is defined in a file of ops/, and its `expand` is in the .cpp file
// beside it (ops/Activations.td, ops/Activations.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_LIBRARY_TD
#define TENSORC_IR_LIBRARY_LIBRARY_TD

include "ir/library/ops/Activations.td"
include "ir/library/ops/Attention.td"
include "ir/library/ops/Collectives.td"
include "ir/library/ops/Fourier.td"
include "ir/library/ops/Interpolation.td"
include "ir/library/ops/LinearAlgebra.td"
include "ir/library/ops/Losses.td"
include "ir/library/ops/Normalizations.td"
include "ir/library/ops/Quantization.td"
include "ir/library/ops/Random.td"
include "ir/library/ops/Windows.td"

#endif // TENSORC_IR_LIBRARY_LIBRARY_TD
