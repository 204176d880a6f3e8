//===- Indexing.cpp - NumPy's x[...] and its updates ----------------------===//
//
// x[items] is a slice, then a gather along the dims that have index tensors,
// then a reshape that removes the dims of integers and inserts new axes. An
// update is the inverse: a scatter into the slice, which is then written into
// x.
//
//===----------------------------------------------------------------------===//

#include "compiler/graph/ops/Builders.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::graph {

namespace {
/// An item and the dim of x that it indexes; the ellipsis and new axes have no
/// dim.
struct Entry {
  IndexItem item;
  size_t dim = 0;
};

/// The items of an index into x, one entry per dim and new axis.
class IndexEntries {
public:
  IndexEntries(Recorder &r, const char *op, const NodeRef &x)
      : r(r), op(op), x(x) {}

  bool parse(IndexItems items) { return expand(items) && classify(); }
  bool isTensor(const Entry &entry) const {
    return entry.item.kind == IndexItem::Tensor ||
           (hasArrays && entry.item.kind == IndexItem::Integer);
  }

  llvm::SmallVector<Entry> list;
  /// Dims with index tensors, in the order of x, and the broadcast shape of
  /// these tensors.
  Shape gathered, batch;

private:
  bool expand(IndexItems items);
  bool classify();
  bool checkInteger(IndexItem &item, size_t dim);

  Recorder &r;
  const char *op;
  const NodeRef &x;
  bool hasArrays = false;
};

/// Computes x[items] from ops.
class Indexer {
public:
  Indexer(Recorder &r, const char *op, const NodeRef &x)
      : r(r), op(op), x(x), entries(r, op, this->x) {}

  bool parse(IndexItems items);
  NodeRef read();
  NodeRef update(UpdateKind kind, const Operand &value);

private:
  Recorder &r;
  const char *op;
  NodeRef x;
  IndexEntries entries;
  /// x after ranges and integers have been applied.
  NodeRef sliced;
  /// The index vectors, whose last dim is after those of the batch; null
  /// without index tensors.
  NodeRef vectors;
  /// Dims of `plain` that are dims of x, and the size that is gathered from each
  /// dim of x; -1 for the whole dim.
  Shape window, sizes;
  /// Shape of x[items], and the shape before integers drop dims and new axes
  /// add dims.
  Shape result, plain;

  bool makeSlice();
  bool makeVectors();
  void layOut();
  NodeRef indexOf(const Entry &entry);
  NodeRef fitValue(const Operand &value);
  NodeRef putSlice(NodeRef value);
  int64_t vectorDim() const { return entries.batch.size(); }
};
} // namespace

//===----------------------------------------------------------------------===//
// Interpretation of the items
//===----------------------------------------------------------------------===//

/// Makes one entry per dim and new axis, with whole ranges after the ellipsis.
bool IndexEntries::expand(IndexItems items) {
  size_t used = 0, ellipses = 0;
  for (const IndexItem &item : items) {
    used += item.kind != IndexItem::Ellipsis && item.kind != IndexItem::NewAxis;
    ellipses += item.kind == IndexItem::Ellipsis;
  }
  if (ellipses > 1) {
    r.fail(op, "an index has one ellipsis at most");
    return false;
  }
  if (used > x->rank()) {
    r.fail(op, llvm::Twine(used) + " indices for " + shapeString(x->shape()));
    return false;
  }
  size_t dim = 0;
  auto fill = [&] {
    for (size_t i = used; i < x->rank(); ++i)
      list.push_back({{IndexItem::Range}, dim++});
  };
  for (const IndexItem &item : items) {
    // Keeps the ellipsis, which separates index tensors even if it expands to
    // no dim.
    list.push_back({item, dim});
    if (item.kind == IndexItem::Ellipsis)
      fill();
    dim += item.kind != IndexItem::Ellipsis && item.kind != IndexItem::NewAxis;
  }
  if (ellipses == 0)
    fill();
  return true;
}

