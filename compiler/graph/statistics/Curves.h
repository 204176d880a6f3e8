//===- Curves.h - Recording slopes, averages and polynomials --------------===//
#ifndef TENSORC_COMPILER_GRAPH_STATISTICS_CURVES_H
#define TENSORC_COMPILER_GRAPH_STATISTICS_CURVES_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

/// Returns the slopes of y along the axis for points at the positions x, or at
/// distance `dx` if x is null: central differences inside, one-sided ones at
/// the ends.
NodeRef gradient(Recorder &r, const NodeRef &y, const NodeRef &x, double dx,
                 int64_t axis);
/// Returns sum(x * weights) / sum(weights). Weights have the shape of x or are
/// a vector along the only axis; without weights it is the mean.
NodeRef average(Recorder &r, const NodeRef &x, const NodeRef &weights,
                Ints axes, bool keepDims);
/// Returns the powers of each element as a row, from `columns` - 1 down to 0,
/// or increasing.
NodeRef vander(Recorder &r, const NodeRef &x, int64_t columns, bool increasing);
/// Returns the coefficients, highest power first, of the least-squares
/// polynomial through the points (x, y). y is a vector, or has a column per
/// polynomial.
NodeRef polyfit(Recorder &r, const NodeRef &x, const NodeRef &y,
                int64_t degree);
/// Returns whether each element of x is among the values.
NodeRef isIn(Recorder &r, const NodeRef &x, const NodeRef &values);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_STATISTICS_CURVES_H
