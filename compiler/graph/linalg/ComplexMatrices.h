//===- ComplexMatrices.h - Complex matrices as real ones --------*- C++ -*-===//
//
// A number x + iy in the place of [[x, -y], [y, x]]: products, inverses and
// adjoints of such real matrices are those of the complex ones, Cholesky
// factors too (they are unique), and eigenvalues and singular values are there
// twice, one behind the other. What is not unique (vectors, Q) is not.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_LINALG_COMPLEXMATRICES_H
#define TENSORC_COMPILER_GRAPH_LINALG_COMPLEXMATRICES_H

#include "compiler/graph/ops/Builders.h"

namespace tensorc::graph {

inline bool isComplexTensor(const NodeRef &x) {
  return x && isComplex(x->dtype());
}
/// [..., m, n] as [..., 2m, 2n].
NodeRef asRealMatrix(Recorder &r, const NodeRef &x);
/// The same of Hermitian matrices: as LAPACK, without a look at the imaginary
/// parts of the diagonal.
NodeRef asRealSymmetric(Recorder &r, const NodeRef &x);
/// Of its columns the first ones: [..., 2m, n].
NodeRef asRealColumns(Recorder &r, const NodeRef &x);
/// Back.
NodeRef ofRealMatrix(Recorder &r, const NodeRef &x);
NodeRef ofRealColumns(Recorder &r, const NodeRef &x);
/// Of what is there twice along an axis.
NodeRef everyOther(Recorder &r, const NodeRef &x, int64_t axis);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_LINALG_COMPLEXMATRICES_H
