//===- Curves.h - Recording slopes, means with weights, polynomials -------===//
#ifndef TENSORC_COMPILER_GRAPH_STATISTICS_CURVES_H
#define TENSORC_COMPILER_GRAPH_STATISTICS_CURVES_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

/// Slopes of y along the axis, whose points are at the places x, or where there
/// are none `dx` apart: central differences inside, one-sided at the ends.
NodeRef gradient(Recorder &r, const NodeRef &y, const NodeRef &x, double dx,
                 int64_t axis);
/// sum(x * weights) / sum(weights). Weights have the shape of x, or are a
/// vector along the only axis; none: the mean.
NodeRef average(Recorder &r, const NodeRef &x, const NodeRef &weights,
                Ints axes, bool keepDims);
/// Powers of each element as a row, from `columns` - 1 down to 0, or up.
NodeRef vander(Recorder &r, const NodeRef &x, int64_t columns, bool increasing);
/// The coefficients, the highest power's first, of the polynomial that is the
/// nearest to y, a vector or columns, at the places x.
NodeRef polyfit(Recorder &r, const NodeRef &x, const NodeRef &y,
                int64_t degree);
/// Returns whether each element of x is among the values.
NodeRef isIn(Recorder &r, const NodeRef &x, const NodeRef &values);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_STATISTICS_CURVES_H
