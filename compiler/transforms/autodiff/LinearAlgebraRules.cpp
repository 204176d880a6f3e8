//===- LinearAlgebraRules.cpp - Gradients of factorizations ---------------===//
//
// Gradients of the calls to which linear algebra ops are lowered
// (ir/library/ops/LinearAlgebra.cpp). Formulas: M. Giles, An extended
// collection of matrix derivative results for forward and reverse mode (2008);
// I. Murray, arXiv 1602.07527 (Cholesky); J. Townsend, Differentiating the
// singular value decomposition (2016); C. Boeddeker et al., arXiv 1701.00392
// (complex matrices). The gradient with respect to z = x + iy is d/dx + i d/dy.
// The vectors of some factorizations of complex matrices have a free phase.
// Their gradient exists only if the function applied to them does not depend on
// the phase.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/autodiff/Rules.h"
#include "ir/library/Library.h"
#include "ir/tx/Complex.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tensorc::compiler::autodiff {

static Dim rowsOf(Value x) { return dimsOf(x)[rankOf(x) - 2]; }
static Dim columnsOf(Value x) { return dimsOf(x).back(); }
static bool isOfComplex(Value x) {
  return isa<ComplexType>(getElementTypeOrSelf(x));
}
/// Returns the type of the real or imaginary parts of x.
static Type plane(Value x) {
  auto type = builder::typeOf(x);
  return tx::withElementType(
      type, cast<ComplexType>(type.getElementType()).getElementType());
}

namespace {

/// The formulas that the rules are made of. Matrices are the last two dims.
class MatrixFormulas {
protected:
  explicit MatrixFormulas(Pullback &p) : p(p), e(p.e) {}

  Value product(Value x, Value y) {
    int64_t batch = rankOf(x) - 2;
    auto dims = llvm::to_vector(llvm::seq<int64_t>(0, batch));
    return e.dot(x, y, {dims, dims, {batch + 1}, {batch}});
  }
  Value transposed(Value x) {
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    return e.transpose(x, order);
  }
  Value re(Value x) {
    return isOfComplex(x) ? Value(tx::RealOp::create(e.b, e.loc, plane(x), x))
                          : x;
  }
  Value im(Value x) { return tx::ImagOp::create(e.b, e.loc, plane(x), x); }
  Value complex(Value re, Value im) {
    Type type = tx::withElementType(
        builder::typeOf(re),
        ComplexType::get(builder::typeOf(re).getElementType()));
    return tx::ComplexOp::create(e.b, e.loc, type, re, im);
  }
  Value conj(Value x) {
    return isOfComplex(x) ? complex(re(x), e.neg(im(x))) : x;
  }
  /// Drops the imaginary part, which is zero or irrelevant, and keeps x's
  /// dtype.
  Value real(Value x) {
    return isOfComplex(x) ? complex(re(x), p.zerosLike(re(x))) : x;
  }
  Value adjoint(Value x) { return transposed(conj(x)); }
  /// Slices `size` elements along `dim`, beginning at `start`. `dim` is -2
  /// (rows) or -1 (columns).
  Value part(Value x, int64_t dim, int64_t start, Dim size) {
    return e.sliceAlong(x, rankOf(x) + dim, start, size);
  }
  Value difference(Value square) {
    SmallVector<Dim> dims{rowsOf(square), columnsOf(square)};
    return e.sub(e.iota(DType::I64, dims, 0), e.iota(DType::I64, dims, 1));
  }
  /// Returns the lower triangle of x including the diagonal, and zeros
  /// elsewhere. The next three functions keep other parts.
  Value lower(Value x) {
    return e.select(e.greaterOrEqual(difference(x), 0), x, 0.0);
  }
  Value strictlyLower(Value x) {
    return e.select(e.greater(difference(x), 0), x, 0.0);
  }
  Value upper(Value x) {
    return e.select(e.lessOrEqual(difference(x), 0), x, 0.0);
  }
  Value diagonal(Value x) {
    return e.select(e.equal(difference(x), 0), x, 0.0);
  }
  Value identity(Value like) {
    Value ones = e.full(1.0, dtypeOf(like), dimsOf(like));
    return diagonal(ones);
  }
  /// Converts the gradient of the whole matrix to the gradient of a function
  /// that reads only the lower triangle of a symmetric or Hermitian matrix.
  Value ofLowerTriangle(Value x) {
    return e.add(strictlyLower(e.add(x, adjoint(x))), real(diagonal(x)));
  }
  /// Returns 1 / x, and 0 where x is 0.
  Value reciprocal(Value x) {
    Value isZero = e.equal(x, 0.0);
    // Divides by 1 where x is 0: the gradient of this expression would multiply
    // an infinity by 0.
    return e.select(isZero, 0.0, e.div(1.0, e.select(isZero, 1.0, x)));
  }
  Value solve(Value a, Value b) {
    return tx::SolveOp::create(e.b, e.loc, b.getType(), a, b);
  }
  Value inverse(Value a) { return solve(a, identity(a)); }
  Value triangular(Value a, Value b, bool isUpper, bool isTransposed,
                   bool isUnit = false) {
    return tx::TriangularSolveOp::create(e.b, e.loc, b.getType(), a, b, isUpper,
                                         isTransposed, isUnit);
  }
  /// Returns a^-H b.
  Value adjointTriangular(Value a, Value b, bool isUpper, bool isUnit = false) {
    return triangular(conj(a), b, isUpper, /*isTransposed=*/true, isUnit);
  }
  /// Returns b a^-H.
  Value timesInverseAdjoint(Value b, Value a, bool isUpper) {
    return adjoint(triangular(a, adjoint(b), isUpper, false));
  }

