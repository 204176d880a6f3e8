//===- Attention.cpp - Scaled dot-product attention -----------------------===//

#include "compiler/graph/nn/NeuralNetworks.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>

namespace tensorc::graph {

static bool check(Recorder &r, const char *name, const NodeRef &q,
                  const NodeRef &k, const NodeRef &v) {
  if (!needFloat(r, name, q) || !needFloat(r, name, k) ||
      !needFloat(r, name, v))
    return false;
  std::string all = shapeString(q->shape()) + " x " + shapeString(k->shape()) +
                    " x " + shapeString(v->shape());
  size_t rank = q->rank();
  bool ranks = rank >= 2 && k->rank() == rank && v->rank() == rank;
  if (!ranks) {
    r.fail(name,
           "needs queries, keys and values of one rank of at least 2: " + all);
    return false;
  }
  bool fits = q->shape()[rank - 1] == k->shape()[rank - 1] &&
              k->shape()[rank - 2] == v->shape()[rank - 2];
  for (size_t i = 0; i + 2 < rank; ++i) {
    bool heads = i + 3 == rank;
    int64_t wanted = q->shape()[i], given = k->shape()[i];
    fits &= v->shape()[i] == given &&
            (wanted == given || (heads && given > 0 && wanted % given == 0));
  }
  if (!fits)
    r.fail(name, "sizes of queries, keys and values do not fit: " + all);
  return fits;
}

/// -inf where an element takes no part.
static NodeRef masked(Recorder &r, const char *name, const NodeRef &scores,
                      const NodeRef &mask, bool causal) {
  Scalar never = Scalar::of(-std::numeric_limits<double>::infinity());
  NodeRef result = scores;
  int64_t rank = scores->rank();
  if (causal) {
    Shape last(scores->shape().take_back(2).begin(), scores->shape().end());
    NodeRef row = iota(r, DType::I64, last, 0),
            column = iota(r, DType::I64, last, 1);
    result =
        elementwise(r, OpKind::Select,
                    {elementwise(r, OpKind::Ge, {row, column}), result, never});
  }
  if (!mask || !result)
    return result;
  Shape common;
  Recorder scratch(r.location);
  if (static_cast<int64_t>(mask->rank()) > rank ||
      !broadcastShapes(scratch, name, scores->shape(), mask->shape(), common) ||
      Ints(common) != scores->shape())
    return r.fail(name, "the mask " + shapeString(mask->shape()) +
                            " does not broadcast to the scores " +
                            shapeString(scores->shape()));
  if (mask->dtype() == DType::I1)
    return elementwise(r, OpKind::Select, {mask, result, never});
  if (!isIn(mask->dtype(), floatMask))
    return r.fail(name, llvm::Twine("the mask must be i1 or a float, not ") +
                            dtypeName(mask->dtype()));
  return elementwise(r, OpKind::Add,
                     {result, astype(r, mask, result->dtype())});
}

/// Over the last axis; a row without any part is 0.
static NodeRef shares(Recorder &r, const NodeRef &scores) {
  Scalar zero = Scalar::of(0.0);
  NodeRef largest = reduce(r, OpKind::ReduceMax, scores, -1, true);
  NodeRef none = elementwise(
      r, OpKind::Eq,
      {largest, Scalar::of(-std::numeric_limits<double>::infinity())});
  NodeRef shift = elementwise(r, OpKind::Select, {none, zero, largest});
  NodeRef e = elementwise(r, OpKind::Exp,
                          {elementwise(r, OpKind::Sub, {scores, shift})});
  NodeRef sum = reduce(r, OpKind::Sum, e, -1, true);
  NodeRef scale = elementwise(
      r, OpKind::Select,
      {none, zero, elementwise(r, OpKind::Div, {Scalar::of(1.0), sum})});
  return elementwise(r, OpKind::Mul, {e, scale});
}

NodeRef attention(Recorder &r, const NodeRef &q, const NodeRef &k,
                  const NodeRef &v, const NodeRef &mask, bool causal,
                  std::optional<double> scale) {
  const char *name = "attention";
  if (!check(r, name, q, k, v))
    return {};
  int64_t rank = q->rank();
  Ints qs = q->shape(), ks = k->shape();
  std::optional<DType> common = promote(q->dtype(), k->dtype());
  std::optional<DType> dtype = common ? promote(*common, v->dtype()) : common;
  double size = static_cast<double>(qs[rank - 1]);
  NodeRef factor =
      full(r, *dtype, {}, Scalar::of(scale ? *scale : 1 / std::sqrt(size)));
  NodeRef scaled = elementwise(r, OpKind::Mul, {q, factor});
  // Queries of heads that share keys are rows of one product.
  Shape joined(qs.begin(), qs.end());
  bool grouped = rank > 2 && qs[rank - 3] != ks[rank - 3];
  if (grouped) {
    joined[rank - 3] = ks[rank - 3];
    joined[rank - 2] *= qs[rank - 3] / ks[rank - 3];
    scaled = reshape(r, scaled, joined);
  }
  Shape batch;
  for (int64_t i = 0; i + 2 < rank; ++i)
    batch.push_back(i);
  NodeRef scores = dotGeneral(r, scaled, k, batch, batch, rank - 1, rank - 1);
  Shape full(qs.begin(), qs.end()), product(joined);
  full[rank - 1] = product[rank - 1] = ks[rank - 2];
  if (grouped)
    scores = reshape(r, scores, full);
  if (!scores)
    return {};
  scores = masked(r, name, astype(r, scores, wideOf(*dtype)), mask, causal);
  if (!scores)
    return {};
  NodeRef weights = astype(r, shares(r, scores), *dtype);
  if (grouped)
    weights = reshape(r, weights, product);
  NodeRef body = dotGeneral(r, weights, v, batch, batch, rank - 1, rank - 2);
  full[rank - 1] = v->shape()[rank - 1];
  if (grouped && body)
    body = reshape(r, body, full);
  llvm::SmallVector<NodeRef> inputs{q, k, v, factor};
  if (mask)
    inputs.push_back(mask);
  return composite(r, name, inputs, {causal, bool(mask)}, body);
}

} // namespace tensorc::graph
