//===- ScatterProducts.cpp - Scatters that multiply complex numbers -------===//
//
//   %y = tx.scatter "mul" %x, %i, %u
// becomes a loop over the index vectors, which carries the parts of the result:
//   at = %i[step]
//   product = gather(y, at) * %u[step]
//   y = scatter "set" y, at, product
//
// Both parts of a product need both parts of what was there before, so a real
// scatter for each part cannot compute it. Updates at one place are multiplied
// in the order of their index vectors, as for real numbers.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/complex/ScatterProducts.h"

#include "ir/tx/Control.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using tensorc::shape::Dim;

namespace tensorc::compiler {

namespace {
/// The dims and sizes of a scatter in the form needed by the loop over index
/// vectors.
class Products {
public:
  Products(tx::ScatterOp op, builder::TensorBuilder &e);

  Planes run(Planes x, Planes updates);

private:
  tx::ScatterOp op;
  builder::TensorBuilder &e;
  /// Dims of x along which windows move, and the corresponding window dims of
  /// the updates; -1 if the window has no such dim.
  SmallVector<int64_t> moved, movedWindows;
  /// Dims of the updates: the dims over index vectors (`batch`), the dims along
  /// `moved` (`bound`), and the others (`free`).
  SmallVector<int64_t> batch, bound, free;
  Dim count = 1;