  Pullback &p;
  TensorBuilder &e;
};

/// The gradient of a call.
class Rule : MatrixFormulas {
public:
  explicit Rule(Pullback &p)
      : MatrixFormulas(p), call(cast<tx::CustomCallOp>(p.op)),
        g(p.cotangents[0]) {}

  LogicalResult run();

private:
  tx::CustomCallOp call;
  Value g;

  Value input(unsigned i) { return call.getInputs()[i]; }
  Value result() { return call.getOutputs()[0]; }
  bool has(StringRef word) {
    SmallVector<StringRef> words;
    call.getConfig().value_or("").split(words, ' ');
    return llvm::is_contained(words, word);
  }

  LogicalResult cholesky();
  LogicalResult solveRule();
  LogicalResult triangularSolve();
  LogicalResult tridiagonalSolve();
  LogicalResult lu();
  LogicalResult determinant();
  LogicalResult cofactors();
  LogicalResult qr();
  LogicalResult svd();
  LogicalResult eigh();
  LogicalResult eig();
};

} // namespace

/// The gradient is L^-H phi(L^H g) L^-1, where phi takes the lower triangle
/// with half of the diagonal.
LogicalResult Rule::cholesky() {
  p.give(0, [&] {
    bool isUpper = has("upper");
    Dim n = columnsOf(input(0));
    auto factorOf = [&](Value y) {
      Value factor = has("info") ? part(y, -1, 0, n) : y;
      return isUpper ? adjoint(factor) : factor;
    };
    Value l = factorOf(result());
    Value inner = product(adjoint(l), lower(factorOf(g)));
    Value phi = e.add(strictlyLower(inner), e.mul(real(diagonal(inner)), 0.5));
    Value left = adjointTriangular(l, phi, false);
    return ofLowerTriangle(adjoint(adjointTriangular(l, adjoint(left), false)));
  });
  return success();
}

/// The gradient of b is a^-H g. The gradient of a is minus the gradient of b
/// times y^H.
LogicalResult Rule::solveRule() {
  Value ofB = solve(adjoint(input(0)), g);
  p.give(0, [&] { return e.neg(product(ofB, adjoint(result()))); });
  p.give(1, [&] { return ofB; });
  return success();
}

