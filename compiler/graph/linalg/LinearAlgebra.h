//===- LinearAlgebra.h - Recording linear algebra ---------------*- C++ -*-===//
//
// Einstein sums, factorizations and solvers. The last two are functions of the
// last two dims of tensors of floats or complex numbers; the dims before them
// are a batch.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_LINALG_LINEARALGEBRA_H
#define TENSORC_COMPILER_GRAPH_LINALG_LINEARALGEBRA_H

#include "compiler/graph/ops/Composites.h"

namespace tensorc::graph {

/// NumPy's einsum with ellipses, repeated labels (diagonals) and an implicit
/// output. Contracts the pair with the smallest result first.
NodeRef einsum(Recorder &r, llvm::StringRef subscripts,
               llvm::ArrayRef<NodeRef> operands);

/// Records a factorization of one operand, whose results are concatenated into
/// one tensor (ir/library/ops/LinearAlgebra.td).
NodeRef factorization(Recorder &r, OpKind op, const NodeRef &x);
NodeRef cholesky(Recorder &r, const NodeRef &x, bool upper);
/// Returns the factor with an additional column that holds LAPACK's info.
NodeRef choleskyPacked(Recorder &r, const NodeRef &x, bool upper);
/// The result is complex, even for a real x.
NodeRef eigPacked(Recorder &r, const NodeRef &x);
NodeRef qrPacked(Recorder &r, const NodeRef &x, bool complete);

/// b is a vector, or a matrix of right-hand sides; batches broadcast.
NodeRef solve(Recorder &r, const NodeRef &a, const NodeRef &b);
NodeRef triangularSolve(Recorder &r, const NodeRef &a, const NodeRef &b,
                        bool upper, bool transposed, bool unit);
NodeRef tridiagonalSolve(Recorder &r, const NodeRef &diagonals,
                         const NodeRef &b);

NodeRef inv(Recorder &r, const NodeRef &x);
NodeRef det(Recorder &r, const NodeRef &x);
/// Returns sign and ln |det| along a new last axis.
NodeRef slogdet(Recorder &r, const NodeRef &x);
/// Returns the singular values in descending order.
NodeRef svdvals(Recorder &r, const NodeRef &x);
/// Returns the eigenvalues in ascending order.
NodeRef eigvalsh(Recorder &r, const NodeRef &x);
/// Returns the eigenvalues in no particular order.
NodeRef eigvals(Recorder &r, const NodeRef &x);
/// Returns the roots of the polynomial with these coefficients, highest power
/// first.
NodeRef roots(Recorder &r, const NodeRef &coefficients);
/// A negative tolerance means max(m, n) times the dtype's epsilon.
NodeRef pinv(Recorder &r, const NodeRef &x, double rtol);
NodeRef matrixRank(Recorder &r, const NodeRef &x, double rtol);
NodeRef lstsq(Recorder &r, const NodeRef &a, const NodeRef &b, double rtol);
/// Returns the condition number in the 2-norm.
NodeRef conditionNumber(Recorder &r, const NodeRef &x);
NodeRef matrixPower(Recorder &r, const NodeRef &x, int64_t power);
NodeRef trace(Recorder &r, const NodeRef &x, int64_t offset);
NodeRef cross(Recorder &r, const NodeRef &x, const NodeRef &y, int64_t axis);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_LINALG_LINEARALGEBRA_H
