//===- Gather.cpp - Ops whose indices are tensors -------------------------===//

#include "compiler/graph/ops/Rules.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::graph {

/// Indices are integers.
static bool checkIndices(Recorder &r, const char *op, const Node &indices) {
  if (isIn(indices.dtype(), integerMask))
    return true;
  r.fail(op, llvm::Twine("indices must be integers, not ") +
                 dtypeName(indices.dtype()));
  return false;
}

NodeRef gather(Recorder &r, const NodeRef &x, const NodeRef &indices,
               tx::GatherAttributes attributes) {
  const char *op = "gather";
  if (!x || !indices)
    return r.fail(op, "an operand is an undefined tensor");
  shape::IndexNumbers numbers{
      attributes.offsetDims, attributes.collapsedSliceDims,
      attributes.startIndexMap, attributes.indexVectorDim};
  Shape sizes(attributes.sliceSizes.begin(), attributes.sliceSizes.end()),
      shape;
  if (!checkIndices(r, op, *indices.get()) ||
      !follow(r, op,
              shape::inferGather(dimsOf(x), dimsOf(indices), numbers, sizes),
              shape) ||
      !checkShape(r, op, x->dtype(), shape))
    return {};
  for (auto [d, size] : llvm::enumerate(sizes))
    if (size == x->shape()[d] &&
        !llvm::is_contained(numbers.dropped, int64_t(d)))
      size = -1; // the whole dim
  attributes.sliceSizes = sizes;
  return NodeRef::take(Node::create(OpKind::Gather, x->dtype(), shape,
                                    {x.get(), indices.get()}, attributes,
                                    r.location));
}

NodeRef scatter(Recorder &r, const NodeRef &x, const NodeRef &indices,
                const NodeRef &updates,
                const tx::ScatterAttributes &attributes) {
  const char *op = "scatter";
  if (!x || !indices || !updates)
    return r.fail(op, "an operand is an undefined tensor");
  shape::IndexNumbers numbers{
      attributes.updateWindowDims, attributes.insertedWindowDims,
      attributes.scatterDimsToOperandDims, attributes.indexVectorDim};
  Shape shape;
  if (!checkIndices(r, op, *indices.get()))
    return {};
  UpdateKind kind = attributes.kind;
  if (updates->dtype() != x->dtype())
    return r.fail(op, llvm::Twine("updates are ") +
                          dtypeName(updates->dtype()) + ", the operand " +
                          dtypeName(x->dtype()));
  if (kind != UpdateKind::Set && !checkComputed(r, op, x->dtype()))
    return {};
  if (!checkUpdates(r, op, kind, x->dtype()))
    return {};
  if (!follow(r, op,
              shape::inferScatter(dimsOf(x), dimsOf(indices), dimsOf(updates),
                                  numbers),
              shape))
    return {};
  return NodeRef::take(Node::create(OpKind::Scatter, x->dtype(), x->shape(),
                                    {x.get(), indices.get(), updates.get()},
                                    attributes, r.location));
}

NodeRef dynamicUpdateSlice(Recorder &r, const NodeRef &x, const NodeRef &update,
                           llvm::ArrayRef<NodeRef> starts) {
  if (!x || !update || llvm::any_of(starts, [](auto &s) { return !s; }))
    return {};
  llvm::SmallVector<Node *> inputs{x.get(), update.get()};
  for (const NodeRef &start : starts)
    inputs.push_back(start.get());
  return NodeRef::take(Node::create(OpKind::DynamicUpdateSlice, x->dtype(),
                                    x->shape(), inputs, {}, r.location));
}

/// Converts starts to scalar nodes. Returns none after an error.
static llvm::SmallVector<NodeRef> startsOf(Recorder &r, const char *op,
                                           const Node &x,
                                           llvm::ArrayRef<Operand> starts) {
  if (starts.size() != x.rank()) {
    r.fail(op, llvm::Twine(starts.size()) + " starts for " +
                   shapeString(x.shape()));
    return {};
  }
  llvm::SmallVector<NodeRef> result;
  for (const Operand &start : starts) {
    if (!start.isScalar && !start.node) {
      r.fail(op, "a start is an undefined tensor");
      return {};
    }
    NodeRef made = start.isScalar
                       ? full(r, defaultDType(start.scalar), {}, start.scalar)
                       : NodeRef(start.node);
    if (made && (made->rank() > 0 || !isIn(made->dtype(), integerMask))) {
      r.fail(op, llvm::Twine("a start is ") + dtypeName(made->dtype()) +
                     shapeString(made->shape()) + ", not one integer");
      return {};
    }
    result.push_back(made);
  }
  return result;
}

NodeRef dynamicSlice(Recorder &r, const NodeRef &x,
                     llvm::ArrayRef<Operand> starts, Ints sizes) {
  const char *op = "dynamic_slice";
  if (!x)
    return r.fail(op, "the operand is an undefined tensor");
  auto from = startsOf(r, op, *x.get(), starts);
  if (!r.error.empty())
    return {};
  for (auto [d, size] : llvm::enumerate(sizes))
    if (size == -1) // The shape rule replaces -1 by the whole dimension.
      return r.fail(op, "the slice size of dimension " + llvm::Twine(d) +
                            " is negative");
  Shape shape;
  if (!follow(r, op, shape::inferDynamicSlice(dimsOf(x), sizes), shape))
    return {};
  llvm::SmallVector<Node *> inputs{x.get()};
  for (const NodeRef &start : from)
    inputs.push_back(start.get());
  // A size of -1 means the whole dimension.
  Shape sliceSizes(sizes.begin(), sizes.end());
  for (auto [sliceSize, size] : llvm::zip(sliceSizes, x->shape()))
    if (sliceSize == size)
      sliceSize = -1;
  return NodeRef::take(
      Node::create(OpKind::DynamicSlice, x->dtype(), sizes, inputs,
                   tx::DynamicSliceAttributes{sliceSizes}, r.location));
}

NodeRef dynamicUpdateSlice(Recorder &r, const NodeRef &x, const NodeRef &update,
                           llvm::ArrayRef<Operand> starts) {
  const char *op = "dynamic_update_slice";
  if (!x || !update)
    return r.fail(op, "an operand is an undefined tensor");
  auto from = startsOf(r, op, *x.get(), starts);
  Shape shape;
  if (!r.error.empty() ||
      !follow(r, op, shape::inferDynamicUpdateSlice(dimsOf(x), dimsOf(update)),
              shape))
    return {};
  if (update->dtype() != x->dtype())
    return r.fail(op, llvm::Twine("the update is ") +
                          dtypeName(update->dtype()) + ", the operand " +
                          dtypeName(x->dtype()));
  return dynamicUpdateSlice(r, x, update, llvm::ArrayRef<NodeRef>(from));
}

} // namespace tensorc::graph
