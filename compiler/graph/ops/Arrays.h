//===- Arrays.h - NumPy's and PyTorch's functions made of other ops -------===//
#ifndef TENSORC_COMPILER_GRAPH_OPS_ARRAYS_H
#define TENSORC_COMPILER_GRAPH_OPS_ARRAYS_H

#include "compiler/graph/ops/Builders.h"

namespace tensorc::graph {

NodeRef tensordot(Recorder &r, const NodeRef &x, const NodeRef &y, Ints xAxes,
                  Ints yAxes);
NodeRef kron(Recorder &r, const NodeRef &x, const NodeRef &y);
/// Sets elements below (upper) or above the diagonal of the last two axes to 0.
NodeRef triangle(Recorder &r, const NodeRef &x, int64_t diagonal, bool upper);
/// Returns the diagonal of a matrix, or for a vector the matrix with this
/// diagonal.
NodeRef diag(Recorder &r, const NodeRef &x, int64_t diagonal);
/// Without axes, rolls the flattened tensor.
NodeRef roll(Recorder &r, const NodeRef &x, Ints shifts, Ints axes);
NodeRef tile(Recorder &r, const NodeRef &x, Ints repetitions);
NodeRef repeat(Recorder &r, const NodeRef &x, int64_t count, int64_t axis);
NodeRef stack(Recorder &r, llvm::ArrayRef<NodeRef> inputs, int64_t axis);
/// Returns the coordinates of the points of a grid, one tensor for each input.
/// With `xy`, the second input's axis comes first.
llvm::SmallVector<NodeRef> meshgrid(Recorder &r, llvm::ArrayRef<NodeRef> inputs,
                                    bool xy);

/// Returns |x - y| <= atol + rtol |y|; infinities are close to themselves.
/// Computed in at least f32, integers in f64.
NodeRef isClose(Recorder &r, const NodeRef &x, const Operand &y, double rtol,
                double atol, bool equalNan);
/// Returns, as i1, the logical and, or, or xor of whether elements are nonzero.
NodeRef logical(Recorder &r, OpKind op, const NodeRef &x, const Operand &y);
NodeRef logicalNot(Recorder &r, const NodeRef &x);
/// Replaces the elements of x at which the mask is true by the value, in the
/// dtype of x.
NodeRef maskedFill(Recorder &r, const NodeRef &x, const NodeRef &mask,
                   const Operand &value);
/// Returns `length` elements along the axis; all of them must exist.
NodeRef narrow(Recorder &r, const NodeRef &x, int64_t axis, int64_t start,
               int64_t length);
/// Returns beta x + alpha a b for matrices. If beta is 0, x is ignored.
NodeRef addmm(Recorder &r, const NodeRef &x, const NodeRef &a, const NodeRef &b,
              double beta, double alpha);

enum class PadMode { Edge, Reflect, Wrap, Symmetric };
/// NumPy's pad with modes that repeat elements of x.
NodeRef padWith(Recorder &r, const NodeRef &x, Ints low, Ints high,
                PadMode mode);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPS_ARRAYS_H
