//===- Losses.cpp - Expansion of cross entropy ----------------------------===//

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"

#include "llvm/ADT/Sequence.h"

#include <limits>

using namespace mlir;

namespace tensorc::tx {

using builder::dimsOf;
using builder::rankOf;
using builder::TensorBuilder;

/// Returns x minus the logarithm of the sum of its exponentials.
static Value logProbabilities(TensorBuilder &b, Value x, int64_t dim) {
  Value shifted = b.sub(x, b.largest(x, dim, /*keepDims=*/true));
  Value total = b.sum(b.exp(shifted), dim, /*keepDims=*/true);
  return b.sub(shifted, b.log(total));
}

/// Sums over all dims.
static Value total(TensorBuilder &b, Value x) {
  return b.sum(x, llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x))));
}

Value CrossEntropyOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  shape::Dims dims = dimsOf(getLogits());
  int64_t rank = dims.size(), dim = rank == 1 ? 0 : 1;
  Value wide = b.widen(getLogits());
  Value logp = logProbabilities(b, wide, dim);
  // Labels are compared in i64, so that any `ignore_index` can be represented.
  Value wanted = b.convert(getLabels(), DType::I64);
  SmallVector<shape::Dim> kept(dims);
  kept[dim] = 1;
  Value classes = b.iota(DType::I64, dims, dim);
  Value hot = b.equal(classes, b.reshape(wanted, kept));
  Value valid = b.notEqual(wanted, getIgnoreIndex());
  Value weights;
  if (Value weight = getWeight()) {
    weights = b.alongDim(b.convertLike(weight, wide), dim, rank);
    logp = b.mul(logp, weights);
  }
  auto pick = [&](Value values) {
    return b.sum(b.select(hot, values, 0.0), dim);
  };
  Value loss = b.neg(pick(logp));
  if (Value some = getSmoothing()) {
    Value count = b.size(dims[dim], builder::dtypeOf(wide));
    Value uniform = b.div(b.neg(b.sum(logp, dim)), count);
    // Subtracts in f64, because the difference may not be exact in f32.
    Value rest = b.sub(1.0, b.convert(some, DType::F64));
    loss = b.add(b.mul(loss, b.convertLike(rest, wide)),
                 b.mul(uniform, b.convertLike(some, wide)));
  }
  loss = b.select(b.reduce<AnyOp>(hot, dim), loss, nan);
  loss = b.select(valid, loss, 0.0);
  if (getReduction() != LossReduction::None) {
    Value sum = total(b, loss);
    loss = sum;
    if (getReduction() == LossReduction::Mean) {
      Value each = weights ? pick(b.broadcast(weights, dims))
                           : b.full(1.0, builder::dtypeOf(wide));
      Value count = total(b, b.select(valid, each, 0.0));
      loss = b.div(sum, count);
    }
  }
  return b.convertLike(loss, getLogits());
}

} // namespace tensorc::tx
