//===- Attention.cpp - Expansion of scaled dot-product attention ----------===//

#include "ir/library/Attention.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <limits>

using namespace mlir;

namespace tensorc::tx {

using builder::dimsOf;
using builder::dtypeOf;
using builder::rankOf;
using builder::TensorBuilder;

static constexpr double never = -std::numeric_limits<double>::infinity();

/// Returns the scores, with -inf for the keys that a query must not attend to.
static Value masked(TensorBuilder &b, Value scores, Value mask, bool causal) {
  Value result = scores;
  if (causal) {
    shape::Dims last = dimsOf(scores).take_back(2);
    Value row = b.iota(DType::I64, last, 0);
    Value column = b.iota(DType::I64, last, 1);
    result = b.select(b.greaterOrEqual(row, column), result, never);
  }
  if (!mask)
    return result;
  if (dtypeOf(mask) == DType::I1)
    return b.select(mask, result, never);
  return b.add(result, b.convertLike(mask, result));
}

/// Computes softmax over the last dim. In a row in which all keys are masked,
/// the weights are 0.
static Value weightsOf(TensorBuilder &b, Value scores) {
  int64_t last = rankOf(scores) - 1;
  Value largest = b.largest(scores, last, /*keepDims=*/true);
  Value none = b.equal(largest, never);
  Value shift = b.select(none, 0.0, largest);
  Value e = b.exp(b.sub(scores, shift));
  Value total = b.sum(e, last, /*keepDims=*/true);
  // If a mask hides all keys of a row, all elements of e are 0 there. Dividing
  // by 1 instead of 0 avoids a NaN in the gradient.
  return b.mul(e, b.div(1.0, b.select(none, 1.0, total)));
}

AttentionParts attentionParts(TensorBuilder &b, AttentionOp op) {
  Value q = op.getQ(), k = op.getK();
  int64_t rank = rankOf(q);
  shape::Dims qs = dimsOf(q), ks = dimsOf(k);
  AttentionParts parts;
  parts.q = q;
  auto groups = static_cast<int64_t>(op.getGroups());
  SmallVector<shape::Dim> all(qs);
  parts.joined.assign(qs.begin(), qs.end());
  if (groups > 1) {
    parts.joined[rank - 3] = ks[rank - 3];
    parts.joined[rank - 2] = parts.joined[rank - 2] * groups;
    parts.q = b.reshape(q, parts.joined);
  }
  auto batch = llvm::to_vector(llvm::seq<int64_t>(0, rank - 2));
  // Scores of f16 and bf16 are computed in f32, because rounding large scores
  // would change the weights considerably.
  DType dtype = dtypeOf(q);
  bool isHalf = dtype == DType::F16 || dtype == DType::BF16;
  Value scores = b.dot(parts.q, k, {batch, batch, rank - 1, rank - 1},
                       isHalf ? DType::F32 : dtype);
  all[rank - 1] = parts.joined[rank - 1] = ks[rank - 2];
  scores = b.reshape(scores, all);
  scores = b.mul(scores, b.convertLike(op.getScale(), scores));
  parts.weights = weightsOf(b, masked(b, scores, op.getMask(), op.getCausal()));
  return parts;
}

Value AttentionOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  int64_t rank = rankOf(getQ());
  AttentionParts parts = attentionParts(b, *this);
  Value weights = b.convert(parts.weights, dtypeOf(getResult()));
  auto batch = llvm::to_vector(llvm::seq<int64_t>(0, rank - 2));
  Value result = b.dot(b.reshape(weights, parts.joined), getV(),
                       {batch, batch, rank - 1, rank - 2});
  return b.reshape(result, dimsOf(getResult()));
}

} // namespace tensorc::tx