LogicalResult Rule::triangularSolve() {
  bool isUpper = has("upper"), isTransposed = has("transposed"),
       isUnit = has("unit");
  Value ofB = triangular(conj(input(0)), g, isUpper, !isTransposed, isUnit);
  p.give(0, [&] {
    Value all = isTransposed ? product(conj(result()), transposed(ofB))
                             : product(ofB, adjoint(result()));
    Value kept = isUpper ? upper(all) : lower(all);
    return e.neg(isUnit ? e.sub(kept, diagonal(kept)) : kept);
  });
  p.give(1, [&] { return ofB; });
  return success();
}

/// Like solveRule, for the three diagonals of the matrix, which are stored as
/// rows. Element i of the lower diagonal multiplies y of row i - 1, and element
/// i of the upper diagonal multiplies y of row i + 1.
LogicalResult Rule::tridiagonalSolve() {
  Value d = input(0);
  Dim n = columnsOf(d);
  int64_t rank = rankOf(d);
  auto shifted = [&](Value x, int64_t dim, bool down) {
    SmallVector<int64_t> low(rank, 0), high(rank, 0), none(rank, 0);
    low[rank + dim] = down ? 1 : -1;
    high[rank + dim] = down ? -1 : 1;
    return e.pad(x, low, high, none, 0.0);
  };
  auto row = [&](int64_t i) { return part(d, -2, i, 1); };
  auto join = [&](ArrayRef<Value> rows) {
    return e.concatenate(rows, rank - 2);
  };
  if (n == 0)
    return success();
  Value adjointDiagonals = conj(
      join({shifted(row(2), -1, true), row(1), shifted(row(0), -1, false)}));
  Value ofB = tx::TridiagonalSolveOp::create(e.b, e.loc, g.getType(),
                                             adjointDiagonals, g);
  p.give(0, [&] {
    auto along = [&](Value y) {
      Value sums = e.sum(e.mul(ofB, conj(y)), {rank - 1}, true);
      return e.neg(transposed(sums));
    };
    Value y = result();
    return join(
        {along(shifted(y, -2, true)), along(y), along(shifted(y, -2, false))});
  });
  p.give(1, [&] { return ofB; });
  return success();
}

/// x[p] = L U: P^T L^-H (tril(L^H gL) + triu(gU U^H)) U^-H for square matrices.
/// The columns of U to the right of its square part, and the rows of L below
/// its square part, are products with the other factor.
LogicalResult Rule::lu() {
  auto m = rowsOf(input(0)).number(), n = columnsOf(input(0)).number();
  if (!m || !n)
    return call.emitOpError("the gradient of triangular factors needs known "
                            "sizes");
  int64_t k = std::min(*m, *n);
  if (k == 0)
    return success();
  p.give(0, [&] {
    auto block = [&](Value y, int64_t row, int64_t rows, int64_t column,
                     int64_t columns) {
      return part(part(y, -2, row, rows), -1, column, columns);
    };
    Value y = result();
    Value square = block(y, 0, k, 0, k), of = block(g, 0, k, 0, k);
    Value l = e.add(strictlyLower(square), identity(square));
    Value u = upper(square);
    Value ofL = product(adjoint(l), strictlyLower(of));
    Value ofU = product(upper(of), adjoint(u));
    Value right, below, gRight, gBelow;
    if (*n > k) {
      right = block(y, 0, k, k, *n - k), gRight = block(g, 0, k, k, *n - k);
      ofL = e.sub(ofL, product(gRight, adjoint(right)));
    }
    if (*m > k) {
      below = block(y, k, *m - k, 0, k), gBelow = block(g, k, *m - k, 0, k);
      ofU = e.sub(ofU, product(adjoint(below), gBelow));
    }
    Value core = e.add(strictlyLower(ofL), upper(ofU));
    Value all =
        timesInverseAdjoint(adjointTriangular(l, core, false, true), u, true);
    if (*n > k)
      all = e.concatenate({all, adjointTriangular(l, gRight, false, true)},
                          rankOf(all) - 1);
    if (*m > k)
      all = e.concatenate({all, timesInverseAdjoint(gBelow, u, true)},
                          rankOf(all) - 2);
    // Row i of L U is row p[i] of x.
    Value order = part(y, -1, *n, 1);
    SmallVector<Dim> dims(dimsOf(order));
    dims.back() = *m;
    Value isFrom = e.equal(e.convert(re(order), DType::I64),
                           e.iota(DType::I64, dims, rankOf(order) - 1));
    return product(transposed(e.convert(isFrom, dtypeOf(all))), all);
  });
  return success();
}

