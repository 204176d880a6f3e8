//===- IndexingRules.cpp - Gradients of ops whose indices are tensors -------===//

#include "compiler/autodiff/Rules.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::compiler::autodiff {

//===----------------------------------------------------------------------===//
// Along one dim
//===----------------------------------------------------------------------===//

namespace {
/// A tensor whose elements along a dim are addressed in a vector of all:
/// element j of row r is at r * size + j.
struct Rows {
  SmallVector<int64_t> order; // the dim last
  SmallVector<Dim> dims;      // in that order
  Dim size, count;

  Rows(Dims whole, int64_t dim) {
    order = library::allDimsBut(whole.size(), dim);
    order.push_back(dim);
    for (int64_t d : order)
      dims.push_back(whole[d]);
    size = whole[dim];
    count = size;
    for (Dim other : ArrayRef(dims).drop_back())
      count = count * other;
  }
};
} // namespace

/// The indices along a dim as places in the vector of all elements of `rows`.
static Value placesOf(Expansion &e, Value indices, const Rows &rows) {
  Value moved = e.transpose(indices, rows.order);
  SmallVector<Dim> outer(ArrayRef(rows.dims).drop_back());
  Dim numRows = 1;
  for (Dim dim : outer)
    numRows = numRows * dim;
  Value row = e.reshape(e.iota(DType::I64, numRows, 0), outer);
  outer.push_back(1);
  Value base = e.mul(e.reshape(row, outer), e.size(rows.size, DType::I64));
  Value place = e.add(moved, base);
  Dim count = 1;
  for (Dim dim : dimsOf(place))
    count = count * dim;
  return e.reshape(place, count);
}

Value takeAlong(Expansion &e, Value x, Value indices, int64_t dim) {
  Rows rows(dimsOf(x), dim);
  Value line = e.reshape(e.transpose(x, rows.order), rows.count);
  Value taken = e.take(line, placesOf(e, indices, rows), 0);
  SmallVector<Dim> dims;
  for (int64_t d : rows.order)
    dims.push_back(dimsOf(indices)[d]);
  return e.transpose(e.reshape(taken, dims),
                     invertPermutationVector(rows.order));
}

Value addAlong(Expansion &e, Dims dims, Value updates, Value indices,
               int64_t dim) {
  Rows rows(dims, dim);
  Value places = placesOf(e, indices, rows);
  Value values = e.reshape(e.transpose(updates, rows.order), dimsOf(places));
  Value zeros = e.full(0.0, dtypeOf(updates), rows.count);
  Value line = tx::ScatterOp::create(
      e.b, e.loc, zeros.getType(), zeros, places, values, tx::UpdateKind::Add,
      /*update_window_dims=*/ArrayRef<int64_t>(),
      /*inserted_window_dims=*/ArrayRef<int64_t>(0),
      /*scatter_dims_to_operand_dims=*/ArrayRef<int64_t>(0),
      /*index_vector_dim=*/1);
  return e.transpose(e.reshape(line, rows.dims),
                     invertPermutationVector(rows.order));
}

/// Sorting moves elements; the gradient moves back.
LogicalResult pullBack(tx::SortOp op, Value g, Pullback &p) {
  Expansion &e = p.e;
  Value order = tx::ArgsortOp::create(e.b, e.loc, op.getX(), op.getDim(),
                                      op.getDescending());
  Value back = tx::ArgsortOp::create(e.b, e.loc, order, op.getDim(), false);
  p.set(0, takeAlong(e, g, back, op.getDim()));
  return success();
}

//===----------------------------------------------------------------------===//
// Dynamic slices
//===----------------------------------------------------------------------===//

