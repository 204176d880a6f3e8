//===- Powers.h - Powers of integers ----------------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_GRAPH_OPS_POWERS_H
#define TENSORC_COMPILER_GRAPH_OPS_POWERS_H

#include "compiler/graph/ops/Builders.h"

namespace tensorc::graph {

/// x to the power y, both of integers, in their common dtype: wraps around as
/// products do. Where an exponent of a tensor is below 0 it is 1 / x^-y
/// rounded towards 0; a number below 0 is an error.
NodeRef integerPower(Recorder &r, const Operand &x, const Operand &y,
                     DType dtype);

/// The power -1, 2, 3 or 4 of floats, whose exponent is a number: a tenth of
/// the time or less, the same bits for -1 and 2, within 1.5 ulp for the others.
/// Numbers are arguments of what is compiled, so that no pass would see it.
/// None for other powers.
NodeRef powerOfKnownExponent(Recorder &r, const Operand &x, const Operand &y);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPS_POWERS_H
