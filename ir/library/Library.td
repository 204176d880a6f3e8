//===- Library.td - Composite ops -----------------------------------------===//
//
// The files in ops/ define the composites. `expand` is in the .cpp file of the
// same name: ops/Activations.td and ops/Activations.cpp.
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
