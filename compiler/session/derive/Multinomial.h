//===- Multinomial.h - Counts of several events, by a loop ------*- C++ -*-===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_MULTINOMIAL_H
#define TENSORC_COMPILER_SESSION_DERIVE_MULTINOMIAL_H

#include "compiler/graph/random/Random.h"

namespace tensorc::derive {

/// How often each of the events along the last axis of p happens in n trials, a
/// number or a tensor of the other axes; the last event takes what the others
/// leave of 1. -1 where p are not probabilities.
graph::NodeRef multinomial(graph::Recorder &r, const graph::NodeRef &key,
                           const graph::Operand &n, const graph::NodeRef &p,
                           graph::DType dtype);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_MULTINOMIAL_H
