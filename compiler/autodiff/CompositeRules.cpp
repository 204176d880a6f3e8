//===- CompositeRules.cpp - Gradients of composites by name ---------------===//
//
// What they mean has kinks that they have not (softplus is computed of |x|), or
// more to keep (softmax).
//
//===----------------------------------------------------------------------===//

#include "compiler/autodiff/ReverseSweep.h"
#include "ir/library/Fourier.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tensorc::compiler::autodiff {

/// 0 at 0, as in PyTorch and JAX; what it means is a maximum, which halves.
static void pullBack(tx::ReluOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  p.set(0, e.select(e.greater(op.getX(), 0), g, 0.0));
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

/// Halves as f32, as what they mean is computed.
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

/// The matrix is symmetric: its adjoint, on pairs of parts its transpose, is
/// the other direction.
static void pullBack(tx::FftOp op, Value g, Pullback &p) {
  p.set(0, tx::FftOp::create(p.e.b, p.e.loc, g.getType(), g, op.getLength(),
                             !op.getInverse()));
}

bool hasOwnRule(Operation *op) {
  return isa<tx::ReluOp, tx::LogsigmoidOp, tx::SoftplusOp, tx::SoftmaxOp,
             tx::LogSoftmaxOp, tx::FftOp, tx::ConvOp, tx::ConvTransposeOp>(op);
}

LogicalResult pullBackComposite(Pullback &p) {
  Value g = p.cotangents[0];
  llvm::TypeSwitch<Operation *>(p.op)
      .Case<tx::ReluOp, tx::LogsigmoidOp, tx::SoftplusOp, tx::SoftmaxOp,
            tx::LogSoftmaxOp, tx::FftOp>([&](auto op) { pullBack(op, g, p); })
      .Case<tx::ConvOp, tx::ConvTransposeOp>(
          [&](auto op) { pullBackConvolution(op, g, p); });
  return success();
}

} // namespace tensorc::compiler::autodiff
