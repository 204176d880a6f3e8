//===- IndexingOps.cpp - ONNX's gathers and scatters ----------------------===//

#include "compiler/frontends/onnx/NodeImport.h"

#include "llvm/ADT/Sequence.h"

namespace tensorc::onnx {

/// Wraps negative indices, which count from the end of a dim of this size.
static Value wrapped(NodeImport &n, Value indices, Dim size) {
  if (n.isRefused())
    return Value();
  if (tx::isUnsigned(dtypeOf(indices)))
    return indices;
  Value end = n.scalar(size, dtypeOf(indices));
  return n.select(n.less(indices, 0), n.add(indices, end), indices);
}

/// For each element of `indices`, returns the position of that element with the
/// component along `axis` replaced by the element's value. The components lie
/// along a new last dim.
static Value placesAlong(NodeImport &n, Value indices, int64_t axis) {
  if (n.isRefused())
    return Value();
  SmallVector<Dim> dims(dimsOf(indices)), one(dims);
  one.push_back(1);
  SmallVector<Value> parts;
  for (int64_t d = 0; d < rankOf(indices); ++d) {
    Value own = d == axis ? n.convert(indices, DType::I64)
                          : n.iota(DType::I64, dims, d);
    parts.push_back(n.reshape(own, one));
  }
  return n.concatenate(parts, rankOf(indices));
}

/// Returns the index vectors that GatherElements and ScatterElements use for
/// each index, or null after an error.
static Value placesOf(NodeImport &n, Value x, Value indices) {
  if (n.isRefused())
    return Value();
  int64_t rank = rankOf(x), axis = n.axis(n.integer("axis", 0), rank);
  if (rankOf(indices) != rank)
    n.refuse("the indices have another rank than the data");
  if (n.isRefused())
    return Value();
  return placesAlong(n, wrapped(n, indices, dimsOf(x)[axis]), axis);
}

static void gatherElements(NodeImport &n) {
  Value x = n.in(0), indices = n.in(1);
  Value places = placesOf(n, x, indices);
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x);
  SmallVector<int64_t> sizes(rank, 1);
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  n.set(n.make<tx::GatherOp>(dtypeOf(x), x, places, ArrayRef<int64_t>(), all,
                             all, rank, sizes));
}

/// Wraps the negative components of index vectors, which are along the last
/// dim. They index the dims from `first` on.
static Value wrappedVectors(NodeImport &n, Value indices, Dims dims,
                            int64_t first, int64_t length) {
  if (n.isRefused())
    return Value();
  SmallVector<Dim> ends(dims.slice(first, length));
  Value end = n.convertLike(n.vector(ends), indices);
  return n.select(n.less(indices, 0), n.add(indices, end), indices);
}

static int64_t vectorLength(NodeImport &n, Value indices, int64_t maxLength) {
  if (n.isRefused())
    return 0;
  if (rankOf(indices) < 1)
    return n.refuse("the indices are a scalar"), 0;
  int64_t length = n.numberOf(dimsOf(indices).back(), "the length of an index");
  if (length > maxLength || length < 0)
    return n.refuse("an index has more components than the data dims"), 0;
  return length;
}

static void gatherND(NodeImport &n) {
  Value x = n.in(0), indices = n.in(1);
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x), batch = n.integer("batch_dims", 0);
  if (batch < 0 || batch >= rank || batch >= rankOf(indices))
    n.refuse("batch_dims is outside of the ranks");
  int64_t length = vectorLength(n, indices, rank - batch);
  Value places = wrappedVectors(n, indices, dimsOf(x), batch, length);
  if (n.isRefused())
    return;
  // The batch components of each index vector equal the position of the vector.
  int64_t last = rankOf(indices) - 1;
  SmallVector<Dim> one(dimsOf(indices));
  one[last] = 1;
  SmallVector<Value> parts;
  for (int64_t d = 0; d < batch; ++d)
    parts.push_back(n.iota(dtypeOf(indices), one, d));
  parts.push_back(places);
  places = n.concatenate(parts, last);
  SmallVector<int64_t> sizes(rank, -1), offsets;
  auto mapped = llvm::to_vector(llvm::seq<int64_t>(0, batch + length));
  for (int64_t dim : mapped)
    sizes[dim] = 1;
  for (int64_t d = batch + length; d < rank; ++d)
    offsets.push_back(last + d - batch - length);
  n.set(n.make<tx::GatherOp>(dtypeOf(x), x, places, offsets, mapped, mapped,
                             last, sizes));
}

static std::optional<tx::UpdateKind> updateKind(NodeImport &n) {
  StringRef kind = n.text("reduction", "none");
  if (kind == "none")
    return tx::UpdateKind::Set;
  if (auto known = tx::symbolizeUpdateKind(kind))
    return known;
  n.refuse("the reduction " + kind + " is unknown");
  return std::nullopt;
}

static void scatterElements(NodeImport &n) {
  Value x = n.in(0), indices = n.in(1), updates = n.in(2);
  auto kind = updateKind(n);
  Value places = placesOf(n, x, indices);
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x);
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  n.set(n.make<tx::ScatterOp>(dtypeOf(x), x, places, updates, *kind,
                              ArrayRef<int64_t>(), all, all, rank));
}

