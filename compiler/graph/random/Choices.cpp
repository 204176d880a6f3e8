//===- Choices.cpp - Recording choices and random vectors -----------------===//

#include "compiler/graph/linalg/LinearAlgebra.h"
#include "compiler/graph/ops/MatmulPrecision.h"
#include "compiler/graph/random/Distributions.h"
#include "compiler/graph/random/Source.h"

#include "llvm/ADT/Sequence.h"

#include <limits>

namespace tensorc::graph {

/// Returns Gumbel numbers, which are added to logits.
static Term gumbels(Recorder &r, const NodeRef &key, Ints shape, DType dtype) {
  return {r, gumbel(r, key, shape, dtype)};
}

NodeRef categorical(Recorder &r, const NodeRef &key, const NodeRef &logits,
                    int64_t axis, Ints shape) {
  const char *op = "categorical";
  Shape dims;
  if (!checkKey(r, op, key) || !needFloat(r, op, logits) ||
      !normalizeAxes(r, op, *logits.get(), axis, false, dims))
    return {};
  Shape order, whole;
  for (int64_t i : llvm::seq<int64_t>(0, logits->rank()))
    if (i != dims[0])
      order.push_back(i);
  for (int64_t i : order)
    whole.push_back(logits->shape()[i]);
  order.push_back(dims[0]);
  if (!shape.empty())
    whole = Shape(shape);
  whole.push_back(logits->shape()[dims[0]]);
  Term spread(r, broadcastTo(r, transpose(r, logits, order), whole));
  if (!spread)
    return {};
  Term noisy = spread + gumbels(r, key, whole, logits->dtype());
  return noisy ? reduce(r, OpKind::Argmax, noisy, int64_t(-1), false)
               : NodeRef();
}

NodeRef choice(Recorder &r, const NodeRef &key, int64_t count, Ints shape,
               bool replace, const NodeRef &given) {
  const char *op = "choice";
  if (!checkKey(r, op, key) || !checkShape(r, op, DType::I64, shape))
    return {};
  int64_t wanted = 1;
  for (int64_t dim : shape)
    wanted *= dim;
  if (count < 0 || (count == 0 && wanted))
    return r.fail(op, count < 0 ? "the number of elements is negative"
                                : "there are no elements");
  if (!replace && wanted > count)
    return r.fail(op, llvm::Twine(wanted) + " of " + llvm::Twine(count) +
                          " elements without replacement");
  // Returns the first `wanted` indices of a permutation.
  auto firstOf = [&](const NodeRef &order) {
    return reshape(r, sliceInDim(r, order, 0, 0, wanted), shape);
  };
  if (!given) {
    if (!replace)
      return firstOf(permutation(r, key, count));
    return count ? randint(r, key, DType::I64, shape, Scalar::of(int64_t(0)),
                           Scalar::of(count))
                 : full(r, DType::I64, shape, Scalar::of(int64_t(0)));
  }
  NodeRef p =
      isIn(given->dtype(), bitsMask) ? astype(r, given, DType::F32) : given;
  if (!needFloat(r, op, p))
    return {};
  if (p->shape() != Ints(count))
    return r.fail(op, "probabilities of shape " + shapeString(p->shape()) +
                          " for " + llvm::Twine(count) + " elements");
  if (count == 0)
    return full(r, DType::I64, shape, Scalar::of(int64_t(0)));
  // The result is -1 if the probabilities are invalid.
  Term least(r, reduce(r, OpKind::ReduceMin, p, int64_t(0), false));
  Term most(r, reduce(r, OpKind::ReduceMax, p, int64_t(0), false));
  if (!least || !most)
    return {};
  Term isValid = (least >= 0) & (most > 0) &
                 (most < std::numeric_limits<double>::infinity());
  // The indices of the largest logits after adding Gumbel numbers.
  if (!replace) {
    Term noisy =
        Term(r, p).map(OpKind::Log) + gumbels(r, key, p->shape(), p->dtype());
    if (!noisy)
      return {};
    Term picked(r, firstOf(sort(r, OpKind::Argsort, noisy, 0, true)));
    Term likely(r, take(r, p, picked, 0));
    return likely ? select(isValid & (likely > 0), picked, -1).node : NodeRef();
  }
  NodeRef upto = scan(r, OpKind::Cumsum, p, 0, false, false);
  Term total(r, reshape(r, sliceInDim(r, upto, 0, count - 1, count), {}));
  Term u(r, uniform(r, key, p->dtype(), shape, 0, 1));
  Term reached = total * u;
  if (!reached)
    return {};
  Term place(r, defined(r, OpKind::Searchsorted, {upto, reached.node},
                        tx::SearchsortedAttributes{true}));
  return place ? select(isValid, min(place, count - 1), -1).node : NodeRef();
}

NodeRef multivariateNormal(Recorder &r, const NodeRef &key, const NodeRef &mean,
                           const NodeRef &covariances, Ints shape,
                           DType dtype) {
  const char *op = "multivariate_normal";
  if (!checkDraw(r, op, key, dtype, floatMask, "a float"))
    return {};
  if (!mean || !covariances)
    return r.fail(op, "an operand is an undefined tensor");
  if (mean->rank() == 0)
    return r.fail(op, "the mean is a number, not a vector");
  int64_t n = mean->shape().back();
  if (covariances->rank() < 2 ||
      covariances->shape().take_back(2) != Ints({n, n}))
    return r.fail(op, "covariances of shape " +
                          shapeString(covariances->shape()) +
                          " for vectors of " + llvm::Twine(n) + " elements");
  Shape whole(shape);
  if (shape.empty() &&
      !broadcastShapes(r, op, mean->shape().drop_back(),
                       covariances->shape().drop_back(2), whole))
    return {};
  whole.push_back(n);
  NodeRef x = randn(r, key, dtype, whole);
  NodeRef root = cholesky(r, astype(r, covariances, dtype), false);
  if (!x || !root)
    return {};
  ExactProducts exact;
  NodeRef colored =
      squeeze(r, matmul(r, root, expandDims(r, x, -1)), int64_t(-1));
  Term sum = Term(r, astype(r, mean, dtype)) + Term(r, colored);
  return sum.node;
}

NodeRef orthogonal(Recorder &r, const NodeRef &key, int64_t n, Ints shape,
                   DType dtype) {
  const char *op = "orthogonal";
  if (!checkDraw(r, op, key, dtype, floatMask, "a float"))
    return {};
  if (n < 0)
    return r.fail(op, "the size " + llvm::Twine(n) + " is negative");
  Shape whole(shape);
  whole.append(2, n);
  NodeRef both = qrPacked(r, randn(r, key, dtype, whole), false);
  if (!both)
    return {};
  Term q(r, sliceInDim(r, both, -1, 0, n));
  Term upper(r, sliceInDim(r, both, -1, n, 2 * n));
  Term onDiagonal = upper * Term(r, eye(r, dtype, n, n, 0));
  if (!onDiagonal)
    return {};
  Term diagonal(r, reduce(r, OpKind::Sum, onDiagonal, int64_t(-2), true));
  return (q * select(diagonal < 0, -1.0, 1.0)).node;
}

} // namespace tensorc::graph
