//===- Powers.h - Powers of integers ----------------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_GRAPH_OPS_POWERS_H
#define TENSORC_COMPILER_GRAPH_OPS_POWERS_H

#include "compiler/graph/ops/Builders.h"

namespace tensorc::graph {

/// Computes x to the power y for integers, in their common dtype, with
/// wrap-around. For a negative exponent in a tensor the result is 1 / x^-y
/// rounded towards 0; a negative constant exponent is an error.
NodeRef integerPower(Recorder &r, const Operand &x, const Operand &y,
                     DType dtype);

/// Computes x to the power -1, 2, 3 or 4 by a division or by products if the
/// exponent is a constant. This takes at most a tenth of the time; the bits are
/// the same for -1 and 2, and the others are within 1.5 ulp. It is done while
/// recording, because scalars are arguments of compiled code, where passes do
/// not see their values. Returns null for other powers.
NodeRef powerOfKnownExponent(Recorder &r, const Operand &x, const Operand &y);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPS_POWERS_H