/// Converts an index that counts from the end.
bool IndexEntries::checkInteger(IndexItem &item, size_t dim) {
  int64_t size = x->shape()[dim];
  if (item.start < -size || item.start >= size) {
    r.fail(op, "index " + llvm::Twine(item.start) + " is outside dimension " +
                   llvm::Twine(dim) + " of " + shapeString(x->shape()));
    return false;
  }
  item.start += item.start < 0 ? size : 0;
  return true;
}

bool IndexEntries::classify() {
  for (Entry &entry : list) {
    if (entry.item.kind == IndexItem::Integer &&
        !checkInteger(entry.item, entry.dim))
      return false;
    if (entry.item.kind != IndexItem::Tensor)
      continue;
    if (!entry.item.tensor) {
      r.fail(op, "an index is an undefined tensor");
      return false;
    }
    DType dtype = entry.item.tensor->dtype();
    if (!isIn(dtype, integerMask)) {
      r.fail(op, dtype == DType::I1
                     ? llvm::Twine("one mask at most can be an index; use "
                                   "nonzero")
                     : "an index must be of integers, not " +
                           llvm::Twine(dtypeName(dtype)));
      return false;
    }
    Shape common;
    if (!broadcastShapes(r, op, batch, entry.item.tensor->shape(), common))
      return false;
    batch = common;
    hasArrays |= entry.item.tensor->rank() > 0;
  }
  for (const Entry &entry : list)
    if (isTensor(entry)) {
      gathered.push_back(entry.dim);
      if (x->shape()[entry.dim] > 0 || llvm::is_contained(batch, 0))
        continue;
      r.fail(op, "dimension " + llvm::Twine(entry.dim) + " of " +
                     shapeString(x->shape()) + " has no element to index");
      return false;
    }
  return true;
}

bool Indexer::makeSlice() {
  Shape starts(x->rank(), openEnd), stops(x->rank(), openEnd),
      steps(x->rank(), 1);
  for (const Entry &entry : entries.list) {
    if (entry.item.kind == IndexItem::Range) {
      starts[entry.dim] = entry.item.start;
      stops[entry.dim] = entry.item.stop;
      steps[entry.dim] = entry.item.step;
    } else if (entry.item.kind == IndexItem::Integer &&
               !entries.isTensor(entry)) {
      starts[entry.dim] = entry.item.start;
      stops[entry.dim] = entry.item.start + 1;
    }
  }
  sliced = slice(r, x, starts, stops, steps);
  return bool(sliced);
}

/// Determines the order of the result's dims. The dims of the index vectors
/// replace the index tensors, or come first if the index tensors are not
/// adjacent.
void Indexer::layOut() {
  size_t before = 0, runs = 0, first = 0, plainDims = 0;
  bool inRun = false;
  for (const Entry &entry : entries.list) {
    bool tensor = entries.isTensor(entry);
    if (tensor && !inRun && runs++ == 0) {
      before = result.size();
      first = plainDims;
    }
    inRun = tensor;
    if (tensor || entry.item.kind == IndexItem::Ellipsis)
      continue;
    if (entry.item.kind == IndexItem::NewAxis) {
      result.push_back(1);
      continue;
    }
    ++plainDims;
    plain.push_back(sliced->shape()[entry.dim]);
    if (entry.item.kind == IndexItem::Range)
      result.push_back(plain.back());
  }
  if (runs > 1)
    before = first = 0;
  result.insert(result.begin() + before, entries.batch.begin(),
                entries.batch.end());
  plain.insert(plain.begin() + first, entries.batch.begin(),
               entries.batch.end());
  for (size_t d = 0; d < plain.size(); ++d)
    if (d < first || d >= first + entries.batch.size())
      window.push_back(d);
  for (size_t d = 0; d < sliced->rank(); ++d) {
    auto dim = static_cast<int64_t>(d);
    sizes.push_back(llvm::is_contained(entries.gathered, dim) ? 1 : -1);
  }
}

