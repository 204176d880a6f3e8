//===- Statistics.h - Recording statistics, histograms and the like -------===//
#ifndef TENSORC_COMPILER_GRAPH_STATISTICS_STATISTICS_H
#define TENSORC_COMPILER_GRAPH_STATISTICS_STATISTICS_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

/// Quantiles by a method of NumPy. The dims of q come first in the result.
NodeRef quantile(Recorder &r, const NodeRef &x, const Operand &q, Ints axes,
                 bool keepDims, llvm::StringRef method);
NodeRef percentile(Recorder &r, const NodeRef &x, const Operand &q, Ints axes,
                   bool keepDims, llvm::StringRef method);
NodeRef median(Recorder &r, const NodeRef &x, Ints axes, bool keepDims);
/// The same without NaNs; NaN if all elements are.
NodeRef nanQuantile(Recorder &r, const NodeRef &x, const Operand &q, Ints axes,
                    bool keepDims, llvm::StringRef method);
NodeRef nanMedian(Recorder &r, const NodeRef &x, Ints axes, bool keepDims);

/// Counts, or sums of weights, of x in each of `size` bins; others count
/// nowhere.
NodeRef bincount(Recorder &r, const NodeRef &x, const NodeRef &weights,
                 int64_t size);
/// Counts in bins between these edges, the last of which is closed.
NodeRef histogram(Recorder &r, const NodeRef &x, const NodeRef &edges);
/// Rows of the first dim of x combined by segment; an empty one is what
/// combining does not change. Segments outside of [0, count) count nowhere.
NodeRef segmentReduce(Recorder &r, UpdateKind kind, const NodeRef &x,
                      const NodeRef &segments, int64_t count);
/// Returns the first `size` distinct elements in ascending order, padded with
/// `fill`.
NodeRef unique(Recorder &r, const NodeRef &x, int64_t size,
               const Operand &fill);

NodeRef interp(Recorder &r, const NodeRef &x, const NodeRef &xs,
               const NodeRef &ys);
/// Coefficients from the highest power on.
NodeRef polyval(Recorder &r, const NodeRef &coefficients, const NodeRef &x);
NodeRef trapezoid(Recorder &r, const NodeRef &y, double dx, int64_t axis);
/// Covariance of variables (rows) and observations (columns).
NodeRef cov(Recorder &r, const NodeRef &x, double correction);
NodeRef corrcoef(Recorder &r, const NodeRef &x);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_STATISTICS_STATISTICS_H
