//===- LinearAlgebra.cpp - Recording factorizations and solvers -----------===//

#include "compiler/graph/linalg/LinearAlgebra.h"
#include "compiler/graph/linalg/ComplexMatrices.h"
#include "compiler/graph/ops/Arrays.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <limits>

namespace tensorc::graph {

//===----------------------------------------------------------------------===//
// Checks and parts
//===----------------------------------------------------------------------===//

static bool needMatrices(Recorder &r, const char *name, const NodeRef &x) {
  if (!needFloat(r, name, x))
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

/// Whether the matrices are complex; refuses those that are none.
static bool isOfComplex(Recorder &r, const char *name, const NodeRef &x) {
  if (!isComplexTensor(x))
    return false;
  if (x->rank() < 2)
    r.fail(name, "needs matrices, so at least two dimensions, not " +
                     shapeString(x->shape()));
  return r.error.empty();
}
static bool isSquareOfComplex(Recorder &r, const char *name, const NodeRef &x) {
  if (!isOfComplex(r, name, x))
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

static double epsilonOf(DType dtype) {
  unsigned precision = llvm::APFloat::semanticsPrecision(semanticsOf(dtype));
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
  if (isSquareOfComplex(r, "cholesky", x))
    return ofRealMatrix(r, cholesky(r, asRealSymmetric(r, x), upper));
  if (!needSquare(r, "cholesky", x))
    return {};
  return composite(r, OpKind::Cholesky, x->dtype(), x,
                   tx::CholeskyAttributes{upper});
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
/// Matrices and right-hand sides of one dtype and batch; a vector as a column.
struct System {
  NodeRef a, b;
  bool isVector = false;
};
} // namespace

static System systemOf(Recorder &r, const char *name, const NodeRef &a,
                       const NodeRef &b) {
  System system{a, b};
  if (!needMatrices(r, name, a) || !needFloat(r, name, b))
    return {};
  if (b->rank() == 0)
    return r.fail(name, "needs right-hand sides, not a number"), System();
  DType dtype = *promote(a->dtype(), b->dtype());
  system.a = astype(r, a, dtype);
  system.b = astype(r, b, dtype);
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

/// Without the column's dim, if b was a vector.
static NodeRef solved(Recorder &r, const System &system, NodeRef y) {
  return y && system.isVector ? squeeze(r, y, int64_t(-1)) : y;
}

namespace {
/// The same of complex numbers: the right-hand sides as real columns.
struct ComplexSystem {
  NodeRef a, b;
  bool isVector = false;

  NodeRef y(Recorder &r, const NodeRef &columns) const {
    if (!columns)
      return {};
    NodeRef y = ofRealColumns(r, columns);
    return isVector ? squeeze(r, y, int64_t(-1)) : y;
  }
};
} // namespace

static ComplexSystem complexSystemOf(Recorder &r, const char *name,
                                     const NodeRef &a, const NodeRef &b,
                                     bool isSquare) {
  if (b->rank() == 0)
    return r.fail(name, "needs right-hand sides, not a number"),
           ComplexSystem();
  auto dtype = promote(a->dtype(), b->dtype());
  if (!dtype)
    return r.fail(name, llvm::Twine("no common dtype of ") +
                            dtypeName(a->dtype()) + " and " +
                            dtypeName(b->dtype())),
           ComplexSystem();
  NodeRef matrix = astype(r, a, *dtype);
  if (isSquare ? !isSquareOfComplex(r, name, matrix)
               : !isOfComplex(r, name, matrix))
    return {};
  bool isVector = b->rank() == 1;
  NodeRef columns = astype(r, isVector ? expandDims(r, b, -1) : b, *dtype);
  return {matrix, asRealColumns(r, columns), isVector};
}

NodeRef solve(Recorder &r, const NodeRef &a, const NodeRef &b) {
  if (a && b && (isComplexTensor(a) || isComplexTensor(b))) {
    ComplexSystem all = complexSystemOf(r, "solve", a, b, true);
    return all.y(r,
                 all.a ? solve(r, asRealMatrix(r, all.a), all.b) : NodeRef());
  }
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
  if (isSquareOfComplex(r, "inv", x))
    return ofRealMatrix(r, inv(r, asRealMatrix(r, x)));
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
  NodeRef all = composite(r, OpKind::Determinant, x->dtype(), x);
  return all ? squeeze(r, sliceInDim(r, all, -1, 2, 3), int64_t(-1)) : all;
}

NodeRef slogdet(Recorder &r, const NodeRef &x) {
  if (!needSquare(r, "slogdet", x))
    return {};
  return sliceInDim(r, composite(r, OpKind::Determinant, x->dtype(), x), -1, 0,
                    2);
}

//===----------------------------------------------------------------------===//
// By singular values and eigenvalues
//===----------------------------------------------------------------------===//

namespace {
struct Singular {
  NodeRef u, s, v;
};
} // namespace

static Singular singularOf(Recorder &r, const char *name, const NodeRef &x) {
  if (!needMatrices(r, name, x))
    return {};
  NodeRef all = composite(r, OpKind::Svd, x->dtype(), x);
  int64_t m = rowsOf(x), n = columnsOf(x);
  return {sliceInDim(r, all, -2, 0, m), sliceInDim(r, all, -2, m, m + 1),
          sliceInDim(r, all, -2, m + 1, m + 1 + n)};
}

NodeRef svdvals(Recorder &r, const NodeRef &x) {
  if (isOfComplex(r, "svdvals", x))
    return everyOther(r, svdvals(r, asRealMatrix(r, x)), -1);
  Singular parts = singularOf(r, "svdvals", x);
  return parts.s ? squeeze(r, parts.s, int64_t(-2)) : NodeRef();
}

NodeRef eigvalsh(Recorder &r, const NodeRef &x) {
  if (isSquareOfComplex(r, "eigvalsh", x))
    return everyOther(r, eigvalsh(r, asRealSymmetric(r, x)), -1);
  if (!needSquare(r, "eigvalsh", x))
    return {};
  NodeRef all = composite(r, OpKind::Eigh, x->dtype(), x);
  return all ? squeeze(r, sliceInDim(r, all, -2, 0, 1), int64_t(-2)) : all;
}

/// Which of the singular values (a row) count: those above the tolerance times
/// the largest.
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

/// 1 / s where it counts, else 0; NaN stays.
static NodeRef inverted(Recorder &r, const NodeRef &x, const NodeRef &s,
                        double rtol) {
  NodeRef one = elementwise(r, OpKind::Div, {Scalar::of(1.0), s});
  NodeRef kept = elementwise(r, OpKind::Select,
                             {counted(r, x, s, rtol), one, Scalar::of(0.0)});
  return elementwise(r, OpKind::Select,
                     {elementwise(r, OpKind::IsNan, {s}), s, kept});
}

/// That of a matrix of half the size: what its real one has is twice too large.
static double toleranceOf(const NodeRef &x, double rtol) {
  return rtol >= 0 ? rtol
                   : std::max(rowsOf(x), columnsOf(x)) *
                         epsilonOf(planeOf(x->dtype()));
}

NodeRef pinv(Recorder &r, const NodeRef &x, double rtol) {
  if (isOfComplex(r, "pinv", x))
    return ofRealMatrix(r, pinv(r, asRealMatrix(r, x), toleranceOf(x, rtol)));
  Singular parts = singularOf(r, "pinv", x);
  if (!parts.v)
    return {};
  NodeRef scaled =
      elementwise(r, OpKind::Mul, {parts.v, inverted(r, x, parts.s, rtol)});
  return matmul(r, scaled, transposed(r, parts.u));
}

NodeRef lstsq(Recorder &r, const NodeRef &a, const NodeRef &b, double rtol) {
  if (a && b && (isComplexTensor(a) || isComplexTensor(b))) {
    ComplexSystem all = complexSystemOf(r, "lstsq", a, b, false);
    return all.y(r, all.a ? lstsq(r, asRealMatrix(r, all.a), all.b,
                                  toleranceOf(all.a, rtol))
                          : NodeRef());
  }
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
  NodeRef onto = matmul(r, transposed(r, parts.u), system.b);
  NodeRef scale = transposed(r, inverted(r, system.a, parts.s, rtol));
  NodeRef scaled = elementwise(r, OpKind::Mul, {onto, scale});
  return solved(r, system, matmul(r, parts.v, scaled));
}

NodeRef matrixRank(Recorder &r, const NodeRef &x, double rtol) {
  if (isOfComplex(r, "matrix_rank", x)) {
    NodeRef twice = matrixRank(r, asRealMatrix(r, x), toleranceOf(x, rtol));
    return elementwise(r, OpKind::FloorDiv, {twice, Scalar::of(int64_t(2))});
  }
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
  // Of zeros, too: 0 / 0.
  NodeRef isSingular = elementwise(r, OpKind::Eq, {smallest, Scalar::of(0.0)});
  ratio = elementwise(
      r, OpKind::Select,
      {isSingular, Scalar::of(std::numeric_limits<double>::infinity()), ratio});
  return squeeze(r, ratio, int64_t(-1));
}

//===----------------------------------------------------------------------===//
// Made of products and sums
//===----------------------------------------------------------------------===//

NodeRef matrixPower(Recorder &r, const NodeRef &x, int64_t power) {
  const char *name = "matrix_power";
  // Integers stay so: their inverse alone is of floats, as NumPy's.
  bool areIntegers = x && isIn(x->dtype(), integerMask);
  NodeRef base = areIntegers && power < 0 ? astype(r, x, DType::F64) : x;
  bool areExact = areIntegers || isComplexTensor(x);
  if (areExact ? x->rank() < 2 || rowsOf(x) != columnsOf(x)
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
    return r.fail("cross", "an operand is an empty tensor");
  Shape shape, ofX;
  if (!broadcastShapes(r, "cross", x->shape(), y->shape(), shape))
    return {};
  NodeRef a = broadcastTo(r, x, shape), b = broadcastTo(r, y, shape);
  if (!normalizeAxes(r, "cross", *a.get(), axis, false, ofX))
    return {};
  if (shape[ofX[0]] != 3)
    return r.fail("cross",
                  "the axis must have three elements: " + shapeString(shape));
  // The elements behind each one, and those behind them.
  int64_t next[] = {1, 2, 0}, last[] = {2, 0, 1};
  auto turned = [&](const NodeRef &v, const int64_t *order) {
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
                     {product(turned(a, next), turned(b, last)),
                      product(turned(a, last), turned(b, next))});
}

} // namespace tensorc::graph
