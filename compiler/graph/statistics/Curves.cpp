//===- Curves.cpp - Recording slopes, averages and polynomials ------------===//

#include "compiler/graph/statistics/Curves.h"
#include "compiler/graph/linalg/LinearAlgebra.h"
#include "compiler/graph/ops/MatmulPrecision.h"
#include "compiler/graph/ops/Term.h"

#include <limits>

namespace tensorc::graph {

static bool needVector(Recorder &r, const char *name, const NodeRef &x) {
  if (!x)
    r.fail(name, "an operand is an undefined tensor");
  else if (x->rank() != 1)
    r.fail(name, "needs a vector, not " + shapeString(x->shape()));
  return r.error.empty();
}

//===----------------------------------------------------------------------===//
// Slopes
//===----------------------------------------------------------------------===//

/// Returns the slopes of the parabolas through three neighbouring points, whose
/// distances are `lower` and `upper`.
static Term innerSlopes(const Term &before, const Term &at, const Term &after,
                        const Term &lower, const Term &upper) {
  Term both = lower + upper;
  Term a = -upper / (lower * both), b = (upper - lower) / (lower * upper),
       c = lower / (upper * both);
  return a * before + b * at + c * after;
}

NodeRef gradient(Recorder &r, const NodeRef &y, const NodeRef &x, double dx,
                 int64_t axis) {
  Shape dims;
  if (!y)
    return r.fail("gradient", "the operand is an undefined tensor");
  if (!isComplex(y->dtype()) && !needFloat(r, "gradient", y))
    return {};
  if (!normalizeAxes(r, "gradient", *y.get(), axis, false, dims))
    return {};
  int64_t dim = dims[0], count = y->shape()[dim];
  if (count < 2)
    return r.fail("gradient", "needs two elements along axis " +
                                  llvm::Twine(axis) + ", not " +
                                  shapeString(y->shape()));
  auto part = [&](const NodeRef &v, int64_t of, int64_t from, int64_t to) {
    return Term(r, sliceInDim(r, v, of, from, to));
  };
  auto of = [&](int64_t from, int64_t to) { return part(y, dim, from, to); };
  Term ends[2] = {of(1, 2) - of(0, 1),
                  of(count - 1, count) - of(count - 2, count - 1)};
  Term inside(r, {});
  if (!x) {
    inside = (of(2, count) - of(0, count - 2)) / (2 * dx);
    for (Term &end : ends)
      end = end / dx;
  } else {
    if (!needVector(r, "gradient", x))
      return {};
    if (x->shape()[0] != count)
      return r.fail("gradient",
                    llvm::Twine(x->shape()[0]) + " places for the axis " +
                        llvm::Twine(axis) + " of " + shapeString(y->shape()));
    Shape along(y->rank(), 1);
    along[dim] = count - 1;
    Term steps = part(x, 0, 1, count) - part(x, 0, 0, count - 1);
    steps = Term(r, reshape(r, steps, along));
    auto step = [&](int64_t from, int64_t to) {
      return part(steps, dim, from, to);
    };
    inside = innerSlopes(of(0, count - 2), of(1, count - 1), of(2, count),
                         step(0, count - 2), step(1, count - 1));
    ends[0] = ends[0] / step(0, 1);
    ends[1] = ends[1] / step(count - 2, count - 1);
  }
  if (!inside || !ends[0] || !ends[1])
    return {};
  return concatenate(r, {ends[0].node, inside.node, ends[1].node}, dim);
}

//===----------------------------------------------------------------------===//
// Means with weights
//===----------------------------------------------------------------------===//

NodeRef average(Recorder &r, const NodeRef &x, const NodeRef &weights,
                Ints axes, bool keepDims) {
  if (!x || !weights)
    return mean(r, x, axes, keepDims);
  Term given(r, x), share(r, weights);
  if (weights->shape() != x->shape()) {
    Shape dims;
    if (!normalizeAxes(r, "average", *x.get(), axes, true, dims))
      return {};
    if (dims.size() != 1 || weights->rank() != 1 ||
        weights->shape()[0] != x->shape()[dims[0]])
      return r.fail("average", "weights of shape " +
                                   shapeString(weights->shape()) +
                                   " are neither one for each of " +
                                   shapeString(x->shape()) +
                                   " nor a vector along one axis");
    Shape along(x->rank(), 1);
    along[dims[0]] = weights->shape()[0];
    share = Term(r, broadcastTo(r, reshape(r, weights, along), x->shape()));
  }
  auto sum = [&](const Term &of) {
    return Term(r, reduce(r, OpKind::Sum, of, axes, keepDims));
  };
  return sum(given * share) / sum(share);
}

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

NodeRef vander(Recorder &r, const NodeRef &x, int64_t columns,
               bool increasing) {
  if (!needVector(r, "vander", x))
    return {};
  if (columns < 0)
    return r.fail("vander", llvm::Twine(columns) + " columns");
  NodeRef rows = broadcastTo(r, expandDims(r, x, 1), {x->shape()[0], columns});
  return scan(r, OpKind::Cumprod, rows, 1, /*reverse=*/!increasing,
              /*exclusive=*/true);
}

NodeRef polyfit(Recorder &r, const NodeRef &x, const NodeRef &y,
                int64_t degree) {
  if (!needVector(r, "polyfit", x) || !needFloat(r, "polyfit", x) ||
      !needFloat(r, "polyfit", y))
    return {};
  if (degree < 0)
    return r.fail("polyfit", "the degree " + llvm::Twine(degree));
  if (y->rank() < 1 || y->rank() > 2 || y->shape()[0] != x->shape()[0])
    return r.fail("polyfit", "values of shape " + shapeString(y->shape()) +
                                 " are not one, or a row, for each of " +
                                 shapeString(x->shape()));
  // Normalizes the columns, because powers have very different magnitudes.
  Term powers(r, vander(r, x, degree + 1, /*increasing=*/false));
  Term length =
      sqrt(Term(r, reduce(r, OpKind::Sum, powers * powers, int64_t(0), true)));
  if (!length)
    return {};
  double epsilon = x->dtype() == DType::F64
                       ? std::numeric_limits<double>::epsilon()
                       : std::numeric_limits<float>::epsilon();
  Term fitted(r, lstsq(r, powers / length, y, x->shape()[0] * epsilon));
  Shape column{degree + 1};
  column.append(y->rank() - 1, 1);
  return fitted / Term(r, reshape(r, length, column));
}

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

NodeRef isIn(Recorder &r, const NodeRef &x, const NodeRef &values) {
  if (!x || !values)
    return r.fail("isin", "an operand is an undefined tensor");
  int64_t count = values->numElements();
  if (count == 0)
    return full(r, DType::I1, x->shape(), Scalar::of(false));
  auto ordered = [&](const NodeRef &v) {
    return v->dtype() == DType::I1 ? astype(r, v, DType::UI8) : v;
  };
  NodeRef of = ordered(x), among = reshape(r, ordered(values), count);
  std::optional<DType> common =
      of && among ? promote(of->dtype(), among->dtype()) : std::nullopt;
  if (!common || isComplex(*common))
    return r.fail("isin", llvm::Twine("no order of ") + dtypeName(x->dtype()) +
                              " and " + dtypeName(values->dtype()));
  NodeRef sorted = sort(r, OpKind::Sort, astype(r, among, *common), 0, false);
  Term place(r, defined(r, OpKind::Searchsorted, {sorted, of},
                        tx::SearchsortedAttributes{false}));
  Term found(r, take(r, sorted, min(place, count - 1), int64_t(0)));
  return equals(found, Term(r, of));
}

} // namespace tensorc::graph
