//===- Reshard.cpp - Collectives that change the sharding of a value ------===//

#include "compiler/transforms/sharding/Reshard.h"

#include "ir/tx/Dims.h"

using namespace mlir;

namespace tensorc::compiler::sharding {

/// Returns the type with the size of one dim replaced.
static RankedTensorType withSize(Value x, int64_t dim, shape::Dim size) {
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<shape::Dim> dims(tx::dimsOf(type));
  dims[dim] = size;
  return tx::tensorType(dims, type.getElementType());
}

static shape::Dim sizeOf(Value x, int64_t dim) {
  return tx::dimsOf(cast<RankedTensorType>(x.getType()))[dim];
}

static size_t commonPrefix(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n])
    ++n;
  return n;
}

template <typename Op, typename... Arguments>
Value Resharder::collective(OpBuilder &b, const Reason &reason, Value x,
                            ArrayRef<int64_t> axes, RankedTensorType type,
                            Arguments... arguments) {
  auto op = Op::create(b, x.getLoc(), type, x, arguments..., mesh.size(axes),
                       mesh.groups(axes));
  op->setAttr(insertedAttr, b.getStringAttr(reason.text));
  op->setAttr(remedyAttr, b.getStringAttr(reason.remedy));
  op->setAttr(axesAttr, b.getStringAttr(mesh.text(axes)));
  return op.getResult();
}

Value Resharder::reduce(OpBuilder &b, Value x, ArrayRef<int64_t> axes,
                        tx::Combiner combiner, const Reason &reason) {
  return collective<tx::AllReduceOp>(
      b, reason, x, axes, cast<RankedTensorType>(x.getType()), combiner);
}

Value Resharder::reduceScatter(OpBuilder &b, Value x, int64_t axis, int64_t dim,
                               tx::Combiner combiner, const Reason &reason) {
  RankedTensorType type =
      withSize(x, dim, shape::floorDiv(sizeOf(x, dim), mesh.sizes[axis]));
  return collective<tx::ReduceScatterOp>(b, reason, x, axis, type, combiner,
                                         dim);
}

bool Resharder::isFiner(const Sharding &to, const Sharding &from,
                        int64_t rank) const {
  for (int64_t dim = 0; dim < rank; ++dim) {
    SmallVector<int64_t> has = mesh.axesOf(from, dim);
    if (commonPrefix(has, mesh.axesOf(to, dim)) != has.size())
      return false;
  }
  return true;
}

Value Resharder::reshard(OpBuilder &b, Value x, RankedTensorType type,
                         Sharding from, const Sharding &to,
                         const Reason &reason) {
  int64_t rank = type.getRank();
  // An axis that moves from the innermost parts of one dim to the innermost
  // parts of another needs an all-to-all exchange.
  for (size_t axis = 0; axis < from.size(); ++axis) {
    int64_t source = from[axis], target = to[axis];
    if (source < 0 || target < 0 || source == target)
      continue;
    SmallVector<int64_t> before = mesh.axesOf(from, source);
    SmallVector<int64_t> after = mesh.axesOf(to, target);
    SmallVector<int64_t> kept = mesh.axesOf(from, target);
    size_t common = commonPrefix(kept, after);
    if (before.back() != static_cast<int64_t>(axis) || common != kept.size() ||
        after[common] != static_cast<int64_t>(axis))
      continue;
    RankedTensorType exchanged = withSize(
        x, target, shape::floorDiv(sizeOf(x, target), mesh.sizes[axis]));
    SmallVector<shape::Dim> dims(tx::dimsOf(exchanged));
    dims[source] = dims[source] * mesh.sizes[axis];
    x = collective<tx::AllToAllOp>(b, reason, x, static_cast<int64_t>(axis),
                                   tx::tensorType(dims, type.getElementType()),
                                   target, source);
    from[axis] = target;
  }
  for (int64_t dim = 0; dim < rank; ++dim) {
    SmallVector<int64_t> has = mesh.axesOf(from, dim);
    auto gathered =
        ArrayRef(has).drop_front(commonPrefix(has, mesh.axesOf(to, dim)));
    if (gathered.empty())
      continue;
    x = collective<tx::AllGatherOp>(
        b, reason, x, gathered,
        withSize(x, dim, sizeOf(x, dim) * mesh.size(gathered)), dim);
    for (int64_t axis : gathered)
      from[axis] = -1;
  }
  for (int64_t dim = 0; dim < rank; ++dim) {
    SmallVector<int64_t> wants = mesh.axesOf(to, dim);
    auto added = ArrayRef(wants).drop_front(mesh.axesOf(from, dim).size());
    if (!added.empty())
      x = mesh.slice(b, x, dim, added);
  }
  return x;
}

} // namespace tensorc::compiler::sharding
