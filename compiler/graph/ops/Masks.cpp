//===- Masks.cpp - Indexing by boolean masks ------------------------------===//
//
// The number of elements that a mask selects is known only when the kernel
// runs. An update with one value does not need it: it is a select over all
// elements. In an update with a value per selected element, the k-th true
// element takes value k, and a check compares the counts. For a read the caller
// fixes the number of results. It either counts the true elements first, or
// chooses a number; then surplus elements are dropped and missing ones are
// filled in.
//
//===----------------------------------------------------------------------===//

#include "compiler/graph/CustomCalls.h"
#include "compiler/graph/ops/Builders.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::graph {

/// Returns the only mask among the items. Reports an error if there are several
/// masks, or a mask and index tensors.
static const IndexItem *maskOf(Recorder &r, const char *op, IndexItems items) {
  const IndexItem *mask = nullptr;
  for (const IndexItem &item : items) {
    if (item.kind != IndexItem::Tensor)
      continue;
    if (mask || !item.tensor || item.tensor->dtype() != DType::I1) {
      r.fail(op, "a boolean mask beside another index tensor; use nonzero");
      return nullptr;
    }
    mask = &item;
  }
  return mask;
}

namespace {
/// The position of the mask in x[items] if the mask is replaced by whole
/// ranges.
struct MaskPlace {
  llvm::SmallVector<IndexItem> items;
  /// The mask's first dim in x and in x[items].
  size_t dim = 0, resultDim = 0;
  /// NumPy's rule for mixed indices: integers count as index tensors, and if
  /// other items separate the index tensors, their axis comes first in the
  /// result.
  bool isInFront = false;
};
} // namespace

static MaskPlace placeOf(const Node &x, IndexItems items,
                         const IndexItem &mask) {
  MaskPlace place;
  size_t used = 0;
  for (const IndexItem &item : items)
    used += &item == &mask ? mask.tensor->rank()
                           : item.kind == IndexItem::Integer ||
                                 item.kind == IndexItem::Range;
  size_t skipped = used < x.rank() ? x.rank() - used : 0;
  size_t dim = 0, resultDim = 0, runs = 0;
  bool inRun = false;
  for (const IndexItem &item : items) {
    bool isAdvanced = &item == &mask || item.kind == IndexItem::Integer;
    runs += isAdvanced && !inRun;
    inRun = isAdvanced;
    if (&item == &mask) {
      place.dim = dim;
      place.resultDim = resultDim;
      place.items.append(mask.tensor->rank(), IndexItem{IndexItem::Range});
      dim += mask.tensor->rank();
      resultDim += mask.tensor->rank();
      continue;
    }
    place.items.push_back(item);
    if (item.kind == IndexItem::Ellipsis) {
      dim += skipped;
      resultDim += skipped;
    }
    dim += item.kind == IndexItem::Integer || item.kind == IndexItem::Range;
    resultDim +=
        item.kind == IndexItem::NewAxis || item.kind == IndexItem::Range;
  }
  place.isInFront = runs > 1;
  return place;
}

/// Returns the values along an axis such that each true element of the mask
/// selects one, in order; at the other elements the values are arbitrary.
/// Changes `mask` so that it also depends on the run-time check that the counts
/// agree.
static NodeRef spread(Recorder &r, NodeRef values, size_t axis,
                      const MaskPlace &place, NodeRef &mask) {
  int64_t count = values->shape()[axis];
  Shape dims(mask->shape());
  NodeRef flat = reshape(r, mask, -1);
  NodeRef total = flat ? reduce(r, OpKind::Sum, flat, {}, false) : flat;
  total = total ? throughFunction(r, "x[mask] = values", total,
                                  std::to_string(count).c_str())
                : total;
  NodeRef isRight =
      total ? elementwise(r, OpKind::Ge, {total, Scalar::of(int64_t(0))})
            : total;
  NodeRef number =
      isRight ? scan(r, OpKind::Cumsum, flat, 0, false, /*exclusive=*/true)
              : isRight;
  number = number ? reshape(r, number, dims) : number;
  if (!number)
    return {};
  // No element is read, but an axis of size 0 has no valid index.
  if (count == 0) {
    Shape one(values->shape());
    one[axis] = 1;
    values = full(r, values->dtype(), one, Scalar::of(int64_t(0)));
  }
  NodeRef all = take(r, values, number, axis);
  mask = elementwise(r, OpKind::And, {mask, isRight});
  if (!all || axis == place.resultDim)
    return all;
  // The axis that NumPy puts in front is replaced by the dims of the mask.
  llvm::SmallVector<int64_t> order(all->rank());
  size_t rank = dims.size(), next = rank;
  for (size_t d = 0; d < order.size(); ++d)
    order[d] = d >= place.resultDim && d < place.resultDim + rank
                   ? d - place.resultDim
                   : next++;
  return transpose(r, all, order);
}

