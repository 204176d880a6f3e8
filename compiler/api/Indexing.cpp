//===- Indexing.cpp - Indices that are tensors, in the C interface --------===//

#include "compiler/api/Api.h"

#include "tensorc/indexing.h"

#include "llvm/ADT/STLExtras.h"

using namespace tensorc;
using namespace tensorc::api;
using graph::IndexItem;
using graph::NodeRef;
using graph::Recorder;

/// Returns the items. Unknown kinds and a missing list are errors.
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

static bool isMask(const tensorc_index_item &item) {
  return item.kind == TENSORC_INDEX_TENSOR &&
         tensorc_tensor_dtype(item.tensor) == TENSORC_I1;
}

/// Records x[items] for items with a mask. The number of selected elements is
/// read on first use.
static tensorc_status *indexByMask(const tensorc_tensor *x, int32_t count,
                                   const tensorc_index_item *items,
                                   tensorc_location at, tensorc_tensor **out) {
  Recorder r(locationOf(at), "index");
  auto list = itemsOf(r, "index", count, items);
  if (!list)
    return refusal(r);
  NodeRef from = refOf(x), mask;
  for (const IndexItem &item : *list)
    if (item.tensor && item.tensor->dtype() == graph::DType::I1)
      mask = item.tensor;
  std::optional<unsigned> rank = graph::maskIndexRank(r, from, *list);
  if (!rank || !checkCountable(r, mask))
    return refusal(r);
  *out = (new Deferred("index", r.location, from->dtype(), *rank,
                       std::make_shared<Selection>(mask),
                       [from, list = *std::move(list)](Recorder &r,
                                                       const NodeRef &places) {
                         return graph::maskIndex(r, from, list, places);
                       }))
             ->handle();
  return nullptr;
}

tensorc_status *tensorc_index(const tensorc_tensor *x, int32_t count,
                              const tensorc_index_item *items,
                              tensorc_location at, tensorc_tensor **out) {
  if (out && items && count > 0 &&
      llvm::any_of(llvm::ArrayRef(items, count), isMask)) {
    *out = nullptr;
    return indexByMask(x, count, items, at, out);
  }
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
                                     const tensorc_arg *value,
                                     tensorc_location at,
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
          return r.fail("gather", "an operand is an undefined tensor");
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
