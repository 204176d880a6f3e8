//===- LinearAlgebraRules.cpp - Gradients of factorizations ---------------===//
//
// Of the calls that ops of linear algebra become
// (ir/library/ops/LinearAlgebra.cpp). Formulas: M. Giles, An extended
// collection of matrix derivative results for forward and reverse mode (2008);
// I. Murray, arXiv 1602.07527 (Cholesky); J. Townsend, Differentiating the
// singular value decomposition (2016).
//
//===----------------------------------------------------------------------===//

#include "compiler/autodiff/Rules.h"
#include "ir/library/Library.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tensorc::compiler::autodiff {

namespace {

class Rule {
public:
  explicit Rule(Pullback &p)
      : p(p), e(p.e), call(cast<tx::CustomCallOp>(p.op)), g(p.cotangents[0]) {}

  LogicalResult run();

private:
  Pullback &p;
  TensorBuilder &e;
  tx::CustomCallOp call;
  Value g;

  Value input(unsigned i) { return call.getInputs()[i]; }
  Value result() { return call.getOutputs()[0]; }
  bool has(StringRef word) {
    SmallVector<StringRef> words;
    call.getConfig().value_or("").split(words, ' ');
    return llvm::is_contained(words, word);
  }

  //===--- Words ----------------------------------------------------------===//

  static Dim rowsOf(Value x) { return dimsOf(x)[rankOf(x) - 2]; }
  static Dim columnsOf(Value x) { return dimsOf(x).back(); }

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
  /// From `start` on, along dim -2 (rows) or -1.
  Value part(Value x, int64_t dim, int64_t start, Dim size) {
    return e.sliceAlong(x, rankOf(x) + dim, start, size);
  }
  Value difference(Value square) {
    SmallVector<Dim> dims{rowsOf(square), columnsOf(square)};
    return e.sub(e.iota(DType::I64, dims, 0), e.iota(DType::I64, dims, 1));
  }
  /// x where row - column compares like this with 0, else 0.
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
  /// What a function that reads the lower triangle of a symmetric matrix makes
  /// of the gradient of the whole matrix.
  Value ofLowerTriangle(Value x) {
    return e.sub(lower(e.add(x, transposed(x))), diagonal(x));
  }
  /// 1 / x, and 0 for 0.
  Value reciprocal(Value x) {
    Value isZero = e.equal(x, 0.0);
    // No infinity, which a gradient of this would multiply by 0.
    return e.select(isZero, 0.0, e.div(1.0, e.select(isZero, 1.0, x)));
  }
  Value solve(Value a, Value b) {
    return tx::SolveOp::create(e.b, e.loc, b.getType(), a, b);
  }
  Value triangular(Value a, Value b, bool isUpper, bool isTransposed,
                   bool isUnit = false) {
    return tx::TriangularSolveOp::create(e.b, e.loc, b.getType(), a, b, isUpper,
                                         isTransposed, isUnit);
  }

  //===--- Rules ----------------------------------------------------------===//

  LogicalResult cholesky();
  LogicalResult solveRule();
  LogicalResult triangularSolve();
  LogicalResult tridiagonalSolve();
  LogicalResult determinant();
  LogicalResult qr();
  LogicalResult svd();
  LogicalResult eigh();
};

} // namespace

/// L^-T phi(L^T g) L^-1, phi the lower triangle with half of the diagonal.
LogicalResult Rule::cholesky() {
  p.give(0, [&] {
    bool isUpper = has("upper");
    Value l = isUpper ? transposed(result()) : result();
    Value of = isUpper ? transposed(g) : g;
    Value inner = product(transposed(l), lower(of));
    Value phi = e.sub(lower(inner), e.mul(diagonal(inner), 0.5));
    Value left = triangular(l, phi, false, true);
    Value both = transposed(triangular(l, transposed(left), false, true));
    return ofLowerTriangle(both);
  });
  return success();
}

/// Of b: a^-T g; of a: minus that times y^T.
LogicalResult Rule::solveRule() {
  Value ofB = solve(transposed(input(0)), g);
  p.give(0, [&] { return e.neg(product(ofB, transposed(result()))); });
  p.give(1, [&] { return ofB; });
  return success();
}