/// Converts to i64, counting negative indices from the front.
static NodeRef fromFront(Recorder &r, NodeRef index, int64_t size) {
  if (index->dtype() == DType::UI64)
    index = elementwise(r, OpKind::Min, {index, Scalar::of(INT64_MAX)});
  bool isSigned = index && !isUnsigned(index->dtype());
  index = astype(r, index, DType::I64);
  if (!index || !isSigned)
    return index;
  NodeRef negative =
      elementwise(r, OpKind::Lt, {index, Scalar::of(int64_t(0))});
  NodeRef wrapped = elementwise(r, OpKind::Add, {index, Scalar::of(size)});
  return elementwise(r, OpKind::Select, {negative, wrapped, index});
}

NodeRef Indexer::indexOf(const Entry &entry) {
  if (entry.item.kind == IndexItem::Integer)
    return full(r, DType::I64, entries.batch, Scalar::of(entry.item.start));
  return broadcastTo(r, fromFront(r, entry.item.tensor, x->shape()[entry.dim]),
                     entries.batch);
}

bool Indexer::makeVectors() {
  llvm::SmallVector<NodeRef> components;
  for (const Entry &entry : entries.list)
    if (entries.isTensor(entry)) {
      components.push_back(indexOf(entry));
      if (!components.back())
        return false;
    }
  if (components.size() == 1) {
    vectors = components[0];
    return true;
  }
  if (entries.batch.size() == maxRank) {
    r.fail(op, "index tensors of rank " + llvm::Twine(maxRank));
    return false;
  }
  for (NodeRef &component : components) {
    component = expandDims(r, component, -1);
    if (!component)
      return false;
  }
  vectors = concatenate(r, components, -1);
  return bool(vectors);
}

