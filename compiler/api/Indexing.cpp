//===- Indexing.cpp - Indices that are tensors, in the C interface --------===//

#include "compiler/api/Api.h"

#include "tensorc/indexing.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::IndexItem;
using graph::NodeRef;
using graph::Recorder;

/// The items; an unknown kind, or none where there should be some, is an error.
static std::optional<llvm::SmallVector<IndexItem>>
itemsOf(Recorder &r, const char *op, int32_t count,
        const tensorc_index_item *items) {
  llvm::SmallVector<IndexItem> result;
  if (count < 0 || (count > 0 && !items)) {
    r.fail(op, "the list of indices is missing");
    return std::nullopt;
  }
  for (const tensorc_index_item &item : llvm::ArrayRef(items, count)) {
    if (item.kind < TENSORC_INDEX_INTEGER || item.kind > TENSORC_INDEX_TENSOR) {
      r.fail(op, "unknown kind of index " +
                     llvm::Twine(static_cast<int>(item.kind)));
      return std::nullopt;
    }
    IndexItem made;
    made.kind = static_cast<IndexItem::Kind>(item.kind);
    made.start = item.start;
    made.stop = item.stop;
    made.step = item.step;
    if (item.kind == TENSORC_INDEX_TENSOR)
      made.tensor = refOf(item.tensor);
    result.push_back(made);
  }
  return result;
}

static bool check(Recorder &r, const char *op, tensorc_update_kind kind) {
  if (kind < TENSORC_UPDATE_SET || kind > TENSORC_UPDATE_MAX)
    r.fail(op, "unknown kind of update " + llvm::Twine(static_cast<int>(kind)));
  return r.error.empty();
}

tensorc_status *tensorc_index(const tensorc_tensor *x, int32_t count,
                              const tensorc_index_item *items,
                              tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        auto list = itemsOf(r, "index", count, items);
        return list ? graph::index(r, refOf(x), *list) : NodeRef();
      },
      "index");
}

tensorc_status *tensorc_index_update(const tensorc_tensor *x, int32_t count,
                                     const tensorc_index_item *items,
                                     tensorc_update_kind kind,
                                     tensorc_arg value, tensorc_location at,
                                     tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        auto list = itemsOf(r, "at", count, items);
        if (!list || !check(r, "at", kind))
          return {};
        return graph::indexUpdate(r, refOf(x), *list,
                                  static_cast<graph::UpdateKind>(kind),
                                  operandOf(r, value));
      },
      "at");
}

tensorc_status *tensorc_take(const tensorc_tensor *x,
                             const tensorc_tensor *indices, int64_t axis,
                             tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        auto along = axis == TENSORC_NONE ? std::nullopt : std::optional(axis);
        return graph::take(r, refOf(x), refOf(indices), along);
      },
      "take");
}

tensorc_status *tensorc_take_along_axis(const tensorc_tensor *x,
                                        const tensorc_tensor *indices,
                                        int64_t axis, tensorc_location at,
                                        tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::takeAlongAxis(r, refOf(x), refOf(indices), axis);
      },
      "take_along_axis");
}

tensorc_status *tensorc_one_hot(const tensorc_tensor *indices, int64_t size,
                                tensorc_dtype dtype, tensorc_location at,
                                tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (dtypeOf(dtype) == graph::DType::None)
          return r.fail("one_hot", "unknown dtype " +
                                       llvm::Twine(static_cast<int>(dtype)));
        return graph::oneHot(r, refOf(indices), size, dtypeOf(dtype));
      },
      "one_hot");
}

tensorc_status *tensorc_flip(const tensorc_tensor *x, int32_t count,
                             const int64_t *axes, tensorc_location at,
                             tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::flip(r, refOf(x), intsOf(r, "axes", count, axes));
      },
      "flip");
}

static graph::Ints windowDimsOf(Recorder &r,
                                const tensorc_gather_numbers &numbers) {
  return intsOf(r, "window_dims", numbers.num_window_dims, numbers.window_dims);
}
static graph::Ints droppedDimsOf(Recorder &r,
                                 const tensorc_gather_numbers &numbers) {
  return intsOf(r, "dropped_dims", numbers.num_dropped_dims,
                numbers.dropped_dims);
}
static graph::Ints mappedDimsOf(Recorder &r,
                                const tensorc_gather_numbers &numbers) {
  return intsOf(r, "mapped_dims", numbers.num_mapped_dims, numbers.mapped_dims);
}