static Value updated(Expansion &e, Value x, Value update, ValueRange starts) {
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
  Expansion &e = p.e;
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

/// The indices as a gather uses them: each start moved so that its slice lies
/// in x. `sizes`: of the slices, per dim of x.
static Value clampedIndices(Expansion &e, Value indices, Value x,
                            Numbers mapped, int64_t vectorDim, Dims sizes) {
  DType dtype = dtypeOf(indices);
  Value wide = e.convert(indices, DType::I64);
  SmallVector<Value> limits;
  for (int64_t dim : mapped)
    limits.push_back(e.size(dimsOf(x)[dim] - sizes[dim], DType::I64));
  Value limit;
  if (vectorDim == rankOf(indices)) {
    limit = limits[0]; // every element is a vector of one
  } else {
    SmallVector<Value> ones;
    for (Value &each : limits)
      ones.push_back(e.reshape(each, Dim(1)));
    auto type = tx::tensorType(Dim(ones.size()), e.b.getI64Type());
    Value all =
        ones.size() == 1
            ? ones[0]
            : Value(tx::ConcatenateOp::create(e.b, e.loc, type, ones, 0));
    limit = e.alongDim(all, vectorDim, rankOf(indices));
  }
  return e.convert(e.max(e.min(wide, limit), 0), dtype);
}

LogicalResult pullBack(tx::GatherOp op, Value g, Pullback &p) {
  Expansion &e = p.e;
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
/// The elements of a tensor like x that a scatter's updates meet.
class Met {
public:
  Met(tx::ScatterOp op, Pullback &p) : op(op), p(p) {}

  /// Gathers are clamped where the scatter drops: windows must be of one
  /// element along the dims that have an index, so that a mask tells which
  /// count.
  LogicalResult check() {
    SmallVector<int64_t> windows = op.getWindowDimOfX();
    for (int64_t dim : op.getScatterDimsToOperandDims())
      if (windows[dim] >= 0 && dimsOf(op.getUpdates())[windows[dim]] != 1)
        return op.emitOpError(
            "has no gradient where its windows are of several "
            "elements along a dim that has an index");
    return success();
  }

  Value gather(Value x) { return gather(x, op.getIndices()); }
  Value gather(Value x, Value indices) {
    Expansion &e = p.e;
    SmallVector<int64_t> windows = op.getWindowDimOfX(), sizes;
    for (int64_t window : windows)
      sizes.push_back(window < 0 ? 1 : -1);
    for (int64_t dim : op.getScatterDimsToOperandDims())
      sizes[dim] = 1;
    Type element = cast<RankedTensorType>(x.getType()).getElementType();
    auto type = tx::tensorType(dimsOf(op.getUpdates()), element);
    return tx::GatherOp::create(
        e.b, e.loc, type, x, indices, op.getUpdateWindowDims(),
        op.getInsertedWindowDims(), op.getScatterDimsToOperandDims(),
        op.getIndexVectorDim(), sizes);
  }

  /// Like the updates: whether the element lies in x.
  Value inside() {
    Expansion &e = p.e;
    Value ones = e.full(1.0, DType::F32, dimsOf(op.getX()));
    // What an index inside meets in a copy padded by zeros on all sides.
    SmallVector<int64_t> one(rankOf(ones), 0), none(rankOf(ones), 0);
    for (int64_t dim : op.getScatterDimsToOperandDims())
      one[dim] = 1;
    Value ring = e.pad(ones, one, one, none, 0.0);
    Value shifted = e.add(e.convert(op.getIndices(), DType::I64), 1);
    return e.equal(gather(ring, shifted), 1.0);
  }

  Value scatter(tx::UpdateKind kind, Value x, Value updates) {
    Expansion &e = p.e;
    return tx::ScatterOp::create(
        e.b, e.loc, x.getType(), x, op.getIndices(), updates, kind,
        op.getUpdateWindowDims(), op.getInsertedWindowDims(),
        op.getScatterDimsToOperandDims(), op.getIndexVectorDim());
  }

private:
  tx::ScatterOp op;
  Pullback &p;
};
} // namespace

/// Of several updates at one place the last stays, so the gradient is its own.
static void pullBackSet(tx::ScatterOp op, Value g, Met &met, Pullback &p) {
  Expansion &e = p.e;
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

/// Whatever is the extremum shares the gradient: x and the updates.
static void pullBackExtremum(tx::ScatterOp op, Value g, Met &met, Pullback &p) {
  Expansion &e = p.e;
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

LogicalResult pullBack(tx::ScatterOp op, Value g, Pullback &p) {
  Expansion &e = p.e;
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
    if (p.wants(2))
      return op.emitOpError("of kind mul has no gradient by its updates");
    p.set(0, met.scatter(tx::UpdateKind::Mul, g, op.getUpdates()));
    return success();
  }
  llvm_unreachable("a kind of update");
}

} // namespace tensorc::compiler::autodiff
