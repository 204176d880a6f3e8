//===- Gather.cpp - Ops whose indices are tensors -------------------------===//

#include "compiler/graph/Builders.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::graph {

/// Whether the dims differ, lie in [0, rank) and, if asked, increase.
static bool areDims(Ints dims, int64_t rank, bool increase) {
  for (auto [i, d] : llvm::enumerate(dims)) {
    if (d < 0 || d >= rank || llvm::is_contained(dims.take_front(i), d))
      return false;
    if (increase && i > 0 && d < dims[i - 1])
      return false;
  }
  return true;
}

namespace {
/// What a gather and a scatter say alike: the dims of windows in the result or
/// the updates, those of x that a window lacks, those of x that the components
/// of an index vector are along, and where the vectors lie.
struct Vectors {
  Ints window, dropped, mapped;
  int64_t dim;
};
} // namespace

/// Checks the indices of a gather or scatter; `batch` gets their shape without
/// the dimension of vectors.
static bool checkVectors(Recorder &r, const char *op, const Node &indices,
                         const Vectors &vectors, Ints x, Shape &batch) {
  int64_t rank = indices.rank(), vectorDim = vectors.dim;
  auto refuse = [&](const llvm::Twine &message) {
    r.fail(op, message);
    return false;
  };
  if (!isIn(indices.dtype(), integerMask))
    return refuse("indices must be integers, not " +
                  llvm::Twine(dtypeName(indices.dtype())));
  if (vectorDim < 0 || vectorDim > rank)
    return refuse("the dimension of index vectors is outside " +
                  shapeString(indices.shape()));
  batch.assign(indices.shape().begin(), indices.shape().end());
  int64_t components = 1;
  if (vectorDim < rank) {
    components = batch[vectorDim];
    batch.erase(batch.begin() + vectorDim);
  }
  if (components != static_cast<int64_t>(vectors.mapped.size()))
    return refuse("index vectors have " + llvm::Twine(components) +
                  " components for " + llvm::Twine(vectors.mapped.size()) +
                  " dimensions");
  if (!areDims(vectors.mapped, x.size(), false) ||
      !areDims(vectors.dropped, x.size(), true))
    return refuse("the dimensions of index vectors and windows must differ "
                  "and lie inside " +
                  shapeString(x));
  if (vectors.window.size() + vectors.dropped.size() != x.size() ||
      !areDims(vectors.window, batch.size() + vectors.window.size(), true))
    return refuse("the dimensions of windows do not fit to " + shapeString(x));
  return true;
}