static void scatterND(NodeImport &n) {
  Value x = n.in(0), indices = n.in(1), updates = n.in(2);
  auto kind = updateKind(n);
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x), length = vectorLength(n, indices, rank);
  Value places = wrappedVectors(n, indices, dimsOf(x), 0, length);
  if (n.isRefused())
    return;
  int64_t last = rankOf(indices) - 1;
  auto mapped = llvm::to_vector(llvm::seq<int64_t>(0, length));
  auto window = llvm::to_vector(llvm::seq<int64_t>(last, last + rank - length));
  n.set(n.make<tx::ScatterOp>(dtypeOf(x), x, places, updates, *kind, window,
                              mapped, mapped, last));
}

/// Writes an update into a cache of keys or values.
static void tensorScatter(NodeImport &n) {
  Value cache = n.in(0), update = n.in(1), start = n.optional(2);
  if (n.isRefused())
    return;
  int64_t rank = rankOf(cache), axis = n.axis(n.integer("axis", -2), rank);
  if (n.isRefused() || rankOf(update) != rank || axis == 0) {
    n.refuse("the update has another rank than the cache, or the axis is the "
             "batch");
    return;
  }
  SmallVector<Dim> dims(dimsOf(update));
  Value place = n.iota(DType::I64, dims, axis);
  if (start) {
    SmallVector<Dim> along(rank, Dim(1));
    along[0] = dims[0];
    place = n.add(place, n.reshape(n.convert(start, DType::I64), along));
  }
  if (n.text("mode", "linear") == "circular")
    place = n.isRefused()
                ? Value()
                : n.map<tx::ModOp>(
                      {place, n.scalar(dimsOf(cache)[axis], DType::I64)});
  Value places = placesAlong(n, place, axis);
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  n.set(n.make<tx::ScatterOp>(dtypeOf(cache), cache, places, update,
                              tx::UpdateKind::Set, ArrayRef<int64_t>(), all,
                              all, rank));
}

static void oneHot(NodeImport &n) {
  Value indices = n.in(0), values = n.in(2);
  SmallVector<Dim> depth = n.sizes(
      n.isRefused() ? Value() : n.convert(n.in(1), DType::I64), "the depth");
  if (depth.size() != 1)
    n.refuse("the depth is not one number");
  if (n.isRefused())
    return;
  int64_t rank = rankOf(indices) + 1,
          axis = n.axis(n.integer("axis", -1), rank);
  if (n.isRefused())
    return;
  Value place = wrapped(n, n.convert(indices, DType::I64), depth[0]);
  SmallVector<Dim> dims(dimsOf(indices)), one(dims);
  dims.insert(dims.begin() + axis, depth[0]);
  one.insert(one.begin() + axis, Dim(1));
  Value at = n.equal(n.iota(DType::I64, dims, axis), n.reshape(place, one));
  Value off = n.reshape(n.part(values, 0, 0, 1), {}),
        on = n.reshape(n.part(values, 0, 1, 1), {});
  n.set(n.isRefused() ? Value() : n.select(at, on, off));
}

/// Selects the elements where a condition holds; their number must be known.
static void compress(NodeImport &n) {
  Value x = n.in(0), condition = n.in(1);
  auto known = n.isRefused() ? std::nullopt : n.known().numbers(condition);
  if (!known)
    n.refuse(
        "how many elements stay must be known before the model runs, and " +
        (n.isRefused() ? "" : n.whyUnknown(condition)));
  if (n.isRefused())
    return;
  bool isFlat = !n.attribute("axis");
  if (isFlat)
    x = n.reshape(x, {shape::product(dimsOf(x))});
  if (n.isRefused())
    return;
  int64_t axis = isFlat ? 0 : n.axis(n.integer("axis", 0), rankOf(x));
  SmallVector<Dim> kept;
  for (auto [i, holds] : llvm::enumerate(*known))
    if (holds)
      kept.push_back(static_cast<int64_t>(i));
  n.set(n.take(x, n.vector(kept), axis));
}

static void nonZero(NodeImport &n) {
  Value x = n.in(0);
  const reference::Array *array = n.isRefused() ? nullptr : n.known().array(x);
  if (!array) {
    n.refuse("how many elements are not 0 must be known before the model runs, "
             "and " +
             (n.isRefused() ? "" : n.whyUnknown(x)));
    return;
  }
  auto values = *n.known().reals(x);
  SmallVector<SmallVector<Dim>> found(array->shape.size());
  reference::forEachIndex(array->shape,
                          [&](int64_t position, ArrayRef<int64_t> at) {
                            if (values[position] != 0)
                              for (auto [list, index] : llvm::zip(found, at))
                                list.push_back(index);
                          });
  SmallVector<Value> rows;
  for (auto &list : found)
    rows.push_back(n.unsqueeze(n.vector(list), {0}));
  if (rows.empty())
    n.refuse("a scalar has no indices");
  n.set(n.isRefused() ? Value() : n.concatenate(rows, 0));
}

