//===- Scans.cpp - Scans and sorting --------------------------------------===//

#include "compiler/graph/ops/Builders.h"

namespace tensorc::graph {

/// Records an op along one axis (the attribute `dim`) whose result has the
/// shape of x.
template <typename Attributes>
static NodeRef alongAxis(Recorder &r, OpKind op, const NodeRef &x, DType dtype,
                         int64_t axis, Attributes attributes) {
  const char *name = traits(op).apiName;
  Shape axes;
  if (!checkComputed(r, name, x->dtype()) || !checkTaken(r, op, x->dtype()) ||
      !normalizeAxes(r, name, *x.get(), axis, false, axes) ||
      !checkShape(r, name, dtype, x->shape()))
    return {};
  attributes.dim = axes[0];
  return NodeRef::take(
      Node::create(op, dtype, x->shape(), x.get(), attributes, r.location));
}

NodeRef scan(Recorder &r, OpKind op, const NodeRef &operand, int64_t axis,
             bool reverse, bool exclusive) {
  if (!operand)
    return r.fail(traits(op).apiName, "the operand is an undefined tensor");
  DTypeMask takes = traits(op).operandMasks[0];
  NodeRef x = operand;
  if (isIn(DType::I64, takes) && !isIn(x->dtype(), takes) &&
      isIn(x->dtype(), boolMask))
    x = astype(r, x, DType::I64);
  return alongAxis(
      r, op, x, x->dtype(), axis,
      tx::ScanAttributes{.reverse = reverse, .exclusive = exclusive});
}

NodeRef sort(Recorder &r, OpKind op, const NodeRef &x, int64_t axis,
             bool descending) {
  if (!x)
    return r.fail(traits(op).apiName, "the operand is an undefined tensor");
  DType dtype = op == OpKind::Argsort ? DType::I64 : x->dtype();
  return alongAxis(r, op, x, dtype, axis,
                   tx::SortAttributes{.descending = descending});
}

TopK topK(Recorder &r, const NodeRef &x, int64_t k, int64_t axis,
          bool largest) {
  auto refuse = [&](const llvm::Twine &why) {
    r.fail("top_k", why);
    return TopK();
  };
  if (!x)
    return refuse("the operand is an undefined tensor");
  // As in PyTorch, a scalar is treated as a vector of one element.
  if (x->rank() == 0 && k == 1) {
    TopK one = topK(r, reshape(r, x, 1), k, axis, largest);
    return {reshape(r, one.values, {}), reshape(r, one.indices, {})};
  }
  Shape axes;
  if (!normalizeAxes(r, "top_k", *x.get(), axis, false, axes))
    return {};
  if (k < 0 || k > x->shape()[axes[0]])
    return refuse("k = " + llvm::Twine(k) + " is outside axis " +
                  llvm::Twine(axis) + " of " + shapeString(x->shape()));
  Shape starts(x->rank(), 0), stops(x->rank(), openEnd), steps(x->rank(), 1);
  stops[axes[0]] = k;
  auto first = [&](OpKind op) {
    NodeRef sorted = sort(r, op, x, axis, largest);
    return sorted ? slice(r, sorted, starts, stops, steps) : sorted;
  };
  TopK result{first(OpKind::Sort), first(OpKind::Argsort)};
  return result.values && result.indices ? result : TopK();
}

} // namespace tensorc::graph