/// The gradient of the determinant is g conj(cofactors). The gradient of sign
/// and logarithm is c x^-H, where c = g_log + i Im(g_sign conj(sign)).
LogicalResult Rule::determinant() {
  p.give(0, [&] {
    Value x = input(0);
    bool ofLogarithm = has("logarithm");
    auto spread = [&](Value number) {
      SmallVector<Dim> dims(dimsOf(x));
      dims[rankOf(x) - 2] = dims[rankOf(x) - 1] = 1;
      return e.reshape(number, dims);
    };
    if (!ofLogarithm) {
      Value all = tx::CofactorsOp::create(e.b, e.loc, x.getType(), x);
      return e.mul(conj(all), spread(g));
    }
    Value factor = spread(part(g, -1, 1, 1));
    if (isOfComplex(x)) {
      Value rotation = e.mul(part(g, -1, 0, 1), conj(part(result(), -1, 0, 1)));
      factor = complex(re(factor), im(spread(rotation)));
    }
    return e.mul(inverse(adjoint(x)), factor);
  });
  return success();
}

/// If x has an inverse W^T, its cofactors are C = det x W. With h = conj(g) the
/// gradient is conj(sum(h W) C - W h^T C).
LogicalResult Rule::cofactors() {
  p.give(0, [&] {
    Value w = inverse(transposed(input(0))), h = conj(g), c = result();
    int64_t rank = rankOf(c);
    Value sum = e.sum(e.mul(h, w), {rank - 2, rank - 1}, true);
    return conj(e.sub(e.mul(c, sum), product(w, product(transposed(h), c))));
  });
  return success();
}

/// The gradient is (gQ + Q copy(R gR^H - gQ^H Q)) R^-H, where copy mirrors the
/// lower triangle.
LogicalResult Rule::qr() {
  Value x = input(0);
  auto m = rowsOf(x).number(), n = columnsOf(x).number();
  if (has("complete") || !m || !n || *m < *n)
    return call.emitOpError("a QR factorization has a gradient where it is "
                            "reduced, of matrices that have at least as many "
                            "rows as columns, and known sizes: svd in Python "
                            "has one with full_matrices=False");
  p.give(0, [&] {
    auto qOf = [&](Value y) { return part(y, -1, 0, *n); };
    auto rOf = [&](Value y) { return part(part(y, -1, *n, *n), -2, 0, *n); };
    Value q = qOf(result()), r = rOf(result());
    Value gq = qOf(g), gr = upper(rOf(g));
    Value inner = e.sub(product(r, adjoint(gr)), product(adjoint(gq), q));
    Value below = strictlyLower(inner);
    Value mirrored = e.add(e.add(below, adjoint(below)), real(diagonal(inner)));
    return timesInverseAdjoint(e.add(gq, product(q, mirrored)), r, true);
  });
  return success();
}

