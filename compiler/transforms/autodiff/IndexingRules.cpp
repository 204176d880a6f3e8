//===- IndexingRules.cpp - Gradients of gathers and scatters --------------===//

#include "compiler/transforms/autodiff/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::compiler::autodiff {

/// Sorting permutes elements; the gradient applies the inverse permutation.
LogicalResult pullBack(tx::SortOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  Value order = tx::ArgsortOp::create(e.b, e.loc, op.getX(), op.getDim(),
                                      op.getDescending());
  Value back = tx::ArgsortOp::create(e.b, e.loc, order, op.getDim(), false);
  p.set(0, e.takeAlong(g, back, op.getDim()));
  return success();
}

//===----------------------------------------------------------------------===//
// Dynamic slices
//===----------------------------------------------------------------------===//

static Value updated(TensorBuilder &e, Value x, Value update,
                     ValueRange starts) {
  return tx::DynamicUpdateSliceOp::create(e.b, e.loc, x.getType(), x, update,
                                          starts);
}

LogicalResult pullBack(tx::DynamicSliceOp op, Value g, Pullback &p) {
  p.give(0, [&] {
    return updated(p.e, p.zerosLike(op.getX()), g, op.getStarts());
  });
  return success();
}

LogicalResult pullBack(tx::DynamicUpdateSliceOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  p.give(0, [&] {
    return updated(e, g, p.zerosLike(op.getUpdate()), op.getStarts());
  });
  p.give(1, [&] {
    SmallVector<int64_t> sizes;
    for (auto [own, all] : llvm::zip(dimsOf(op.getUpdate()), dimsOf(op.getX())))
      sizes.push_back(own == all ? -1 : own.number().value_or(-1));
    return Value(tx::DynamicSliceOp::create(
        e.b, e.loc, op.getUpdate().getType(), g, op.getStarts(), sizes));
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Gathers and scatters
//===----------------------------------------------------------------------===//

/// Returns the indices that a gather uses: each start is clamped so that its
/// slice lies in x. `sizes` are the sizes of the slices along each dim of x.
static Value clampedIndices(TensorBuilder &e, Value indices, Value x,
                            Numbers mapped, int64_t vectorDim, Dims sizes) {
  if (mapped.empty()) // index vectors are empty: each slice starts at 0
    return indices;
  DType dtype = dtypeOf(indices);
  // As i64, large values would be negative, although they are beyond the end of
  // x.
  if (dtype == DType::UI64)
    indices = e.min(indices, INT64_MAX);
  Value wide = e.convert(indices, DType::I64);
  SmallVector<Value> limits;
  for (int64_t dim : mapped)
    limits.push_back(e.size(dimsOf(x)[dim] - sizes[dim], DType::I64));
  Value limit;
  if (vectorDim == rankOf(indices)) {
    limit = limits[0]; // every element is a slice of size one
  } else {
    SmallVector<Value> ones;
    for (Value &each : limits)
      ones.push_back(e.reshape(each, Dim(1)));
    limit = e.alongDim(e.concatenate(ones, 0), vectorDim, rankOf(indices));
  }
  return e.convert(e.max(e.min(wide, limit), 0), dtype);
}

LogicalResult pullBack(tx::GatherOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  p.give(0, [&] {
    SmallVector<Dim> sizes;
    for (auto [dim, size] : llvm::zip(dimsOf(op.getX()), op.getSliceSizes()))
      sizes.push_back(size == -1 ? dim : Dim(size));
    Value indices =
        clampedIndices(e, op.getIndices(), op.getX(), op.getStartIndexMap(),
                       op.getIndexVectorDim(), sizes);
    return Value(tx::ScatterOp::create(
        e.b, e.loc, op.getX().getType(), p.zerosLike(op.getX()), indices, g,
        tx::UpdateKind::Add, op.getOffsetDims(), op.getCollapsedSliceDims(),
        op.getStartIndexMap(), op.getIndexVectorDim()));
  });
  return success();
}

namespace {
/// Gathers, from a tensor of x's shape, the elements with which a scatter's
/// updates are combined.
class Met {
public:
  Met(tx::ScatterOp op, Pullback &p) : op(op), p(p) {}

  /// Rejects windows of symbolic size along indexed dims, because the slice
  /// sizes of a gather are constants.
  LogicalResult check() {
    for (int64_t dim : op.getScatterDimsToOperandDims()) {
      std::optional<int64_t> size = windowAlong(dim);
      if (!size)
        return op.emitOpError("has no gradient where the size of its windows "
                              "is named along a dim that has an index");
      widest = std::max(widest, *size);
    }
    return success();
  }

  /// Gathers the elements with which the updates are combined. Elements for
  /// updates outside of x are unspecified. Gathers are clamped, so windows that
  /// lie partly in x are gathered from a copy of x that is padded with zeros.
  Value gather(Value x) {
    return widest == 1 ? gather(x, op.getIndices()) : gatherOfRing(x);
  }
  /// Returns a mask in the shape of the updates: true where an update's element
  /// lies in x.
  Value inside() {
    Value ones = p.e.full(1.0, DType::F32, dimsOf(op.getX()));
    return p.e.equal(gatherOfRing(ones), 1.0);
  }
  Value scatter(tx::UpdateKind kind, Value x, Value updates) {
    TensorBuilder &e = p.e;
    return tx::ScatterOp::create(
        e.b, e.loc, x.getType(), x, op.getIndices(), updates, kind,
        op.getUpdateWindowDims(), op.getInsertedWindowDims(),
        op.getScatterDimsToOperandDims(), op.getIndexVectorDim());
  }

private:
  Value gather(Value x, Value indices) {
    TensorBuilder &e = p.e;
    SmallVector<int64_t> windows = op.getWindowDimOfX(), sizes;
    for (auto [dim, window] : llvm::enumerate(windows)) {
      sizes.push_back(window < 0 ? 1 : -1);
      // Along a dim without an index, the window begins at 0 and may be shorter
      // than x.
      if (window >= 0 && !llvm::is_contained(op.getScatterDimsToOperandDims(),
                                             static_cast<int64_t>(dim)))
        x = e.sliceAlong(x, dim, 0, dimsOf(op.getUpdates())[window]);
    }
    for (int64_t dim : op.getScatterDimsToOperandDims())
      sizes[dim] = *windowAlong(dim);
    Type element = cast<RankedTensorType>(x.getType()).getElementType();
    auto type = tx::tensorType(dimsOf(op.getUpdates()), element);
    return tx::GatherOp::create(
        e.b, e.loc, type, x, indices, op.getUpdateWindowDims(),
        op.getInsertedWindowDims(), op.getScatterDimsToOperandDims(),
        op.getIndexVectorDim(), sizes);
  }

  /// Gathers from a copy of x that is padded with zeros on all sides by the
  /// width of a window. Windows that lie further outside read only zeros.
  Value gatherOfRing(Value x) {
    TensorBuilder &e = p.e;
    SmallVector<int64_t> wide(rankOf(x), 0), none(rankOf(x), 0);
    for (int64_t dim : op.getScatterDimsToOperandDims())
      wide[dim] = widest;
    Value shifted = e.add(e.convert(op.getIndices(), DType::I64), widest);
    return gather(e.pad(x, wide, wide, none, int64_t(0)), shifted);
  }

  /// Returns the size of the windows along a dim of x, or nullopt if it is
  /// symbolic.
  std::optional<int64_t> windowAlong(int64_t dim) {
    int64_t window = op.getWindowDimOfX()[dim];
    if (window < 0)
      return 1;
    return dimsOf(op.getUpdates())[window].number();
  }

  tx::ScatterOp op;
  Pullback &p;
  int64_t widest = 1;
};
} // namespace

/// If several updates refer to one element, the last one wins. Only that update
/// gets the element's gradient.
static void pullBackSet(tx::ScatterOp op, Value g, Met &met, Pullback &p) {
  TensorBuilder &e = p.e;
  Value updates = op.getUpdates();
  p.give(0, [&] {
    return met.scatter(tx::UpdateKind::Set, g, p.zerosLike(updates));
  });
  p.give(2, [&] {
    Dim count = 1;
    for (Dim dim : dimsOf(updates))
      count = count * dim;
    Value number = e.reshape(e.iota(DType::I64, count, 0), dimsOf(updates));
    Value nobody = e.full(int64_t(-1), DType::I64, dimsOf(op.getX()));
    Value winner = met.gather(met.scatter(tx::UpdateKind::Set, nobody, number));
    Value own =
        tx::AndOp::create(e.b, e.loc, e.equal(winner, number), met.inside());
    return e.select(own, met.gather(g), 0.0);
  });
}

/// The gradient is shared by all elements of x and all updates that equal the
/// extremum.
static void pullBackExtremum(tx::ScatterOp op, Value g, Met &met, Pullback &p) {
  TensorBuilder &e = p.e;
  DType dtype = dtypeOf(g);
  Value result = op.getResult(), zero = p.zerosLike(op.getX());
  Value fromX = e.convert(e.equal(op.getX(), result), dtype);
  Value chosen = tx::AndOp::create(
      e.b, e.loc, e.equal(op.getUpdates(), met.gather(result)), met.inside());
  Value fromUpdates = e.convert(chosen, dtype);
  Value count =
      e.add(fromX, met.scatter(tx::UpdateKind::Add, zero, fromUpdates));
  Value share = e.div(g, count);
  p.give(0, [&] { return e.mul(fromX, share); });
  p.give(2, [&] { return e.mul(fromUpdates, met.gather(share)); });
}

/// The factor of an update is the product of x and the other updates of its
/// element. If the update is 0, its factor is the product of the nonzero ones,
/// provided that there is no other zero.
static void pullBackProduct(tx::ScatterOp op, Value g, Met &met, Pullback &p) {
  TensorBuilder &e = p.e;
  Value updates = op.getUpdates();
  p.give(0, [&] { return met.scatter(tx::UpdateKind::Mul, g, updates); });
  p.give(2, [&] {
    Value isZero = e.equal(updates, 0.0);
    Value rest = e.select(isZero, 1.0, updates);
    Value zeros = met.scatter(tx::UpdateKind::Add, p.zerosLike(op.getX()),
                              e.convert(isZero, dtypeOf(updates)));
    Value isOnly = e.equal(met.gather(zeros), 1.0);
    Value product = met.scatter(tx::UpdateKind::Mul, op.getX(), rest);
    Value others =
        e.select(isZero, e.select(isOnly, met.gather(e.mul(g, product)), 0.0),
                 e.div(met.gather(e.mul(g, op.getResult())), rest));
    return e.select(met.inside(), others, 0.0);
  });
}

LogicalResult pullBack(tx::ScatterOp op, Value g, Pullback &p) {
  TensorBuilder &e = p.e;
  Met met(op, p);
  if (op.getKind() == tx::UpdateKind::Add && !p.wants(2)) {
    p.set(0, g);
    return success();
  }
  if (failed(met.check()))
    return failure();
  switch (op.getKind()) {
  case tx::UpdateKind::Add:
    p.give(0, [&] { return g; });
    p.give(2, [&] { return e.select(met.inside(), met.gather(g), 0.0); });
    return success();
  case tx::UpdateKind::Set:
    pullBackSet(op, g, met, p);
    return success();
  case tx::UpdateKind::Min:
  case tx::UpdateKind::Max:
    pullBackExtremum(op, g, met, p);
    return success();
  case tx::UpdateKind::Mul:
    pullBackProduct(op, g, met, p);
    return success();
  }
  llvm_unreachable("a kind of update");
}

} // namespace tensorc::compiler::autodiff
