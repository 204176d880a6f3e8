//===- LinearAlgebra.cpp - Recording factorizations and solvers -----------===//

#include "compiler/graph/linalg/LinearAlgebra.h"
#include "compiler/graph/ops/Arrays.h"
#include "compiler/graph/ops/MatmulPrecision.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <limits>

namespace tensorc::graph {

//===----------------------------------------------------------------------===//
// Checks and parts
//===----------------------------------------------------------------------===//

/// Checks that x has floats or complex numbers.
static bool needNumbers(Recorder &r, const char *name, const NodeRef &x) {
  return x && isComplex(x->dtype()) ? r.error.empty() : needFloat(r, name, x);
}

static bool needMatrices(Recorder &r, const char *name, const NodeRef &x) {
  if (!needNumbers(r, name, x))
    return false;
  if (x->rank() < 2)
    r.fail(name, "needs matrices, so at least two dimensions, not " +
                     shapeString(x->shape()));
  return r.error.empty();
}

static bool needSquare(Recorder &r, const char *name, const NodeRef &x) {
  if (!needMatrices(r, name, x))
    return false;
  if (x->shape()[x->rank() - 2] != x->shape().back())
    r.fail(name, "the last two dimensions differ: " + shapeString(x->shape()) +
                     "; matrices must be square");
  return r.error.empty();
}

static int64_t rowsOf(const NodeRef &x) { return x->shape()[x->rank() - 2]; }
static int64_t columnsOf(const NodeRef &x) { return x->shape().back(); }

static NodeRef transposed(Recorder &r, const NodeRef &x) {
  if (!x)
    return {};
  Shape order;
  for (size_t i = 0; i < x->rank(); ++i)
    order.push_back(i);
  std::swap(order[x->rank() - 1], order[x->rank() - 2]);
  return transpose(r, x, order);
}

/// x^H.
static NodeRef adjoint(Recorder &r, const NodeRef &x) {
  NodeRef result = transposed(r, x);
  return result ? conj(r, result) : result;
}

/// Returns the dtype's epsilon. For complex numbers it is the epsilon of their
/// parts.
static double epsilonOf(DType dtype) {
  DType plane = isComplex(dtype) ? planeOf(dtype) : dtype;
  unsigned precision = llvm::APFloat::semanticsPrecision(semanticsOf(plane));
  return std::ldexp(1.0, 1 - static_cast<int>(precision));
}

//===----------------------------------------------------------------------===//
// Factorizations
//===----------------------------------------------------------------------===//

NodeRef factorization(Recorder &r, OpKind op, const NodeRef &x) {
  if (!needMatrices(r, traits(op).apiName, x))
    return {};
  return composite(r, op, x->dtype(), x);
}

NodeRef cholesky(Recorder &r, const NodeRef &x, bool upper) {
  if (!needSquare(r, "cholesky", x))
    return {};
  return composite(r, OpKind::Cholesky, x->dtype(), x,
                   tx::CholeskyAttributes{upper, /*info=*/false});
}

NodeRef choleskyPacked(Recorder &r, const NodeRef &x, bool upper) {
  if (!needSquare(r, "cholesky_ex", x))
    return {};
  return composite(r, OpKind::Cholesky, x->dtype(), x,
                   tx::CholeskyAttributes{upper, /*info=*/true});
}

NodeRef eigPacked(Recorder &r, const NodeRef &x) {
  if (!needSquare(r, "eig", x))
    return {};
  if (isComplex(x->dtype()))
    return composite(r, OpKind::Eig, x->dtype(), x);
  DType dtype = wideOf(x->dtype());
  return composite(r, OpKind::Eig, complexOf(dtype), astype(r, x, dtype));
}

NodeRef qrPacked(Recorder &r, const NodeRef &x, bool complete) {
  if (!needMatrices(r, "qr", x))
    return {};
  return composite(r, OpKind::Qr, x->dtype(), x, tx::QrAttributes{complete});
}

//===----------------------------------------------------------------------===//
// Solvers
//===----------------------------------------------------------------------===//

namespace {
/// Matrices and right-hand sides of a common dtype and batch. A vector becomes
/// a column.
struct System {
  NodeRef a, b;
  bool isVector = false;
};
} // namespace

static System systemOf(Recorder &r, const char *name, const NodeRef &a,
                       const NodeRef &b) {
  System system{a, b};
  if (!needMatrices(r, name, a) || !needNumbers(r, name, b))
    return {};
  if (b->rank() == 0)
    return r.fail(name, "needs right-hand sides, not a number"), System();
  auto dtype = promote(a->dtype(), b->dtype());
  if (!dtype)
    return r.fail(name, llvm::Twine("no common dtype of ") +
                            dtypeName(a->dtype()) + " and " +
                            dtypeName(b->dtype())),
           System();
  system.a = astype(r, a, *dtype);
  system.b = astype(r, b, *dtype);
  system.isVector = b->rank() == 1;
  if (system.isVector)
    system.b = expandDims(r, system.b, -1);
  Shape batch;
  Ints ofA = Ints(system.a->shape()).drop_back(2);
  Ints ofB = Ints(system.b->shape()).drop_back(2);
  if (!broadcastShapes(r, name, ofA, ofB, batch))
    return {};
  auto spread = [&](const NodeRef &x) {
    Shape shape = batch;
    Ints matrix = Ints(x->shape()).take_back(2);
    shape.append(matrix.begin(), matrix.end());
    return broadcastTo(r, x, shape);
  };
  system.a = spread(system.a);
  system.b = spread(system.b);
  return system;
}

/// Drops the column dim of the solution if b was a vector.
static NodeRef solved(Recorder &r, const System &system, NodeRef y) {
  return y && system.isVector ? squeeze(r, y, int64_t(-1)) : y;
}

NodeRef solve(Recorder &r, const NodeRef &a, const NodeRef &b) {
  if (!needSquare(r, "solve", a))
    return {};
  System system = systemOf(r, "solve", a, b);
  if (!system.a)
    return {};
  return solved(
      r, system,
      composite(r, OpKind::Solve, system.a->dtype(), {system.a, system.b}));
}

NodeRef triangularSolve(Recorder &r, const NodeRef &a, const NodeRef &b,
                        bool upper, bool transposed, bool unit) {
  if (!needSquare(r, "triangular_solve", a))
    return {};
  System system = systemOf(r, "triangular_solve", a, b);
  if (!system.a)
    return {};
  return solved(
      r, system,
      composite(r, OpKind::TriangularSolve, system.a->dtype(),
                {system.a, system.b},
                tx::TriangularSolveAttributes{upper, transposed, unit}));
}

NodeRef tridiagonalSolve(Recorder &r, const NodeRef &diagonals,
                         const NodeRef &b) {
  System system = systemOf(r, "tridiagonal_solve", diagonals, b);
  if (!system.a)
    return {};
  return solved(r, system,
                composite(r, OpKind::TridiagonalSolve, system.a->dtype(),
                          {system.a, system.b}));
}

NodeRef inv(Recorder &r, const NodeRef &x) {
  if (!needSquare(r, "inv", x))
    return {};
  return solve(r, x, eye(r, x->dtype(), rowsOf(x), rowsOf(x), 0));
}

//===----------------------------------------------------------------------===//
// Determinants
//===----------------------------------------------------------------------===//

NodeRef det(Recorder &r, const NodeRef &x) {
  if (!needSquare(r, "det", x))
    return {};
  return composite(r, OpKind::Determinant, x->dtype(), x,
                   tx::DeterminantAttributes{/*logarithm=*/false});
}

NodeRef slogdet(Recorder &r, const NodeRef &x) {
  if (!needSquare(r, "slogdet", x))
    return {};
  return composite(r, OpKind::Determinant, x->dtype(), x,
                   tx::DeterminantAttributes{/*logarithm=*/true});
}

//===----------------------------------------------------------------------===//
// Functions of singular values and eigenvalues
//===----------------------------------------------------------------------===//

namespace {
/// A singular value decomposition. `s` holds the singular values, which are
/// real, as a row.
struct Singular {
  NodeRef u, s, v;
};
} // namespace

static Singular singularOf(Recorder &r, const char *name, const NodeRef &x) {
  if (!needMatrices(r, name, x))
    return {};
  NodeRef all = composite(r, OpKind::Svd, x->dtype(), x);
  if (!all)
    return {};
  int64_t m = rowsOf(x), n = columnsOf(x);
  return {sliceInDim(r, all, -2, 0, m),
          real(r, sliceInDim(r, all, -2, m, m + 1)),
          sliceInDim(r, all, -2, m + 1, m + 1 + n)};
}

NodeRef svdvals(Recorder &r, const NodeRef &x) {
  Singular parts = singularOf(r, "svdvals", x);
  return parts.s ? squeeze(r, parts.s, int64_t(-2)) : NodeRef();
}

/// Returns the first row of the packed result of eigh or eig: the eigenvalues.
static NodeRef firstRow(Recorder &r, const NodeRef &all) {
  return all ? squeeze(r, sliceInDim(r, all, -2, 0, 1), int64_t(-2)) : all;
}

NodeRef eigvalsh(Recorder &r, const NodeRef &x) {
  if (!needSquare(r, "eigvalsh", x))
    return {};
  NodeRef w = firstRow(r, composite(r, OpKind::Eigh, x->dtype(), x));
  return w ? real(r, w) : w;
}

NodeRef eigvals(Recorder &r, const NodeRef &x) {
  if (!needSquare(r, "eigvals", x))
    return {};
  return firstRow(r, eigPacked(r, x));
}

NodeRef roots(Recorder &r, const NodeRef &coefficients) {
  if (!needNumbers(r, "roots", coefficients))
    return {};
  if (coefficients->rank() != 1 || coefficients->shape()[0] < 1)
    return r.fail("roots", "needs a vector of at least one coefficient, not " +
                               shapeString(coefficients->shape()));
  NodeRef c = astype(r, coefficients, wideOf(coefficients->dtype()));
  int64_t degree = c->shape()[0] - 1;
  NodeRef first = sliceInDim(r, c, -1, 0, 1),
          rest = sliceInDim(r, c, -1, 1, openEnd);
  NodeRef row =
      elementwise(r, OpKind::Neg, {elementwise(r, OpKind::Div, {rest, first})});
  if (degree == 0)
    return row && !isComplex(row->dtype())
               ? astype(r, row, complexOf(row->dtype()))
               : row;
  // The companion matrix: ones below the diagonal.
  NodeRef shifted = eye(r, c->dtype(), degree - 1, degree, 0);
  NodeRef parts[] = {expandDims(r, row, 0), shifted};
  return eigvals(r, concatenate(r, parts, 0));
}

/// Returns a mask of the singular values (a row) that exceed `rtol` times the
/// largest one.
static NodeRef counted(Recorder &r, const NodeRef &x, const NodeRef &s,
                       double rtol) {
  if (!(rtol >= 0))
    rtol = std::max(rowsOf(x), columnsOf(x)) * epsilonOf(x->dtype());
  if (columnsOf(s) == 0)
    return elementwise(r, OpKind::Gt, {s, s});
  NodeRef largest = sliceInDim(r, s, -1, 0, 1);
  NodeRef limit = elementwise(r, OpKind::Mul, {largest, Scalar::of(rtol)});
  return elementwise(r, OpKind::Gt, {s, limit});
}

/// Returns 1 / s for singular values above the tolerance, else 0. NaN stays
/// NaN.
static NodeRef inverted(Recorder &r, const NodeRef &x, const NodeRef &s,
                        double rtol) {
  NodeRef one = elementwise(r, OpKind::Div, {Scalar::of(1.0), s});
  NodeRef kept = elementwise(r, OpKind::Select,
                             {counted(r, x, s, rtol), one, Scalar::of(0.0)});
  return elementwise(r, OpKind::Select,
                     {elementwise(r, OpKind::IsNan, {s}), s, kept});
}

NodeRef pinv(Recorder &r, const NodeRef &x, double rtol) {
  ExactProducts exact;
  Singular parts = singularOf(r, "pinv", x);
  if (!parts.v)
    return {};
  NodeRef scaled =
      elementwise(r, OpKind::Mul, {parts.v, inverted(r, x, parts.s, rtol)});
  return matmul(r, scaled, adjoint(r, parts.u));
}

NodeRef lstsq(Recorder &r, const NodeRef &a, const NodeRef &b, double rtol) {
  ExactProducts exact;
  System system = systemOf(r, "lstsq", a, b);
  if (!system.a)
    return {};
  if (rowsOf(system.a) != rowsOf(system.b))
    return r.fail("lstsq", "right-hand sides of shape " +
                               shapeString(b->shape()) +
                               " do not fit matrices of shape " +
                               shapeString(a->shape()));
  Singular parts = singularOf(r, "lstsq", system.a);
  if (!parts.v)
    return {};
  NodeRef onto = matmul(r, adjoint(r, parts.u), system.b);
  NodeRef scale = transposed(r, inverted(r, system.a, parts.s, rtol));
  NodeRef scaled = elementwise(r, OpKind::Mul, {onto, scale});
  return solved(r, system, matmul(r, parts.v, scaled));
}

NodeRef matrixRank(Recorder &r, const NodeRef &x, double rtol) {
  Singular parts = singularOf(r, "matrix_rank", x);
  if (!parts.s)
    return {};
  int64_t axes[] = {-2, -1}; // the singular values are a row
  return reduce(r, OpKind::Sum, counted(r, x, parts.s, rtol), axes, false);
}

NodeRef conditionNumber(Recorder &r, const NodeRef &x) {
  NodeRef s = svdvals(r, x);
  if (!s)
    return {};
  if (columnsOf(s) == 0)
    return r.fail("condition_number",
                  "an empty matrix has no condition number");
  NodeRef smallest = sliceInDim(r, s, -1, columnsOf(s) - 1, openEnd);
  NodeRef ratio =
      elementwise(r, OpKind::Div, {sliceInDim(r, s, -1, 0, 1), smallest});
  // True for a zero matrix, too, whose ratio would be 0 / 0.
  NodeRef isSingular = elementwise(r, OpKind::Eq, {smallest, Scalar::of(0.0)});
  ratio = elementwise(
      r, OpKind::Select,
      {isSingular, Scalar::of(std::numeric_limits<double>::infinity()), ratio});
  return squeeze(r, ratio, int64_t(-1));
}

//===----------------------------------------------------------------------===//
// Functions composed of products and sums
//===----------------------------------------------------------------------===//

NodeRef matrixPower(Recorder &r, const NodeRef &x, int64_t power) {
  ExactProducts exact;
  const char *name = "matrix_power";
  // Integer matrices stay integers except for negative powers, as in NumPy.
  bool areIntegers = x && isIn(x->dtype(), integerMask);
  NodeRef base = areIntegers && power < 0 ? astype(r, x, DType::F64) : x;
  if (areIntegers ? x->rank() < 2 || rowsOf(x) != columnsOf(x)
                  : !needSquare(r, name, x))
    return r.error.empty() ? r.fail(name, "needs square matrices, not " +
                                              shapeString(x->shape()))
                           : NodeRef();
  if (power == INT64_MIN)
    return r.fail(name, "the power is too small");
  NodeRef square = power < 0 ? inv(r, base) : base, result;
  for (uint64_t left = std::abs(power); left && square; left >>= 1) {
    if (left & 1)
      result = result ? matmul(r, result, square) : square;
    if (left > 1)
      square = matmul(r, square, square);
  }
  if (power != 0)
    return result;
  return broadcastTo(r, eye(r, x->dtype(), rowsOf(x), rowsOf(x), 0),
                     x->shape());
}

NodeRef trace(Recorder &r, const NodeRef &x, int64_t offset) {
  if (!x || x->rank() < 2)
    return r.fail("trace", "needs matrices, so at least two dimensions, not " +
                               (x ? shapeString(x->shape()) : "nothing"));
  if (std::abs(offset) > int64_t(1) << 40)
    return r.fail("trace", "the diagonal is too far out");
  NodeRef on = eye(r, DType::I1, rowsOf(x), columnsOf(x), offset);
  Scalar zero =
      x->dtype() == DType::I1 ? Scalar::of(false) : Scalar::of(int64_t(0));
  NodeRef kept = elementwise(r, OpKind::Select, {on, x, zero});
  int64_t axes[] = {-2, -1};
  return kept ? reduce(r, OpKind::Sum, kept, axes, false) : kept;
}

NodeRef cross(Recorder &r, const NodeRef &x, const NodeRef &y, int64_t axis) {
  if (!x || !y)
    return r.fail("cross", "an operand is an undefined tensor");
  Shape shape, ofX;
  if (!broadcastShapes(r, "cross", x->shape(), y->shape(), shape))
    return {};
  NodeRef a = broadcastTo(r, x, shape), b = broadcastTo(r, y, shape);
  if (!normalizeAxes(r, "cross", *a.get(), axis, false, ofX))
    return {};
  if (shape[ofX[0]] != 3)
    return r.fail("cross",
                  "the axis must have three elements: " + shapeString(shape));
  // The cyclically next element of each element, and the one after it.
  int64_t next[] = {1, 2, 0}, last[] = {2, 0, 1};
  auto rolled = [&](const NodeRef &v, const int64_t *order) {
    NodeRef parts[3];
    for (int i = 0; i < 3; ++i)
      parts[i] = sliceInDim(r, v, ofX[0] - static_cast<int64_t>(v->rank()),
                            order[i], order[i] + 1);
    return concatenate(r, parts, ofX[0]);
  };
  auto product = [&](const NodeRef &u, const NodeRef &v) {
    return elementwise(r, OpKind::Mul, {u, v});
  };
  return elementwise(r, OpKind::Sub,
                     {product(rolled(a, next), rolled(b, last)),
                      product(rolled(a, last), rolled(b, next))});
}

} // namespace tensorc::graph