tensorc_status *tensorc_gather(const tensorc_tensor *x,
                               const tensorc_tensor *indices,
                               const tensorc_gather_numbers *numbers,
                               const int64_t *slice_sizes, tensorc_location at,
                               tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        NodeRef operand = refOf(x);
        if (!numbers || !operand)
          return r.fail("gather", "an operand is an empty tensor");
        tx::GatherAttributes all{
            .offsetDims = windowDimsOf(r, *numbers),
            .collapsedSliceDims = droppedDimsOf(r, *numbers),
            .startIndexMap = mappedDimsOf(r, *numbers),
            .indexVectorDim = numbers->index_vector_dim,
            .sliceSizes =
                intsOf(r, "slice_sizes", operand->rank(), slice_sizes)};
        if (!r.error.empty())
          return {};
        return graph::gather(r, operand, refOf(indices), all);
      },
      "gather");
}

tensorc_status *tensorc_scatter(const tensorc_tensor *x,
                                const tensorc_tensor *indices,
                                const tensorc_tensor *updates,
                                tensorc_update_kind kind,
                                const tensorc_gather_numbers *numbers,
                                tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        if (!numbers)
          return r.fail("scatter", "the dimension numbers are missing");
        if (!check(r, "scatter", kind))
          return {};
        tx::ScatterAttributes all{
            .kind = static_cast<graph::UpdateKind>(kind),
            .updateWindowDims = windowDimsOf(r, *numbers),
            .insertedWindowDims = droppedDimsOf(r, *numbers),
            .scatterDimsToOperandDims = mappedDimsOf(r, *numbers),
            .indexVectorDim = numbers->index_vector_dim};
        if (!r.error.empty())
          return {};
        return graph::scatter(r, refOf(x), refOf(indices), refOf(updates), all);
      },
      "scatter");
}

tensorc_status *tensorc_nonzero(const tensorc_tensor *x, int64_t size,
                                int64_t fill, tensorc_location at,
                                tensorc_tensor **out) {
  Recorder r(locationOf(at), "nonzero");
  int32_t rank = x ? nodeOf(x)->rank() : 0;
  if (!checkList(r, "results", rank, out))
    return refusal(r);
  if (out)
    std::fill_n(out, x ? rank : 1, nullptr);
  llvm::SmallVector<NodeRef> indices = graph::nonzero(r, refOf(x), size, fill);
  if (!r.error.empty())
    return refusal(r);
  for (auto [node, handle] :
       llvm::zip(indices, llvm::MutableArrayRef(out, rank))) {
    node->becomeHandle();
    handle = handleOf(node.leak());
  }
  return nullptr;
}

tensorc_status *tensorc_masked_select(const tensorc_tensor *x,
                                      const tensorc_tensor *mask, int64_t size,
                                      tensorc_arg fill, tensorc_location at,
                                      tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) {
        return graph::maskedSelect(r, refOf(x), refOf(mask), size,
                                   operandOf(r, fill));
      },
      "masked_select");
}

/// None after an error.
static llvm::SmallVector<graph::Operand> startsOf(Recorder &r, int32_t count,
                                                  const tensorc_arg *starts) {
  llvm::SmallVector<graph::Operand> result;
  if (checkList(r, "starts", count, starts))
    for (const tensorc_arg &start : llvm::ArrayRef(starts, count))
      result.push_back(operandOf(r, start));
  return result;
}

tensorc_status *tensorc_dynamic_slice(const tensorc_tensor *x, int32_t count,
                                      const tensorc_arg *starts,
                                      const int64_t *sizes, tensorc_location at,
                                      tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        auto from = startsOf(r, count, starts);
        graph::Ints part = intsOf(r, "sizes", count, sizes);
        if (!r.error.empty())
          return {};
        return graph::dynamicSlice(r, refOf(x), from, part);
      },
      "dynamic_slice");
}

tensorc_status *tensorc_dynamic_update_slice(
    const tensorc_tensor *x, const tensorc_tensor *update, int32_t count,
    const tensorc_arg *starts, tensorc_location at, tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> NodeRef {
        auto from = startsOf(r, count, starts);
        if (!r.error.empty())
          return {};
        return graph::dynamicUpdateSlice(r, refOf(x), refOf(update), from);
      },
      "dynamic_update_slice");
}