/// Reports `a value of [2,3] does not fit into [n,4], ...`.
static NodeRef failToFit(Recorder &r, const char *op, Ints value, Ints selected,
                         size_t axis) {
  std::string text;
  for (auto [d, size] : llvm::enumerate(selected))
    text += (d ? "," : "") + (d == axis ? "n" : std::to_string(size));
  return r.fail(op, "a value of " + shapeString(value) +
                        " does not fit into [" + text +
                        "], n for the true elements of the mask");
}

/// Converts the value to the dtype, with dims of 1 in place of the mask's. If
/// it has one element per true position, it is spread over the mask's dims, and
/// `where` then also depends on the check that the counts agree.
static NodeRef fitValue(Recorder &r, const char *op, const Operand &value,
                        const NodeRef &before, const MaskPlace &place,
                        NodeRef &where) {
  if (!checkKeepsKind(r, op, value, before->dtype()))
    return {};
  if (value.isScalar)
    return full(r, before->dtype(), {}, value.scalar);
  size_t maskRank = where->rank(), axis = place.isInFront ? 0 : place.resultDim;
  Shape shape(before->shape().begin(), before->shape().end()), selected = shape;
  auto cut = [&](Shape &dims, size_t count, size_t at) {
    dims.erase(dims.begin() + place.resultDim,
               dims.begin() + place.resultDim + maskRank);
    dims.insert(dims.begin() + at, count, 1);
  };
  cut(selected, 1, axis);
  cut(shape, maskRank, place.resultDim);
  Ints own = value.node->shape();
  while (own.size() > selected.size() && own.front() == 1)
    own = own.drop_front();
  size_t dimsAfter = selected.size() - axis;
  bool isForEach = own.size() >= dimsAfter && own[own.size() - dimsAfter] != 1;
  if (isForEach)
    selected[axis] = own[own.size() - dimsAfter];
  Shape common;
  Recorder scratch(r.location);
  if (!broadcastShapes(scratch, op, own, selected, common) ||
      common != selected ||
      (isForEach && selected[axis] > where->numElements()))
    return failToFit(r, op, value.node->shape(), selected, axis);
  NodeRef v = reshape(r, value.node, own);
  v = broadcastTo(r, astype(r, v, before->dtype()), selected);
  return isForEach ? spread(r, v, axis, place, where) : reshape(r, v, shape);
}