LogicalResult Rule::triangularSolve() {
  bool isUpper = has("upper"), isTransposed = has("transposed"),
       isUnit = has("unit");
  Value ofB = triangular(input(0), g, isUpper, !isTransposed, isUnit);
  p.give(0, [&] {
    Value all = isTransposed ? product(result(), transposed(ofB))
                             : product(ofB, transposed(result()));
    Value kept = isUpper ? upper(all) : lower(all);
    return e.neg(isUnit ? e.sub(kept, diagonal(kept)) : kept);
  });
  p.give(1, [&] { return ofB; });
  return success();
}

/// The same with rows of diagonals: element i of the lower one multiplies y of
/// the row before, that of the upper one y of the row behind.
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
  Value turned =
      join({shifted(row(2), -1, true), row(1), shifted(row(0), -1, false)});
  Value ofB =
      tx::TridiagonalSolveOp::create(e.b, e.loc, g.getType(), turned, g);
  p.give(0, [&] {
    auto along = [&](Value y) {
      Value sums = e.sum(e.mul(ofB, y), {rank - 1}, true);
      return e.neg(transposed(sums));
    };
    Value y = result();
    return join(
        {along(shifted(y, -2, true)), along(y), along(shifted(y, -2, false))});
  });
  p.give(1, [&] { return ofB; });
  return success();
}

/// (g of the logarithm + g of the determinant times it) x^-T.
LogicalResult Rule::determinant() {
  p.give(0, [&] {
    Value x = input(0);
    Value factor = e.add(part(g, -1, 1, 1),
                         e.mul(part(g, -1, 2, 1), part(result(), -1, 2, 1)));
    SmallVector<Dim> dims(dimsOf(factor));
    dims.push_back(1);
    Value inverse = solve(transposed(x), identity(x));
    return e.mul(inverse, e.reshape(factor, dims));
  });
  return success();
}

/// (gQ + Q copy(R gR^T - gQ^T Q)) R^-T, copy: the lower triangle, mirrored.
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
    Value inner = e.sub(product(r, transposed(gr)), product(transposed(gq), q));
    Value mirrored = e.add(lower(inner), transposed(strictlyLower(inner)));
    Value left = e.add(gq, product(q, mirrored));
    return transposed(triangular(r, transposed(left), true, false));
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
    Value gu = uOf(g), gs = sOf(g), gv = vOf(g);
    Value square = e.mul(s, s);
    Value f = reciprocal(e.sub(square, transposed(square)));
    auto skew = [&](Value y, Value gy) {
      Value inner = product(transposed(y), gy);
      return e.mul(f, e.sub(inner, transposed(inner)));
    };
    Value inverse = reciprocal(s);
    // Between the singular vectors.
    Value core =
        e.add(e.mul(skew(u, gu), s), e.mul(skew(v, gv), transposed(s)));
    core = e.add(core, e.mul(identity(core), gs));
    Value all = product(product(u, core), transposed(v));
    // What of gu and gv is orthogonal to all of them.
    auto outside = [&](Value y, Value gy) {
      Value rest = e.sub(gy, product(y, product(transposed(y), gy)));
      return e.mul(rest, inverse);
    };
    if (*m > k)
      all = e.add(all, product(outside(u, gu), transposed(v)));
    if (*n > k)
      all = e.add(all, product(u, transposed(outside(v, gv))));
    return all;
  });
  return success();
}

/// V (diag(g of the values) + F o (V^T gV)) V^T, F = 1 / (w_j - w_i).
LogicalResult Rule::eigh() {
  Dim n = columnsOf(input(0));
  p.give(0, [&] {
    auto wOf = [&](Value y) { return part(y, -2, 0, 1); };
    auto vOf = [&](Value y) { return part(y, -2, 1, n); };
    Value w = wOf(result()), v = vOf(result());
    Value f = reciprocal(e.sub(w, transposed(w)));
    Value core = e.mul(f, product(transposed(v), vOf(g)));
    core = e.add(core, e.mul(identity(core), wOf(g)));
    return ofLowerTriangle(product(product(v, core), transposed(v)));
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
                    .Case("linalg.determinant", &Rule::determinant)
                    .Case("linalg.qr", &Rule::qr)
                    .Case("linalg.svd", &Rule::svd)
                    .Case("linalg.eigh", &Rule::eigh)
                    .Default(nullptr);
  if (!rule)
    return call.emitOpError() << call.getName() << " has no gradient";
  return (this->*rule)();
}

LogicalResult pullBackLinearAlgebra(Pullback &p) { return Rule(p).run(); }

} // namespace tensorc::compiler::autodiff
