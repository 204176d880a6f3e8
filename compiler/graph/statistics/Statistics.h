//===- Statistics.h - Recording statistics, histograms and the like -------===//
#ifndef TENSORC_COMPILER_GRAPH_STATISTICS_STATISTICS_H
#define TENSORC_COMPILER_GRAPH_STATISTICS_STATISTICS_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

/// Returns quantiles by one of NumPy's methods. The dims of q come first in the
/// result.
NodeRef quantile(Recorder &r, const NodeRef &x, const Operand &q, Ints axes,
                 bool keepDims, llvm::StringRef method);
NodeRef percentile(Recorder &r, const NodeRef &x, const Operand &q, Ints axes,
                   bool keepDims, llvm::StringRef method);
NodeRef median(Recorder &r, const NodeRef &x, Ints axes, bool keepDims);
/// Return the quantile or median of the elements that are not NaN, or NaN if all
/// elements are NaN.
NodeRef nanQuantile(Recorder &r, const NodeRef &x, const Operand &q, Ints axes,
                    bool keepDims, llvm::StringRef method);
NodeRef nanMedian(Recorder &r, const NodeRef &x, Ints axes, bool keepDims);

/// Returns the number of elements of x, or the sum of their weights, in each of
/// `size` bins. Elements outside of the bins are ignored.
NodeRef bincount(Recorder &r, const NodeRef &x, const NodeRef &weights,
                 int64_t size);
/// Returns the number of elements in the bins between these edges. The last bin
/// includes its upper edge.
NodeRef histogram(Recorder &r, const NodeRef &x, const NodeRef &edges);
/// Combines the rows of x by segment. An empty segment has the neutral element.
/// Rows with a segment outside of [0, count) are ignored.
NodeRef segmentReduce(Recorder &r, UpdateKind kind, const NodeRef &x,
                      const NodeRef &segments, int64_t count);
/// Returns the first `size` distinct elements in ascending order, padded with
/// `fill`.
NodeRef unique(Recorder &r, const NodeRef &x, int64_t size,
               const Operand &fill);

NodeRef interp(Recorder &r, const NodeRef &x, const NodeRef &xs,
               const NodeRef &ys);
/// Coefficients are ordered from the highest power down.
NodeRef polyval(Recorder &r, const NodeRef &coefficients, const NodeRef &x);
NodeRef trapezoid(Recorder &r, const NodeRef &y, double dx, int64_t axis);
/// Returns the covariances of variables (rows) over observations (columns).
NodeRef cov(Recorder &r, const NodeRef &x, double correction);
NodeRef corrcoef(Recorder &r, const NodeRef &x);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_STATISTICS_STATISTICS_H
