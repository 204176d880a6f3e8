//===- Scans.cpp - Scans and sorting --------------------------------------===//

#include "compiler/graph/LiveHandles.h"
#include "compiler/graph/ops/Builders.h"
#include "runtime/include/tensorc/communicator.h"

#include "llvm/ADT/STLExtras.h"

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

//===----------------------------------------------------------------------===//
// The first elements of a sort order
//===----------------------------------------------------------------------===//

/// Gathers the elements of x at `indices` along `dim`. If the program that
/// computes the values computes the indices as well, it sorts instead
/// (firstOfSort). So values that are needed after their indices cost no second
/// sort.
static NodeRef takeFirst(Recorder &r, const NodeRef &x, const NodeRef &indices,
                         int64_t dim) {
  Shape dropped, sizes(x->rank(), 1);
  for (size_t d = 0; d < x->rank(); ++d)
    dropped.push_back(d);
  tx::GatherAttributes attributes{{}, dropped, dropped, x->rank(), sizes};
  if (x->rank() == 1)
    return gather(r, x, indices, attributes);
  Shape shape(indices->shape());
  shape.push_back(1);
  llvm::SmallVector<NodeRef> components;
  for (int64_t d : dropped)
    components.push_back(d == dim ? reshape(r, indices, shape)
                                  : iota(r, DType::I64, shape, d));
  NodeRef vectors = concatenate(r, components, -1);
  return vectors ? gather(r, x, vectors, attributes) : vectors;
}

/// True if all dims of the slice begin at 0 and are contiguous.
static bool isPrefix(const Node &slice) {
  auto attributes = slice.attributes<tx::SliceAttributes>();
  return llvm::all_of(attributes.staticOffsets,
                      [](int64_t start) { return start == 0; }) &&
         llvm::all_of(attributes.strides,
                      [](int64_t stride) { return stride == 1; });
}

std::optional<FirstOfSort> firstOfSort(const Node &node) {
  if (isArgument(node) || node.op() != OpKind::Gather)
    return std::nullopt;
  const Node &x = *node.inputs()[0];
  auto attributes = node.attributes<tx::GatherAttributes>();
  auto rank = static_cast<int64_t>(x.rank());
  if (!attributes.offsetDims.empty() || attributes.indexVectorDim != rank ||
      attributes.startIndexMap != attributes.collapsedSliceDims ||
      !llvm::is_sorted(attributes.startIndexMap) ||
      attributes.startIndexMap.size() != x.rank())
    return std::nullopt;
  const Node *indices = node.inputs()[1];
  if (rank > 1) {
    if (isArgument(*indices) || indices->op() != OpKind::Concatenate ||
        indices->attributes<tx::ConcatenateAttributes>().dim != rank ||
        indices->inputs().size() != x.rank())
      return std::nullopt;
    const Node *along = nullptr;
    for (auto [d, component] : llvm::enumerate(indices->inputs())) {
      if (isArgument(*component))
        return std::nullopt;
      if (component->op() == OpKind::Iota &&
          component->attributes<tx::IotaAttributes>().dim ==
              static_cast<int64_t>(d))
        continue;
      if (along || component->op() != OpKind::Reshape)
        return std::nullopt;
      along = component->inputs()[0];
    }
    if (!along || along->shape() != node.shape())
      return std::nullopt;
    indices = along;
  }
  FirstOfSort first{nullptr, nullptr};
  if (!isArgument(*indices) && indices->op() == OpKind::Slice) {
    first.slice = indices;
    indices = indices->inputs()[0];
  }
  if (isArgument(*indices) || indices->op() != OpKind::Argsort ||
      indices->inputs()[0] != &x || (first.slice && !isPrefix(*first.slice)))
    return std::nullopt;
  first.order = indices;
  return first;
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
  TopK result;
  // Nothing evaluates the indices of a traced function before its values. A
  // sort of a split tensor needs no communication, which a gather may need.
  bool isOneProgram = x->isTraced() || tensorc_rt_thread_communicator() ||
                      x->rank() == maxRank || k == 0 || x->numElements() == 0;
  if (isOneProgram)
    result.values = first(OpKind::Sort);
  if (r.error.empty())
    result.indices = first(OpKind::Argsort);
  if (result.indices && !isOneProgram)
    result.values = takeFirst(r, x, result.indices, axes[0]);
  return result.values && result.indices ? result : TopK();
}

} // namespace tensorc::graph
