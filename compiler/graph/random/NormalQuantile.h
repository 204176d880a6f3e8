//===- NormalQuantile.h - Normal numbers from random bits -----------------===//
#ifndef TENSORC_COMPILER_GRAPH_RANDOM_NORMALQUANTILE_H
#define TENSORC_COMPILER_GRAPH_RANDOM_NORMALQUANTILE_H

#include "compiler/graph/Builders.h"

namespace tensorc::graph {

/// A standard normal f32 for each ui32, f64 for each ui64. Below the highest
/// bit, which is the sign, lies an integer m: |x| has the probability
/// (m + 1/2) / 2^32 (2^64) above it.
NodeRef normalQuantile(Recorder &r, const NodeRef &bits);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_RANDOM_NORMALQUANTILE_H