/// Reverses the first `lengths[i]` elements of each row i.
static void reverseSequence(NodeImport &n) {
  Value x = n.in(0), lengths = n.in(1);
  if (n.isRefused())
    return;
  int64_t time = n.axis(n.integer("time_axis", 0), rankOf(x)),
          batch = n.axis(n.integer("batch_axis", 1), rankOf(x));
  if (n.isRefused())
    return;
  SmallVector<Dim> dims(dimsOf(x));
  Value at = n.iota(DType::I64, dims, time);
  Value count = n.alongDim(n.convert(lengths, DType::I64), batch, rankOf(x));
  Value mirrored = n.sub(n.sub(count, 1), at);
  Value places =
      placesAlong(n, n.select(n.less(at, count), mirrored, at), time);
  SmallVector<int64_t> sizes(rankOf(x), 1);
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
  n.set(n.make<tx::GatherOp>(dtypeOf(x), x, places, ArrayRef<int64_t>(), all,
                             all, rankOf(x), sizes));
}

//===----------------------------------------------------------------------===//
// Parts of matrices
//===----------------------------------------------------------------------===//

static void trilu(NodeImport &n) {
  Value x = n.in(0);
  Value k = n.has(1) ? n.in(1) : n.full(0, DType::I64);
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x);
  if (rank < 2) {
    n.refuse("a matrix has rank 2");
    return;
  }
  SmallVector<Dim> dims(dimsOf(x));
  Value row = n.iota(DType::I64, dims, rank - 2),
        column = n.iota(DType::I64, dims, rank - 1);
  Value limit = n.add(row, n.reshape(k, {}));
  Value kept = n.integer("upper", 1) ? n.greaterOrEqual(column, limit)
                                     : n.lessOrEqual(column, limit);
  n.set(n.select(kept, x, n.full(0, dtypeOf(x))));
}

static void eyeLike(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  DType dtype = dtypeOf(x);
  if (n.attribute("dtype")) {
    auto given = dtypeFrom(n.integer("dtype", 0));
    if (!given) {
      n.refuse("tensorc does not have the dtype");
      return;
    }
    dtype = *given;
  }
  if (rankOf(x) != 2) {
    n.refuse("the input is not a matrix");
    return;
  }
  SmallVector<Dim> dims(dimsOf(x));
  Value row = n.iota(DType::I64, dims, 0), column = n.iota(DType::I64, dims, 1);
  n.set(n.convert(n.equal(column, n.add(row, n.integer("k", 0))), dtype));
}

/// Computes begin, begin + step, ... up to, but excluding, `end`.
static void range(NodeImport &n) {
  Value begin = n.in(0), end = n.in(1), step = n.in(2);
  if (n.isRefused())
    return;
  DType dtype = dtypeOf(begin);
  Dim count = Dim::none();
  const auto *first = n.known().sizes(begin), *last = n.known().sizes(end),
             *by = n.known().sizes(step);
  auto a = n.known().reals(begin), z = n.known().reals(end),
       s = n.known().reals(step);
  if (a && z && s && (*s)[0] != 0) {
    double length = std::ceil(((*z)[0] - (*a)[0]) / (*s)[0]);
    if (length < 1e15)
      count = std::max<int64_t>(0, static_cast<int64_t>(length));
  } else if (first && last && by && (*by)[0].number()) {
    Dim length = (*last)[0] - (*first)[0];
    int64_t width = *(*by)[0].number();
    if (width < 0)
      length = Dim(0) - length;
    if (width)
      count = shape::ceilDiv(length, std::abs(width));
    if (shape::isLess(count, 0) != false)
      count = shape::max(count, 0);
  }
  if (count.isNone()) {
    Value unknown = !a && !first ? begin : !z && !last ? end : step;
    n.refuse("how many numbers there are must be known before the model runs, "
             "and " +
             n.whyUnknown(unknown));
    return;
  }
  bool isHalf = tx::isFloat(dtype) && tx::byteWidth(dtype) == 2;
  DType wide = isHalf ? DType::F32 : dtype;
  Value place = n.iota(wide, {count}, 0);
  n.set(n.convert(n.add(n.mul(place, n.convert(n.reshape(step, {}), wide)),
                        n.convert(n.reshape(begin, {}), wide)),
                  dtype));
}

ArrayRef<OpVersion> indexingOps() {
  static constexpr OpVersion ops[] = {
      {"Compress", 9, compress},
      {"EyeLike", 9, eyeLike},
      {"GatherElements", 11, gatherElements},
      {"GatherND", 11, gatherND},
      {"NonZero", 9, nonZero},
      {"OneHot", 9, oneHot},
      {"Range", 11, range},
      {"ReverseSequence", 10, reverseSequence},
      {"Scatter", 9, scatterElements},
      {"ScatterElements", 11, scatterElements},
      {"ScatterND", 11, scatterND},
      {"TensorScatter", 24, tensorScatter},
      {"Trilu", 14, trilu},
  };
  return ops;
}

} // namespace tensorc::onnx