LogicalResult Rule::svd() {
  Value x = input(0);
  auto m = rowsOf(x).number(), n = columnsOf(x).number();
  if (!m || !n)
    return call.emitOpError("the gradient of a singular value decomposition "
                            "needs known sizes");
  int64_t k = std::min(*m, *n);
  if (k == 0)
    return success();
  p.give(0, [&] {
    auto uOf = [&](Value y) { return part(y, -2, 0, *m); };
    auto sOf = [&](Value y) { return part(y, -2, *m, 1); };
    auto vOf = [&](Value y) { return part(y, -2, *m + 1, *n); };
    Value u = uOf(result()), s = sOf(result()), v = vOf(result());
    Value gu = uOf(g), gs = real(sOf(g)), gv = vOf(g);
    Value square = e.mul(s, s);
    Value f = reciprocal(e.sub(square, transposed(square)));
    Value uu = product(adjoint(u), gu), vv = product(adjoint(v), gv);
    auto skew = [&](Value inner) {
      return e.mul(f, e.sub(inner, adjoint(inner)));
    };
    Value inverse = reciprocal(s);
    // The component in the space that the singular vectors span.
    Value core = e.add(e.mul(skew(uu), s), e.mul(skew(vv), transposed(s)));
    core = e.add(core, e.mul(identity(core), gs));
    // Singular vectors are unique up to a phase, which rotates u and v by the
    // same angle; the gradient with respect to u determines it.
    if (isOfComplex(u)) {
      Value rotation = complex(p.zerosLike(re(uu)), im(uu));
      core = e.add(core, e.mul(diagonal(rotation), inverse));
    }
    Value all = product(product(u, core), adjoint(v));
    // The components of gu and gv that are orthogonal to all singular vectors.
    auto outside = [&](Value y, Value gy, Value inner) {
      return e.mul(e.sub(gy, product(y, inner)), inverse);
    };
    if (*m > k)
      all = e.add(all, product(outside(u, gu, uu), adjoint(v)));
    if (*n > k)
      all = e.add(all, product(u, adjoint(outside(v, gv, vv))));
    return all;
  });
  return success();
}

/// The gradient is V (diag(gw) + F o (V^H gV)) V^H, where gw is the gradient of
/// the values w, o multiplies by elements, and F = 1 / (w_j - w_i).
LogicalResult Rule::eigh() {
  Dim n = columnsOf(input(0));
  p.give(0, [&] {
    auto wOf = [&](Value y) { return part(y, -2, 0, 1); };
    auto vOf = [&](Value y) { return part(y, -2, 1, n); };
    Value w = wOf(result()), v = vOf(result());
    Value f = reciprocal(e.sub(w, transposed(w)));
    Value core = e.mul(f, product(adjoint(v), vOf(g)));
    core = e.add(core, e.mul(identity(core), real(wOf(g))));
    return ofLowerTriangle(product(product(v, core), adjoint(v)));
  });
  return success();
}

/// The gradient is V^-H (diag(gw) + F o (V^H gV - V^H V Re diag(V^H gV))) V^H
/// with F = 1 / conj(w_j - w_i); its real part for real matrices.
LogicalResult Rule::eig() {
  Dim n = columnsOf(input(0));
  p.give(0, [&] {
    auto wOf = [&](Value y) { return part(y, -2, 0, 1); };
    auto vOf = [&](Value y) { return part(y, -2, 1, n); };
    Value w = conj(wOf(result())), v = vOf(result()), h = adjoint(v);
    Value f = reciprocal(e.sub(w, transposed(w)));
    Value inner = product(h, vOf(g));
    Value lengths = e.sum(real(diagonal(inner)), {rankOf(inner) - 2}, true);
    Value core = e.mul(f, e.sub(inner, e.mul(product(h, v), lengths)));
    core = e.add(core, e.mul(identity(core), wOf(g)));
    Value all = solve(h, product(core, h));
    return isOfComplex(input(0)) ? all : re(all);
  });
  return success();
}

LogicalResult Rule::run() {
  using Member = LogicalResult (Rule::*)();
  Member rule = llvm::StringSwitch<Member>(call.getName())
                    .Case("linalg.cholesky", &Rule::cholesky)
                    .Case("linalg.solve", &Rule::solveRule)
                    .Case("linalg.triangular_solve", &Rule::triangularSolve)
                    .Case("linalg.tridiagonal_solve", &Rule::tridiagonalSolve)
                    .Case("linalg.lu", &Rule::lu)
                    .Case("linalg.determinant", &Rule::determinant)
                    .Case("linalg.cofactors", &Rule::cofactors)
                    .Case("linalg.qr", &Rule::qr)
                    .Case("linalg.svd", &Rule::svd)
                    .Case("linalg.eigh", &Rule::eigh)
                    .Case("linalg.eig", &Rule::eig)
                    .Default(nullptr);
  if (!rule)
    return call.emitOpError() << call.getName() << " has no gradient";
  return (this->*rule)();
}

LogicalResult pullBackLinearAlgebra(Pullback &p) { return Rule(p).run(); }

} // namespace tensorc::compiler::autodiff
