//===- MissingValues.h - Recording reductions that leave NaN out ----------===//
#ifndef TENSORC_COMPILER_GRAPH_STATISTICS_MISSINGVALUES_H
#define TENSORC_COMPILER_GRAPH_STATISTICS_MISSINGVALUES_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

/// Sum, Prod, ReduceMax or ReduceMin of what is not NaN; where all is, a sum is
/// 0, a product 1, and the others are NaN.
NodeRef reducePresent(Recorder &r, OpKind op, const NodeRef &x, Ints axes,
                      bool keepDims);
/// Argmax or Argmin of what is not NaN; 0 where all is.
NodeRef positionPresent(Recorder &r, OpKind op, const NodeRef &x, Ints axes,
                        bool keepDims);
/// NaN where all is.
NodeRef meanPresent(Recorder &r, const NodeRef &x, Ints axes, bool keepDims);
/// Divided by the count minus the correction; NaN where that is not above 0.
NodeRef varPresent(Recorder &r, const NodeRef &x, Ints axes, double correction,
                   bool keepDims);
NodeRef stdPresent(Recorder &r, const NodeRef &x, Ints axes, double correction,
                   bool keepDims);
/// Max or Min of both, or the one that is not NaN.
NodeRef extremumPresent(Recorder &r, OpKind op, const NodeRef &x,
                        const Operand &y);
/// Cumsum or Cumprod, where a NaN counts as what changes nothing.
NodeRef scanPresent(Recorder &r, OpKind op, const NodeRef &x, int64_t axis);
/// x with numbers in the place of NaN and the infinities; what the dtype is too
/// narrow for is its largest number.
NodeRef nanToNum(Recorder &r, const NodeRef &x, double nan, double above,
                 double below);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_STATISTICS_MISSINGVALUES_H