NodeRef maskUpdate(Recorder &r, const NodeRef &x, IndexItems items,
                   UpdateKind kind, const Operand &value) {
  const char *op = "at";
  const IndexItem *mask = maskOf(r, op, items);
  if (!mask)
    return {};
  if (!x || (!value.isScalar && !value.node))
    return r.fail(op, "an operand is an undefined tensor");
  size_t rank = mask->tensor->rank();
  MaskPlace place = placeOf(*x.get(), items, *mask);
  NodeRef before = index(r, x, place.items);
  if (!before)
    return {};
  if (mask->tensor->shape() != x->shape().slice(place.dim, rank))
    return r.fail(op, "a mask of " + shapeString(mask->tensor->shape()) +
                          " does not fit to dimension " +
                          llvm::Twine(place.dim) + " of " +
                          shapeString(x->shape()));
  NodeRef where = mask->tensor,
          v = fitValue(r, op, value, before, place, where);
  Shape shape(before->rank(), 1);
  llvm::copy(mask->tensor->shape(), shape.begin() + place.resultDim);
  where = v ? reshape(r, where, shape) : NodeRef();
  NodeRef updated = where ? applyUpdate(r, op, kind, before, v) : NodeRef();
  if (!updated)
    return {};
  NodeRef result = elementwise(r, OpKind::Select, {where, updated, before});
  return result ? indexUpdate(r, x, place.items, UpdateKind::Set, result)
                : NodeRef();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Returns the positions of the first `size` true elements of the flat mask, in
/// order, padded with -1. Each true element writes its position to the index
/// given by the number of true elements before it; the others write out of
/// bounds.
static NodeRef places(Recorder &r, const NodeRef &mask, int64_t size) {
  NodeRef count = scan(r, OpKind::Cumsum, mask, 0, false, /*exclusive=*/true);
  NodeRef nowhere = full(r, DType::I64, {size}, Scalar::of(int64_t(-1)));
  NodeRef all = iota(r, DType::I64, mask->shape(), 0);
  if (!count || !nowhere || !all)
    return {};
  NodeRef target =
      elementwise(r, OpKind::Select, {mask, count, Scalar::of(int64_t(-1))});
  const int64_t first = 0;
  return scatter(r, nowhere, target, all,
                 {.kind = UpdateKind::Set,
                  .updateWindowDims = {},
                  .insertedWindowDims = first,
                  .scatterDimsToOperandDims = first,
                  .indexVectorDim = 1});
}

NodeRef indexAlong(Recorder &r, const NodeRef &places, Ints shape, size_t dim) {
  // Avoids a division by 0 for sizes of 0.
  auto extent = [](int64_t size) { return std::max<int64_t>(size, 1); };
  int64_t below = 1;
  for (int64_t size : shape.drop_front(dim + 1))
    below *= extent(size);
  NodeRef row = below == 1
                    ? places
                    : elementwise(r, OpKind::Div, {places, Scalar::of(below)});
  return dim == 0 || !row ? row
                          : elementwise(r, OpKind::Rem,
                                        {row, Scalar::of(extent(shape[dim]))});
}

std::pair<NodeRef, NodeRef> maskPlaces(Recorder &r, const NodeRef &mask) {
  NodeRef flat = reshape(r, mask, -1);
  if (!flat)
    return {};
  return {places(r, flat, mask->numElements()),
          reduce(r, OpKind::Sum, flat, {}, false)};
}

/// Returns the items with the mask replaced by other items.
static llvm::SmallVector<IndexItem>
withoutMask(IndexItems items, const IndexItem &mask,
            llvm::ArrayRef<NodeRef> indices) {
  llvm::SmallVector<IndexItem> result;
  for (const IndexItem &item : items) {
    if (&item != &mask) {
      result.push_back(item);
      continue;
    }
    for (const NodeRef &index : indices) {
      IndexItem made{IndexItem::Tensor};
      made.tensor = index;
      result.push_back(std::move(made));
    }
  }
  return result;
}

/// Returns the first mask among the items.
static const IndexItem *firstMask(IndexItems items) {
  return llvm::find_if(items, [](const IndexItem &item) {
    return item.kind == IndexItem::Tensor && item.tensor &&
           item.tensor->dtype() == DType::I1;
  });
}

std::optional<unsigned> maskIndexRank(Recorder &r, const NodeRef &x,
                                      IndexItems items) {
  const char *op = "index";
  const IndexItem *mask = firstMask(items);
  const NodeRef &m = mask->tensor;
  if (!x) {
    r.fail(op, "the operand is an undefined tensor");
    return std::nullopt;
  }
  if (m->rank() == 0) {
    r.fail(op, "a mask of rank 0 has no dimension to select from");
    return std::nullopt;
  }
  size_t dim = placeOf(*x.get(), items, *mask).dim;
  if (dim + m->rank() > x->rank() ||
      m->shape() != x->shape().slice(dim, m->rank())) {
    r.fail(op, "a mask of " + shapeString(m->shape()) +
                   " does not fit to dimension " + llvm::Twine(dim) + " of " +
                   shapeString(x->shape()));
    return std::nullopt;
  }
  if (items.size() == 1)
    return x->rank() - m->rank() + 1;
  // Checks the other items, and determines the rank, with a single index in
  // place of the mask.
  NodeRef one =
      full(r, DType::I64, {m->numElements() > 0}, Scalar::of(int64_t(0)));
  llvm::SmallVector<NodeRef> indices(m->rank(), one);
  NodeRef part = index(r, x, withoutMask(items, *mask, indices));
  return part ? std::optional(part->rank()) : std::nullopt;
}

NodeRef maskIndex(Recorder &r, const NodeRef &x, IndexItems items,
                  const NodeRef &places) {
  const IndexItem *mask = firstMask(items);
  Ints shape = mask->tensor->shape();
  if (items.size() == 1) {
    Shape rows{mask->tensor->numElements()};
    llvm::append_range(rows, x->shape().drop_front(shape.size()));
    NodeRef all = reshape(r, x, rows);
    return all ? take(r, all, places, 0) : all;
  }
  llvm::SmallVector<NodeRef> indices;
  for (size_t d = 0; d < shape.size(); ++d)
    indices.push_back(indexAlong(r, places, shape, d));
  return index(r, x, withoutMask(items, *mask, indices));
}

static bool checkSize(Recorder &r, const char *op, int64_t size) {
  if (size < 0)
    r.fail(op, "negative size " + llvm::Twine(size));
  return size >= 0;
}

llvm::SmallVector<NodeRef> nonzero(Recorder &r, const NodeRef &x, int64_t size,
                                   int64_t fill) {
  const char *op = "nonzero";
  if (!x)
    r.fail(op, "the operand is an undefined tensor");
  else if (x->rank() == 0)
    r.fail(
        op,
        "a scalar has no dimension that indices are along; reshape it to [1]");
  if (!r.error.empty() || !checkSize(r, op, size))
    return {};
  NodeRef mask = reshape(r, astype(r, x, DType::I1), -1);
  NodeRef at = mask ? places(r, mask, size) : NodeRef();
  if (!at)
    return {};
  NodeRef none = elementwise(r, OpKind::Lt, {at, Scalar::of(int64_t(0))});
  llvm::SmallVector<NodeRef> result;
  for (size_t d = 0; d < x->rank() && none; ++d) {
    NodeRef place = indexAlong(r, at, x->shape(), d);
    if (!place)
      return {};
    result.push_back(
        elementwise(r, OpKind::Select, {none, Scalar::of(fill), place}));
  }
  return result;
}

NodeRef maskedSelect(Recorder &r, const NodeRef &x, const NodeRef &mask,
                     int64_t size, const Operand &fill) {
  const char *op = "masked_select";
  if (!x || !mask || (!fill.isScalar && !fill.node))
    return r.fail(op, "an operand is an undefined tensor");
  if (mask->dtype() != DType::I1)
    return r.fail(op, llvm::Twine("the mask is ") + dtypeName(mask->dtype()) +
                          ", not i1");
  if (mask->rank() > x->rank() ||
      mask->shape() != x->shape().take_front(mask->rank()))
    return r.fail(op, "a mask of " + shapeString(mask->shape()) +
                          " does not fit to the first dimensions of " +
                          shapeString(x->shape()));
  if (!checkSize(r, op, size) || !checkKeepsKind(r, op, fill, x->dtype()))
    return {};
  Ints rest = x->shape().drop_front(mask->rank());
  Shape rows{mask->numElements()}, shape{size}, column(rest.size() + 1, 1);
  rows.append(rest.begin(), rest.end());
  shape.append(rest.begin(), rest.end());
  column[0] = size;
  NodeRef filling = fill.isScalar ? full(r, x->dtype(), {}, fill.scalar)
                                  : astype(r, NodeRef(fill.node), x->dtype());
  filling = filling ? broadcastTo(r, filling, shape) : filling;
  NodeRef flat = reshape(r, mask, -1);
  if (!filling || !flat || rows[0] == 0)
    return filling;
  NodeRef at = places(r, flat, size);
  NodeRef all = at ? reshape(r, x, rows) : at;
  NodeRef read = all ? take(r, all, at, 0) : all;
  NodeRef none =
      read ? elementwise(r, OpKind::Lt, {at, Scalar::of(int64_t(0))}) : read;
  none = none ? reshape(r, none, column) : none;
  return none ? elementwise(r, OpKind::Select, {none, filling, read}) : none;
}

} // namespace tensorc::graph