  SmallVector<Dim> sizesOf(ArrayRef<int64_t> updateDims);
  Value flatVectors();
  Value flatUpdates(Value updates);
  Value places(builder::TensorBuilder &inner, Value vector);
  Planes step(builder::TensorBuilder &inner, Planes before, Value vector,
              Planes by);
};
} // namespace

Products::Products(tx::ScatterOp op, builder::TensorBuilder &e)
    : op(op), e(e), moved(op.getScatterDimsToOperandDims()),
      batch(op.getBatchDims()) {
  SmallVector<int64_t> windows = op.getWindowDimOfX();
  for (int64_t dim : moved) {
    movedWindows.push_back(windows[dim]);
    if (windows[dim] >= 0)
      bound.push_back(windows[dim]);
  }
  for (int64_t dim : op.getUpdateWindowDims())
    if (!llvm::is_contained(bound, dim))
      free.push_back(dim);
  for (Dim dim : sizesOf(batch))
    count = count * dim;
}

SmallVector<Dim> Products::sizesOf(ArrayRef<int64_t> updateDims) {
  return llvm::map_to_vector(updateDims, [&](int64_t dim) {
    return builder::dimsOf(op.getUpdates())[dim];
  });
}

/// Returns the index vectors in i64, as rows of a matrix.
Value Products::flatVectors() {
  Value indices = e.convert(op.getIndices(), tx::DType::I64);
  int64_t rank = builder::rankOf(indices);
  auto along = static_cast<int64_t>(op.getIndexVectorDim());
  if (along < rank) {
    SmallVector<int64_t> order = builder::allDimsBut(rank, along);
    order.push_back(along);
    indices = e.transpose(indices, order);
  }
  return e.reshape(indices, {count, Dim(op.getVectorSize())});
}

/// Returns the updates with the dims [index vectors, dims along which windows
/// move, other dims]. The dims over index vectors are merged into one.
Value Products::flatUpdates(Value updates) {
  SmallVector<int64_t> order(batch);
  llvm::append_range(order, bound);
  llvm::append_range(order, free);
  SmallVector<Dim> dims{count};
  llvm::append_range(dims, sizesOf(bound));
  llvm::append_range(dims, sizesOf(free));
  return e.reshape(e.transpose(updates, order), dims);
}

/// Returns an index vector for each position in the window along the moved
/// dims. With them, elements outside of x are ignored individually, and the
/// clamping of a gather cannot shift the whole window.
Value Products::places(builder::TensorBuilder &inner, Value vector) {
  SmallVector<Dim> positions = sizesOf(bound), one(positions.size() + 1, 1),
                   all(positions);
  all.push_back(1);
  SmallVector<Value> components;
  for (auto [k, window] : llvm::enumerate(movedWindows)) {
    Value component = inner.broadcast(
        inner.reshape(inner.sliceAlong(vector, 0, k, 1), one), all);
    if (window >= 0)
      component = inner.add(
          component, inner.iota(tx::DType::I64, all,
                                llvm::find(bound, window) - bound.begin()));
    components.push_back(component);
  }
  return components.size() == 1
             ? components.front()
             : inner.concatenate(components,
                                 static_cast<int64_t>(positions.size()));
}

/// Multiplies the elements at the positions of the update, by a gather and a
/// scatter. All other elements remain unread.
Planes Products::step(builder::TensorBuilder &inner, Planes before,
                      Value vector, Planes by) {
  auto numPositions = static_cast<int64_t>(bound.size());
  auto windowDims = llvm::to_vector(llvm::seq<int64_t>(
      numPositions, numPositions + static_cast<int64_t>(free.size())));
  SmallVector<int64_t> inserted(op.getInsertedWindowDims()), sizes;
  SmallVector<int64_t> windows = op.getWindowDimOfX();
  for (auto [dim, window] : llvm::enumerate(windows)) {
    bool isFree = llvm::is_contained(free, window);
    sizes.push_back(isFree ? -1 : 1);
    if (!isFree && window >= 0)
      inserted.push_back(static_cast<int64_t>(dim));
  }
  llvm::sort(inserted);
  Value at = places(inner, vector);
  auto gathered = [&](Value x) {
    // A window along a dim without an index may be shorter than x.
    for (auto [dim, window] : llvm::enumerate(windows))
      if (llvm::is_contained(free, window))
        x = inner.sliceAlong(x, dim, 0,
                             builder::dimsOf(op.getUpdates())[window]);
    return Value(tx::GatherOp::create(inner.b, inner.loc, by.re.getType(), x,
                                      at, windowDims, inserted, moved,
                                      numPositions, sizes));
  };
  Planes product =
      ComplexMath(inner).mul({gathered(before.re), gathered(before.im)}, by);
  auto set = [&](Value x, Value updates) {
    return Value(tx::ScatterOp::create(inner.b, inner.loc, x.getType(), x, at,
                                       updates, tx::UpdateKind::Set, windowDims,
                                       inserted, moved, numPositions));
  };
  Value re = set(before.re, product.re);
  return {re, set(before.im, product.im)};
}

Planes Products::run(Planes x, Planes updates) {
  OpBuilder &b = e.b;
  Value vectors = flatVectors();
  Planes by{flatUpdates(updates.re), flatUpdates(updates.im)};
  Type part = x.re.getType();
  auto loop = tx::ScanOp::create(
      b, e.loc, TypeRange{part, part},
      tx::DimsAttr::get(b.getContext(), ArrayRef<Dim>{count}), /*carried=*/2,
      /*scanned=*/3, ValueRange{x.re, x.im, vectors, by.re, by.im},
      /*reverse=*/false);
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&loop.getBody());
  auto add = [&](Type type) { return body->addArgument(type, e.loc); };
  auto rowOf = [&](Value rows) {
    return tx::tensorType(builder::dimsOf(rows).drop_front(),
                          getElementTypeOrSelf(rows));
  };
  add(RankedTensorType::get({}, b.getI64Type()));
  Planes before{add(part), {}};
  before.im = add(part);
  Value vector = add(rowOf(vectors));
  Planes row{add(rowOf(by.re)), {}};
  row.im = add(rowOf(by.im));
  builder::TensorBuilder inner(b, e.loc);
  Planes after = step(inner, before, vector, row);
  tx::ReturnOp::create(b, e.loc, ValueRange{after.re, after.im});
  return {loop.getResult(0), loop.getResult(1)};
}

Planes scatterProducts(tx::ScatterOp op, Planes x, Planes updates,
                       builder::TensorBuilder &e) {
  return Products(op, e).run(x, updates);
}

} // namespace tensorc::compiler
