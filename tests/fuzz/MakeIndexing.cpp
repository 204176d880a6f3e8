//===- MakeIndexing.cpp - Random gathers, scatters and slices -------------===//

#include "tests/fuzz/Generator.h"

using namespace mlir;

namespace tensorc::fuzz {

/// Index vectors for an operand, in StableHLO's numbers.
struct Generator::Vectors {
  Value indices;
  int64_t vectorDim;
  /// The dims of the indices without the vectors'.
  Dims batch;
  /// Dims of the operand: where the vectors point, and which slices lose.
  SmallVector<int64_t> mapped, dropped;
  /// Which dims of the result (or the updates) run over a slice.
  SmallVector<int64_t> window;
  /// Of a slice, -1 for a whole dim; and the dims of those that stay.
  SmallVector<int64_t> sizes;
  Dims sliced;

  /// Batch and slice together.
  Dims all() const {
    Dims dims;
    for (size_t next = 0, b = 0, d = 0; d < batch.size() + window.size(); ++d) {
      bool isWindow = llvm::is_contained(window, d);
      dims.push_back(isWindow ? sliced[next++] : batch[b++]);
    }
    return dims;
  }
};

/// Sizes of slices that fit in every run; the dims become the slices'.
SmallVector<int64_t> Generator::sliceSizes(Dims &dims, bool keepWhole) {
  SmallVector<int64_t> sizes;
  for (Dim &dim : dims) {
    if (keepWhole && chance(50)) {
      sizes.push_back(-1);
      continue;
    }
    sizes.push_back(pick(std::min<int64_t>(leastOf(dim), 5) + 1));
    dim = Dim(sizes.back());
  }
  return sizes;
}

/// Any exact value as index vectors: along a dim that is short enough to be
/// one, else every element is a vector of its own.
std::optional<Generator::Vectors> Generator::drawVectors(const Entry &x) {
  Maybe indices = asIndices(any());
  if (!indices)
    return std::nullopt;
  Dims dims = dimsOf(x);
  int64_t rank = dims.size();
  Vectors v{indices->value, 0, dimsOf(*indices), {}, {}, {}, {}, {}};
  v.vectorDim = v.batch.size();
  int64_t components = 1;
  for (auto [d, dim] : llvm::enumerate(v.batch)) {
    std::optional<int64_t> constant = dim.number();
    if (constant && *constant <= rank && chance(60)) {
      components = *constant;
      v.vectorDim = d;
    }
  }
  if (v.vectorDim < int64_t(v.batch.size()))
    v.batch.erase(v.batch.begin() + v.vectorDim);
  if (components > rank || v.batch.size() > 3)
    return std::nullopt;
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  for (size_t i = order.size(); i-- > 1;)
    std::swap(order[i], order[pick(i + 1)]);
  v.mapped.assign(order.begin(), order.begin() + components);
  v.sliced = dims;
  v.sizes = sliceSizes(v.sliced, /*keepWhole=*/true);
  for (int64_t d = rank; d-- > 0;)
    if (leastOf(dims[d]) > 0 && chance(50)) {
      v.dropped.insert(v.dropped.begin(), d);
      v.sizes[d] = 1;
      v.sliced.erase(v.sliced.begin() + d);
    }
  // The slices' dims lie anywhere among the others.
  int64_t total = v.batch.size() + v.sliced.size();
  for (int64_t d = 0, left = v.sliced.size(); d < total && left > 0; ++d)
    if (pick(total - d) < left) {
      v.window.push_back(d);
      --left;
    }
  return v;
}

/// Rows of x, as take along the first axis reads them.
Generator::Maybe Generator::makeRows() {
  Entry x = any();
  Maybe i = asIndices(any());
  Dims dims = dimsOf(x);
  if (dims.empty() || !i || leastOf(dims[0]) == 0)
    return std::nullopt;
  Dims result = dimsOf(*i);
  int64_t batch = result.size();
  result.append(dims.begin() + 1, dims.end());
  if (result.size() > 4 || elementsOf(result) > 20000)
    return std::nullopt;
  SmallVector<int64_t> sizes(dims.size(), -1);
  sizes[0] = 1;
  auto offsets = llvm::to_vector(llvm::seq<int64_t>(batch, result.size()));
  return finish(
      tx::GatherOp::create(builder, loc, tx::tensorType(result, elementOf(x)),
                           x.value, i->value, offsets, ArrayRef<int64_t>(0),
                           ArrayRef<int64_t>(0), batch, sizes),
      x.limit, x.error, false);
}

Generator::Maybe Generator::makeGather() {
  Entry x = any();
  std::optional<Vectors> v = drawVectors(x);
  if (!v)
    return std::nullopt;
  Dims result = v->all();
  if (result.size() > 5 || elementsOf(result) > 20000)
    return std::nullopt;
  return finish(tx::GatherOp::create(builder, loc,
                                     tx::tensorType(result, elementOf(x)),
                                     x.value, v->indices, v->window, v->dropped,
                                     v->mapped, v->vectorDim, v->sizes),
                x.limit, x.error, false);
}

Generator::Maybe Generator::makeScatter() {
  static constexpr tx::UpdateKind kinds[] = {
      tx::UpdateKind::Set, tx::UpdateKind::Min, tx::UpdateKind::Max,
      tx::UpdateKind::Add, tx::UpdateKind::Mul};
  Entry x = any();
  std::optional<Vectors> v = drawVectors(x);
  if (!v)
    return std::nullopt;
  Dims dims = v->all();
  if (dims.size() > 5 || elementsOf(dims) > 5000)
    return std::nullopt;
  auto type = tx::tensorType(dims, elementOf(x));
  Maybe updates;
  if (!isBool(x) && !dims.empty() && chance(50)) {
    int64_t dim = pick(dims.size());
    Value ramp = tx::IotaOp::create(builder, loc, type, dim);
    updates = finish(ramp, sizeOf(dims[dim]), 0, false);
  } else if ((updates = fitDType(any(), elementOf(x)))) {
    updates = fitDims(*updates, dims);
  }
  if (!updates)
    return std::nullopt;
  int64_t kind = pick(isBool(x) ? 3 : 5);
  bool bothExact = isExact(x) && isExact(*updates);
  double limit = std::max(x.limit, updates->limit);
  double error = std::max(x.error, updates->error);
  if (kind >= 3 && !bothExact)
    return std::nullopt; // Each update rounds on its own.
  if (kind >= 3)
    limit = infinity;
  return finish(tx::ScatterOp::create(builder, loc, x.value.getType(), x.value,
                                      v->indices, updates->value, kinds[kind],
                                      v->window, v->dropped, v->mapped,
                                      v->vectorDim),
                limit, error, false);
}

Generator::Maybe Generator::makeDynamicSlice() {
  Entry x = any();
  Dims dims = dimsOf(x);
  SmallVector<int64_t> sizes = sliceSizes(dims, /*keepWhole=*/true);
  SmallVector<Value> starts;
  for (size_t d = 0; d < dims.size(); ++d) {
    Maybe start = scalarIndex();
    if (!start)
      return std::nullopt;
    starts.push_back(start->value);
  }
  return finish(tx::DynamicSliceOp::create(builder, loc,
                                           tx::tensorType(dims, elementOf(x)),
                                           x.value, starts, sizes),
                x.limit, x.error, false);
}

/// A part of another value put into x.
Generator::Maybe Generator::makeDynamicUpdateSlice() {
  Entry x = any();
  Maybe y = fit(partner(x), x);
  if (!y)
    return std::nullopt;
  Dims dims = dimsOf(x);
  SmallVector<int64_t> sizes = sliceSizes(dims, /*keepWhole=*/true);
  SmallVector<Value> starts[2];
  for (size_t d = 0; d < dims.size(); ++d)
    for (SmallVector<Value> &list : starts) {
      Maybe start = scalarIndex();
      if (!start)
        return std::nullopt;
      list.push_back(start->value);
    }
  Value update = tx::DynamicSliceOp::create(builder, loc,
                                            tx::tensorType(dims, elementOf(x)),
                                            y->value, starts[0], sizes);
  return finish(
      tx::DynamicUpdateSliceOp::create(builder, loc, x.value.getType(), x.value,
                                       update, starts[1]),
      std::max(x.limit, y->limit), std::max(x.error, y->error), false);
}

} // namespace tensorc::fuzz
