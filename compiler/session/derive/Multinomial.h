//===- Multinomial.h - Multinomial random numbers ---------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_MULTINOMIAL_H
#define TENSORC_COMPILER_SESSION_DERIVE_MULTINOMIAL_H

#include "compiler/graph/random/Random.h"

namespace tensorc::derive {

/// Draws the number of times that each event along the last axis of p happens
/// in n trials. n is a scalar or a tensor over the other axes. The probability
/// of the last event is 1 minus the sum of the others. The result is -1 if p
/// are not probabilities.
graph::NodeRef multinomial(graph::Recorder &r, const graph::NodeRef &key,
                           const graph::Operand &n, const graph::NodeRef &p,
                           graph::DType dtype);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_MULTINOMIAL_H