bool Indexer::parse(IndexItems items) {
  if (!x) {
    r.fail(op, "the operand is an undefined tensor");
    return false;
  }
  if (!entries.parse(items) || !makeSlice())
    return false;
  layOut();
  return checkShape(r, op, x->dtype(), result) &&
         checkShape(r, op, x->dtype(), plain) &&
         (entries.gathered.empty() || makeVectors());
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

NodeRef Indexer::read() {
  if (!vectors)
    return reshape(r, sliced, result);
  // Without elements in x there is nothing to clamp to.
  if (llvm::is_contained(entries.batch, 0))
    return full(r, x->dtype(), result, Scalar::of(int64_t(0)));
  tx::GatherAttributes numbers{window, entries.gathered, entries.gathered,
                               vectorDim(), sizes};
  return reshape(r, gather(r, sliced, vectors, numbers), result);
}

NodeRef index(Recorder &r, const NodeRef &x, IndexItems items) {
  Indexer indexer(r, "index", x);
  return indexer.parse(items) ? indexer.read() : NodeRef();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

bool checkKeepsKind(Recorder &r, const char *op, const Operand &value,
                    DType dtype) {
  auto kind = [](DType dtype) {
    return dtype == DType::I1 ? 0
           : isComplex(dtype) ? 3
           : isFloat(dtype)   ? 2
                              : 1;
  };
  if (value.isScalar) {
    if (!isComplex(dtype) && !encode(value.scalar, dtype))
      r.fail(op, "the number " + toString(value.scalar) +
                     " cannot be put into " + dtypeName(dtype));
  } else if (kind(value.node->dtype()) > kind(dtype)) {
    r.fail(op, llvm::Twine("values of dtype ") +
                   dtypeName(value.node->dtype()) + " cannot be put into " +
                   dtypeName(dtype) + "; convert with astype");
  }
  return r.error.empty();
}

/// Converts the value to x's dtype and the shape of the updated part.
NodeRef Indexer::fitValue(const Operand &value) {
  if (!value.isScalar && !value.node)
    return r.fail(op, "the value is an undefined tensor");
  if (!checkKeepsKind(r, op, value, x->dtype()))
    return {};
  if (value.isScalar)
    return full(r, x->dtype(), plain, value.scalar);
  NodeRef v = value.node;
  // As in NumPy, the value may have more dims of size 1 in front.
  Ints shape = v->shape();
  while (shape.size() > result.size() && shape.front() == 1)
    shape = shape.drop_front();
  Shape common;
  Recorder scratch(r.location);
  if (!broadcastShapes(scratch, op, shape, result, common) || common != result)
    return r.fail(op, "a value of " + shapeString(v->shape()) +
                          " does not fit into " + shapeString(result));
  v = reshape(r, v, shape);
  v = broadcastTo(r, astype(r, v, x->dtype()), result);
  return reshape(r, v, plain);
}

/// Returns x with the value in place of the slice.
NodeRef Indexer::putSlice(NodeRef value) {
  if (!value || sliced.get() == x.get())
    return value;
  if (sliced->numElements() == 0)
    return x;
  auto [firsts, strides] = sliced->attributes<tx::SliceAttributes>();
  Shape begins(firsts.begin(), firsts.end()), ends, reversed, gaps;
  Shape none(x->rank(), 0), ones(x->rank(), 1);
  bool hasGaps = false;
  for (auto [d, stride] : llvm::enumerate(strides)) {
    int64_t last = firsts[d] + (sliced->shape()[d] - 1) * stride;
    if (stride < 0) {
      reversed.push_back(d);
      std::swap(begins[d], last);
    }
    ends.push_back(last + 1);
    gaps.push_back(std::abs(stride) - 1);
    hasGaps |= gaps.back() > 0;
  }
  if (!reversed.empty())
    value = flip(r, value, reversed);
  if (hasGaps) {
    // If the slice is strided, elements between its elements keep their values.
    NodeRef written = full(r, DType::I1, sliced->shape(), Scalar::of(true));
    NodeRef mask = pad(r, written, none, none, gaps, Scalar::of(false));
    NodeRef spread = pad(r, value, none, none, gaps,
                         full(r, x->dtype(), {}, Scalar::of(int64_t(0))));
    NodeRef before = slice(r, x, begins, ends, ones);
    if (!mask || !spread || !before)
      return {};
    value = elementwise(r, OpKind::Select, {mask, spread, before});
  }
  llvm::SmallVector<NodeRef> starts;
  for (int64_t begin : begins)
    starts.push_back(full(r, DType::I64, {}, Scalar::of(begin)));
  return dynamicUpdateSlice(r, x, value, starts);
}

bool checkUpdates(Recorder &r, const char *op, UpdateKind kind, DType dtype) {
  bool isArithmetic = kind == UpdateKind::Add || kind == UpdateKind::Mul;
  bool isExtremum = kind == UpdateKind::Min || kind == UpdateKind::Max;
  if (dtype == DType::I1 && isArithmetic)
    r.fail(op, "i1 can be set, and take a minimum or maximum");
  if (isComplex(dtype) && isExtremum)
    r.fail(op, "complex numbers have no order; they can be set, added and "
               "multiplied");
  return r.error.empty();
}

NodeRef applyUpdate(Recorder &r, const char *op, UpdateKind kind,
                    const NodeRef &before, const NodeRef &value) {
  constexpr OpKind ops[] = {OpKind::Select, OpKind::Add, OpKind::Mul,
                            OpKind::Min, OpKind::Max};
  if (!checkUpdates(r, op, kind, before->dtype()))
    return {};
  return kind == UpdateKind::Set
             ? value
             : elementwise(r, ops[static_cast<size_t>(kind)], {before, value});
}

NodeRef Indexer::update(UpdateKind kind, const Operand &value) {
  NodeRef v = fitValue(value);
  if (!v)
    return {};
  if (vectors)
    return putSlice(scatter(
        r, sliced, vectors, v,
        {kind, window, entries.gathered, entries.gathered, vectorDim()}));
  return putSlice(applyUpdate(r, op, kind, sliced, v));
}

NodeRef indexUpdate(Recorder &r, const NodeRef &x, IndexItems items,
                    UpdateKind kind, const Operand &value) {
  for (const IndexItem &item : items)
    if (item.kind == IndexItem::Tensor && item.tensor &&
        item.tensor->dtype() == DType::I1)
      return maskUpdate(r, x, items, kind, value);
  Indexer indexer(r, "at", x);
  return indexer.parse(items) ? indexer.update(kind, value) : NodeRef();
}

//===----------------------------------------------------------------------===//
// On top
//===----------------------------------------------------------------------===//

static IndexItem tensorItem(NodeRef tensor) {
  IndexItem item;
  item.kind = IndexItem::Tensor;
  item.tensor = std::move(tensor);
  return item;
}

static bool checkAxis(Recorder &r, const char *op, const Node &x,
                      int64_t &axis) {
  Shape axes;
  if (!normalizeAxes(r, op, x, axis, false, axes))
    return false;
  axis = axes[0];
  return true;
}

NodeRef take(Recorder &r, const NodeRef &x, const NodeRef &indices,
             std::optional<int64_t> axis) {
  if (!x || !indices)
    return r.fail("take", "an operand is an undefined tensor");
  NodeRef flat = axis ? x : reshape(r, x, -1);
  int64_t along = axis.value_or(0);
  if (!flat || !checkAxis(r, "take", *flat.get(), along))
    return {};
  // If the result has no elements, NumPy does not check the indices.
  Shape result(flat->shape());
  result.erase(result.begin() + along);
  result.insert(result.begin() + along, indices->shape().begin(),
                indices->shape().end());
  if (flat->shape()[along] == 0 && llvm::is_contained(result, 0) &&
      isIn(indices->dtype(), integerMask))
    return reshape(r, flat, result);
  llvm::SmallVector<IndexItem> items(along, IndexItem{IndexItem::Range});
  items.push_back(tensorItem(indices));
  Indexer indexer(r, "take", flat);
  return indexer.parse(items) ? indexer.read() : NodeRef();
}

NodeRef takeAlongAxis(Recorder &r, const NodeRef &x, const NodeRef &indices,
                      int64_t axis) {
  const char *op = "take_along_axis";
  if (!x || !indices)
    return r.fail(op, "an operand is an undefined tensor");
  if (!checkAxis(r, op, *x.get(), axis))
    return {};
  if (x->rank() != indices->rank())
    return r.fail(op, "indices " + shapeString(indices->shape()) +
                          " have another rank than " + shapeString(x->shape()));
  Shape ofX(x->shape().begin(), x->shape().end());
  Shape ofIndices(indices->shape().begin(), indices->shape().end()), common;
  ofX[axis] = ofIndices[axis] = 1;
  if (!broadcastShapes(r, op, ofX, ofIndices, common))
    return {};
  Shape shape = common;
  shape[axis] = x->shape()[axis];
  NodeRef whole = broadcastTo(r, x, shape);
  if (!whole)
    return {};
  llvm::SmallVector<IndexItem> items;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (d == static_cast<size_t>(axis)) {
      items.push_back(tensorItem(indices));
      continue;
    }
    Shape place(shape.size(), 1);
    place[d] = shape[d];
    items.push_back(tensorItem(iota(r, DType::I64, place, d)));
  }
  Indexer indexer(r, op, whole);
  return indexer.parse(items) ? indexer.read() : NodeRef();
}

NodeRef oneHot(Recorder &r, const NodeRef &indices, int64_t size, DType dtype) {
  const char *op = "one_hot";
  if (!indices)
    return r.fail(op, "the operand is an undefined tensor");
  if (!isIn(indices->dtype(), integerMask))
    return r.fail(op, "indices must be integers, not " +
                          llvm::Twine(dtypeName(indices->dtype())));
  if (size < 0)
    return r.fail(op, "negative size " + llvm::Twine(size));
  NodeRef at = fromFront(r, indices, size);
  at = at ? expandDims(r, at, -1) : at;
  NodeRef row = iota(r, DType::I64, size, 0);
  if (!at || !row)
    return {};
  return astype(r, elementwise(r, OpKind::Eq, {at, row}), dtype);
}

NodeRef flip(Recorder &r, const NodeRef &x, Ints axes) {
  if (!x)
    return r.fail("flip", "the operand is an undefined tensor");
  Shape normal;
  if (!normalizeAxes(r, "flip", *x.get(), axes, true, normal))
    return {};
  Shape open(x->rank(), openEnd), steps(x->rank(), 1);
  for (int64_t axis : normal)
    steps[axis] = -1;
  return slice(r, x, open, open, steps);
}

} // namespace tensorc::graph
