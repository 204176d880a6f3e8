//===- Library.td - Ops that are made of others ---------------------------===//
//
// A composite is defined in a file of this folder, and its `expand` is in the
// .cpp file beside it (Activations.td, Activations.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_IR_LIBRARY_LIBRARY_TD
#define TENSORC_IR_LIBRARY_LIBRARY_TD

include "ir/library/Activations.td"
include "ir/library/Attention.td"
include "ir/library/Interpolation.td"
include "ir/library/LinearAlgebra.td"
include "ir/library/Losses.td"
include "ir/library/Normalizations.td"
include "ir/library/Quantization.td"
include "ir/library/Random.td"
include "ir/library/Windows.td"

#endif // TENSORC_IR_LIBRARY_LIBRARY_TD
