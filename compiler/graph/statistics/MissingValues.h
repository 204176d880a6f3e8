//===- MissingValues.h - Recording reductions that ignore NaN -------------===//
#ifndef TENSORC_COMPILER_GRAPH_STATISTICS_MISSINGVALUES_H
#define TENSORC_COMPILER_GRAPH_STATISTICS_MISSINGVALUES_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

/// Returns the Sum, Prod, ReduceMax or ReduceMin of the elements that are not
/// NaN. If all are NaN, a sum is 0, a product 1, and the others are NaN.
NodeRef reducePresent(Recorder &r, OpKind op, const NodeRef &x, Ints axes,
                      bool keepDims);
/// Returns the Argmax or Argmin of the elements that are not NaN; 0 if all are
/// NaN.
NodeRef positionPresent(Recorder &r, OpKind op, const NodeRef &x, Ints axes,
                        bool keepDims);
/// Returns the mean of the elements that are not NaN; NaN if all are NaN.
NodeRef meanPresent(Recorder &r, const NodeRef &x, Ints axes, bool keepDims);
/// The variance of the elements that are not NaN: divided by their number minus
/// the correction; NaN if that is not positive.
NodeRef varPresent(Recorder &r, const NodeRef &x, Ints axes, double correction,
                   bool keepDims);
NodeRef stdPresent(Recorder &r, const NodeRef &x, Ints axes, double correction,
                   bool keepDims);
/// Returns the Max or Min of two values. A NaN is ignored.
NodeRef extremumPresent(Recorder &r, OpKind op, const NodeRef &x,
                        const Operand &y);
/// Returns a Cumsum or Cumprod in which NaN counts as the neutral element.
NodeRef scanPresent(Recorder &r, OpKind op, const NodeRef &x, int64_t axis);
/// Replaces NaN and the infinities in x by the given numbers. A number that
/// overflows the dtype becomes its largest one.
NodeRef nanToNum(Recorder &r, const NodeRef &x, double nan, double above,
                 double below);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_STATISTICS_MISSINGVALUES_H
