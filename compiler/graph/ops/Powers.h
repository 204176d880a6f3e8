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

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPS_POWERS_H
