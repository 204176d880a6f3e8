//===- CompositeRules.cpp - Gradient rules of composites ------------------===//
//
// These gradients are better than those of the expansions. Some expansions have
// kinks that the functions do not have (softplus is computed from |x|); others
// keep more values (softmax).
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/autodiff/ReverseSweep.h"
#include "ir/library/Attention.h"
#include "ir/library/Fourier.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler::autodiff {

/// Sums g over the dims along which a value of shape `dims` was broadcast.
static Value sumTo(TensorBuilder &e, Value g, Dims dims) {
  Dims all = dimsOf(g);
  size_t added = all.size() - dims.size();
  SmallVector<int64_t> repeated;
  for (auto [i, size] : llvm::enumerate(all))
    if (i < added || (dims[i - added] == 1 && size != 1))
      repeated.push_back(i);
  return e.reshape(e.sum(g, repeated), dims);
}

/// The slope at 0 is 0, as in PyTorch and JAX. The expansion is a maximum,
/// which halves the gradient at a tie.
static void pullBack(tx::ReluOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  p.set(0, e.select(e.greater(op.getX(), 0), g, 0.0));
}

/// The slope at x = -3 is 0 and the slope at x = 3 is 1, as in PyTorch and JAX.
static void pullBack(tx::HardswishOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  Value x = e.widen(op.getX()), wide = e.widen(g);
  Value between = e.mul(wide, e.add(e.div(x, 3.0), 0.5));
  Value above = e.select(e.greaterOrEqual(x, 3.0), wide, between);
  p.set(0, e.convertLike(e.select(e.lessOrEqual(x, -3.0), 0.0, above), g));
}

static void pullBack(tx::LogsigmoidOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  p.set(0, e.mul(g, e.sigmoid(e.neg(op.getX()))));
}

static void pullBack(tx::SoftplusOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  if (!op.getBeta())
    return p.set(0, e.mul(g, e.sigmoid(op.getX())));
  Value x = e.widen(op.getX()), beta = e.convertLike(op.getBeta(), x);
  Value slope = e.sigmoid(e.mul(x, beta));
  p.give(0, [&] { return e.convertLike(e.mul(g, slope), op.getX()); });
  p.give(1, [&] {
    Value result = e.widen(op.getResult());
    Value change = e.div(e.sub(e.mul(x, slope), result), beta);
    auto all = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
    return e.convertLike(e.sum(e.mul(g, change), all), op.getBeta());
  });
}

/// The gradient is computed in f32 for f16 and bf16, like the expansion.
static void pullBack(tx::SoftmaxOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  int64_t dim = op.getDim();
  Value y = e.widen(op.getResult()), wide = e.widen(g);
  Value shared = e.sum(e.mul(wide, y), dim, /*keepDims=*/true);
  p.set(0, e.convertLike(e.mul(y, e.sub(wide, shared)), g));
}

static void pullBack(tx::LogSoftmaxOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  int64_t dim = op.getDim();
  Value y = e.exp(e.widen(op.getResult())), wide = e.widen(g);
  Value total = e.sum(wide, dim, /*keepDims=*/true);
  p.set(0, e.convertLike(e.sub(wide, e.mul(y, total)), g));
}

/// The gradient reads only q, k, v and the weights. If the weights were not
/// kept, they are recomputed from q and k; scores, masks and exponentials are
/// not needed.
static void pullBack(tx::AttentionOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  Value q = op.getQ(), k = op.getK(), v = op.getV();
  int64_t rank = rankOf(q), last = rank - 1;
  auto batch = llvm::to_vector(llvm::seq<int64_t>(0, rank - 2));
  tx::AttentionParts parts = tx::attentionParts(e, op);
  SmallVector<Dim> rows(parts.joined);
  rows[last] = dimsOf(v)[last];
  Value wide = e.reshape(g, rows);
  auto joined = [&](Value x) {
    return e.reshape(e.convertLike(x, q), parts.joined);
  };
  p.give(2, [&] {
    return e.dot(joined(parts.weights), wide,
                 {batch, batch, rank - 2, rank - 2});
  });
  Value change = e.dot(wide, v, {batch, batch, last, last});
  change = e.widen(e.reshape(change, dimsOf(parts.weights)));
  Value shared = e.sum(e.mul(change, parts.weights), last, /*keepDims=*/true);
  Value scores = e.mul(parts.weights, e.sub(change, shared));
  p.give(1, [&] {
    Value product =
        e.dot(joined(scores), parts.q, {batch, batch, rank - 2, rank - 2});
    return e.mul(product, e.convertLike(op.getScale(), k));
  });
  if (p.wants(0) || p.wants(3)) {
    Value product = e.reshape(
        e.dot(joined(scores), k, {batch, batch, last, rank - 2}), dimsOf(q));
    p.give(0, [&] { return e.mul(product, e.convertLike(op.getScale(), q)); });
    p.give(3, [&] {
      auto all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
      return e.convertLike(e.sum(e.mul(product, q), all), op.getScale());
    });
  }
  if (Value mask = op.getMask(); mask && p.wants(4))
    p.set(4, e.convertLike(sumTo(e, scores, dimsOf(mask)), mask));
}

/// The DFT matrix F is symmetric. Represented on pairs of real and imaginary
/// parts, its transpose is the adjoint of F, which is the unscaled transform in
/// the opposite direction.
static void pullBack(tx::FftOp op, Value g, Pullback &p) {
  p.set(0, tx::FftOp::create(p.e.b, p.e.loc, g.getType(), g, op.getLength(),
                             !op.getInverse()));
}

/// The gradient is sharded like x.
static void pullBack(tx::ShardOp op, Value g, Pullback &p) {
  p.set(0, tx::ShardOp::create(p.e.b, p.e.loc, g.getType(), g, op.getMesh(),
                               op.getDims()));
}

/// The gradient of a part is the part of the gradient.
static void pullBack(tx::JoinPartsOp op, Value g, Pullback &p) {
  p.set(0, tx::LocalPartOp::create(p.e.b, p.e.loc, op.getX().getType(), g,
                                   op.getMesh(), op.getDims()));
}

static void pullBack(tx::LocalPartOp op, Value g, Pullback &p) {
  p.set(0, tx::JoinPartsOp::create(p.e.b, p.e.loc, op.getX().getType(), g,
                                   op.getMesh(), op.getDims()));
}

bool hasOwnRule(Operation *op) {
  return isa<tx::ReluOp, tx::HardswishOp, tx::LogsigmoidOp, tx::SoftplusOp,
             tx::SoftmaxOp, tx::LogSoftmaxOp, tx::AttentionOp, tx::FftOp,
             tx::ShardOp, tx::JoinPartsOp, tx::LocalPartOp, tx::ConvOp,
             tx::ConvTransposeOp>(op);
}

LogicalResult pullBackComposite(Pullback &p) {
  Value g = p.cotangents[0];
  llvm::TypeSwitch<Operation *>(p.op)
      .Case<tx::ReluOp, tx::HardswishOp, tx::LogsigmoidOp, tx::SoftplusOp,
            tx::SoftmaxOp, tx::LogSoftmaxOp, tx::AttentionOp, tx::FftOp,
            tx::ShardOp, tx::JoinPartsOp, tx::LocalPartOp>(
          [&](auto op) { pullBack(op, g, p); })
      .Case<tx::ConvOp, tx::ConvTransposeOp>(
          [&](auto op) { pullBackConvolution(op, g, p); });
  return success();
}

} // namespace tensorc::compiler::autodiff