NodeRef gather(Recorder &r, const NodeRef &x, const NodeRef &indices,
               tx::GatherAttributes attributes) {
  const char *op = "gather";
  if (!x || !indices)
    return r.fail(op, "an operand is an empty tensor");
  Shape batch;
  Vectors vectors{attributes.offsetDims, attributes.collapsedSliceDims,
                  attributes.startIndexMap, attributes.indexVectorDim};
  if (!checkVectors(r, op, *indices.get(), vectors, x->shape(), batch))
    return {};
  if (attributes.sliceSizes.size() != x->rank())
    return r.fail(op, "needs a slice size per dimension of " +
                          shapeString(x->shape()));
  Shape sizes(attributes.sliceSizes.begin(), attributes.sliceSizes.end()),
      shape;
  size_t rank = batch.size() + vectors.window.size(), next = 0;
  for (size_t d = 0, b = 0; d < rank; ++d)
    shape.push_back(
        llvm::is_contained(vectors.window, int64_t(d)) ? -1 : batch[b++]);
  for (auto [d, size] : llvm::enumerate(sizes)) {
    if (size < -1 || size > x->shape()[d])
      return r.fail(op, "a slice of " + llvm::Twine(size) +
                            " does not fit into dimension " + llvm::Twine(d) +
                            " of " + shapeString(x->shape()));
    bool dropped = llvm::is_contained(vectors.dropped, int64_t(d));
    if (dropped && size != 1)
      return r.fail(op, "the slice along dimension " + llvm::Twine(d) +
                            ", which the result lacks, has size " +
                            llvm::Twine(size));
    if (dropped)
      continue;
    shape[vectors.window[next++]] = size == -1 ? x->shape()[d] : size;
    if (size == x->shape()[d])
      size = -1; // whatever its size
  }
  if (!checkShape(r, op, x->dtype(), shape))
    return {};
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
    return r.fail(op, "an operand is an empty tensor");
  Shape batch;
  Vectors vectors{attributes.updateWindowDims, attributes.insertedWindowDims,
                  attributes.scatterDimsToOperandDims,
                  attributes.indexVectorDim};
  if (!checkVectors(r, op, *indices.get(), vectors, x->shape(), batch))
    return {};
  UpdateKind kind = attributes.kind;
  if (updates->dtype() != x->dtype())
    return r.fail(op, llvm::Twine("updates are ") +
                          dtypeName(updates->dtype()) + ", the operand " +
                          dtypeName(x->dtype()));
  if (kind != UpdateKind::Set && !checkComputed(r, op, x->dtype()))
    return {};
  if (x->dtype() == DType::I1 &&
      (kind == UpdateKind::Add || kind == UpdateKind::Mul))
    return r.fail(op, "i1 can be set, and take a minimum or maximum");
  bool fits = updates->rank() == batch.size() + vectors.window.size();
  for (size_t d = 0, b = 0; fits && d < updates->rank(); ++d)
    if (!llvm::is_contained(vectors.window, int64_t(d)))
      fits = updates->shape()[d] == batch[b++];
  for (size_t d = 0, w = 0; fits && d < x->rank(); ++d)
    if (!llvm::is_contained(vectors.dropped, int64_t(d)))
      fits = updates->shape()[vectors.window[w++]] <= x->shape()[d];
  if (!fits)
    return r.fail(op, "updates " + shapeString(updates->shape()) +
                          " do not fit to indices " +
                          shapeString(indices->shape()) + " into " +
                          shapeString(x->shape()));
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

/// Numbers become scalars; none after an error.
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
      r.fail(op, "a start is an empty tensor");
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

/// Whether a part of these sizes fits into x.
static bool checkPart(Recorder &r, const char *op, const Node &x, Ints sizes) {
  bool fits = sizes.size() == x.rank();
  for (size_t d = 0; fits && d < sizes.size(); ++d)
    fits = sizes[d] >= 0 && sizes[d] <= x.shape()[d];
  if (!fits)
    r.fail(op, "a part of " + shapeString(sizes) + " does not fit into " +
                   shapeString(x.shape()));
  return fits;
}

NodeRef dynamicSlice(Recorder &r, const NodeRef &x,
                     llvm::ArrayRef<Operand> starts, Ints sizes) {
  const char *op = "dynamic_slice";
  if (!x)
    return r.fail(op, "the operand is an empty tensor");
  auto from = startsOf(r, op, *x.get(), starts);
  if (!r.error.empty() || !checkPart(r, op, *x.get(), sizes))
    return {};
  llvm::SmallVector<Node *> inputs{x.get()};
  for (const NodeRef &start : from)
    inputs.push_back(start.get());
  // -1 is the whole dimension, whatever its size.
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
    return r.fail(op, "an operand is an empty tensor");
  auto from = startsOf(r, op, *x.get(), starts);
  if (!r.error.empty() || !checkPart(r, op, *x.get(), update->shape()))
    return {};
  if (update->dtype() != x->dtype())
    return r.fail(op, llvm::Twine("the update is ") +
                          dtypeName(update->dtype()) + ", the operand " +
                          dtypeName(x->dtype()));
  return dynamicUpdateSlice(r, x, update, llvm::ArrayRef<NodeRef>(from));
}

uint64_t wholeWindows(const Node &node) {
  uint64_t result = 0;
  const Node &x = *node.inputs()[0];
  if (node.op() == OpKind::DynamicUpdateSlice) {
    for (auto [d, size] : llvm::enumerate(node.inputs()[1]->shape()))
      result |= uint64_t(size == x.shape()[d]) << d;
    return result;
  }
  auto attributes = node.attributes<tx::ScatterAttributes>();
  const Node &updates = *node.inputs()[2];
  for (size_t d = 0, w = 0; d < x.rank(); ++d)
    if (!llvm::is_contained(attributes.insertedWindowDims, int64_t(d)))
      result |= uint64_t(updates.shape()[attributes.updateWindowDims[w++]] ==
                         x.shape()[d])
                << d;
  return result;
}

} // namespace tensorc::graph
