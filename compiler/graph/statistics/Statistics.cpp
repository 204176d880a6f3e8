//===- Statistics.cpp - Recording statistics and histograms ---------------===//

#include "compiler/graph/statistics/Statistics.h"
#include "compiler/graph/ops/MatmulPrecision.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <limits>

namespace tensorc::graph {

namespace {
/// Short names for recording arithmetic.
struct Arithmetic {
  Recorder &r;

  NodeRef operator()(OpKind op, std::initializer_list<Operand> x) const {
    return elementwise(r, op, llvm::ArrayRef<Operand>(x.begin(), x.size()));
  }
  NodeRef add(const Operand &x, const Operand &y) const {
    return (*this)(OpKind::Add, {x, y});
  }
  NodeRef sub(const Operand &x, const Operand &y) const {
    return (*this)(OpKind::Sub, {x, y});
  }
  NodeRef mul(const Operand &x, const Operand &y) const {
    return (*this)(OpKind::Mul, {x, y});
  }
  NodeRef div(const Operand &x, const Operand &y) const {
    return (*this)(OpKind::Div, {x, y});
  }
  NodeRef select(const Operand &p, const Operand &x, const Operand &y) const {
    return (*this)(OpKind::Select, {p, x, y});
  }
  /// Returns x[from:to] along an axis that is counted from the front.
  NodeRef part(const NodeRef &x, int64_t axis, int64_t from, int64_t to) const {
    return sliceInDim(r, x, axis, from, to);
  }
  NodeRef flat(const NodeRef &x) const { return reshape(r, x, int64_t(-1)); }
};
Scalar whole(int64_t value) { return Scalar::of(value); }
} // namespace

static bool needTensor(Recorder &r, const char *name, const NodeRef &x) {
  if (!x)
    r.fail(name, "an operand is an undefined tensor");
  return r.error.empty();
}

static bool needIntegers(Recorder &r, const char *name, const NodeRef &x) {
  if (needTensor(r, name, x) && !isIn(x->dtype(), integerMask))
    r.fail(name, llvm::Twine("dtype must be an integer, not ") +
                     dtypeName(x->dtype()));
  return r.error.empty();
}

static bool needVector(Recorder &r, const char *name, const NodeRef &x,
                       int64_t least) {
  if (needTensor(r, name, x) && (x->rank() != 1 || x->shape()[0] < least))
    r.fail(name, "needs a vector of at least " + llvm::Twine(least) +
                     " elements, not " + shapeString(x->shape()));
  return r.error.empty();
}

//===----------------------------------------------------------------------===//
// Quantiles
//===----------------------------------------------------------------------===//

/// Returns the position of quantile q in n sorted elements, which may be
/// between two of them or outside. R. J. Hyndman and Y. Fan, "Sample Quantiles
/// in Statistical Packages", 1996, describe all methods but the first five.
static NodeRef placeOf(Recorder &r, const char *name, const NodeRef &q,
                       const Operand &n, const Operand &last,
                       llvm::StringRef method) {
  Arithmetic w{r};
  auto up = [&](const NodeRef &x) { return w(OpKind::Ceil, {x}); };
  auto down = [&](const NodeRef &x) { return w(OpKind::Floor, {x}); };
  auto plus = [&](const NodeRef &x, double y) {
    return w.add(x, Scalar::of(y));
  };
  auto half = [&](const NodeRef &x) { return w.mul(x, Scalar::of(0.5)); };
  NodeRef inner = w.mul(q, last);
  NodeRef share = w.mul(q, n), count = plus(share, -1);
  if (!inner || !count)
    return {};
  if (method == "linear")
    return inner;
  if (method == "lower")
    return down(inner);
  if (method == "higher")
    return up(inner);
  if (method == "nearest")
    return w(OpKind::RoundEven, {inner});
  if (method == "midpoint")
    return half(w.add(down(inner), up(inner)));
  if (method == "inverted_cdf")
    return up(count);
  if (method == "averaged_inverted_cdf")
    return half(w.add(plus(down(count), 1), up(count)));
  if (method == "closest_observation") {
    // At the midpoint of two elements, takes the element at an even position,
    // counted from 1.
    NodeRef middle = plus(count, -0.5), least = up(middle);
    NodeRef pair = half(least);
    NodeRef isEven = w(OpKind::And, {w(OpKind::Eq, {least, middle}),
                                     w(OpKind::Eq, {down(pair), pair})});
    return w.select(isEven, plus(least, 1), least);
  }
  using Pair = std::pair<double, double>;
  auto letters = llvm::StringSwitch<std::optional<Pair>>(method)
                     .Case("interpolated_inverted_cdf", Pair(0, 1))
                     .Case("hazen", Pair(0.5, 0.5))
                     .Case("weibull", Pair(0, 0))
                     .Case("median_unbiased", Pair(1 / 3.0, 1 / 3.0))
                     .Case("normal_unbiased", Pair(3 / 8.0, 3 / 8.0))
                     .Default(std::nullopt);
  if (!letters)
    return r.fail(
        name,
        "the method is linear, lower, higher, nearest, midpoint, inverted_cdf, "
        "averaged_inverted_cdf, closest_observation, "
        "interpolated_inverted_cdf, hazen, weibull, median_unbiased or "
        "normal_unbiased, not '" +
            method + "'");
  // The position is n q + alpha + q (1 - alpha - beta) - 1 in the paper's
  // notation. The order of operations is NumPy's, because rounding decides
  // whether a position is exactly that of an element.
  auto [alpha, beta] = *letters;
  NodeRef rest = w.mul(q, Scalar::of(1 - alpha - beta));
  return plus(w.add(share, plus(rest, alpha)), -1);
}

/// True if the method's position is always that of an element.
static bool isOfElements(llvm::StringRef method) {
  return llvm::is_contained(
      llvm::ArrayRef<llvm::StringRef>{"lower", "higher", "nearest",
                                      "inverted_cdf", "closest_observation"},
      method);
}

/// Interpolates from a to b at t; exact at t = 0 and 1 and for a = b. If an end
/// is infinite, the result is NaN in the half that is computed from that end,
/// as in NumPy. `isMean` is set for means of a and b, which may be infinite.
static NodeRef between(Recorder &r, const NodeRef &a, const NodeRef &b,
                       const NodeRef &t, bool isMean) {
  Arithmetic w{r};
  NodeRef difference = w.sub(b, a), rest = w.sub(Scalar::of(1.0), t);
  NodeRef atAnEnd = w(OpKind::Or, {w(OpKind::Eq, {t, Scalar::of(0.0)}),
                                   w(OpKind::Eq, {rest, Scalar::of(0.0)})});
  NodeRef isUnread = w(OpKind::And, {atAnEnd, w(OpKind::IsInf, {difference})});
  difference = w.select(isUnread, Scalar::of(0.0), difference);
  // Interpolates from the end that is nearer.
  NodeRef up = w.add(a, w.mul(difference, t));
  NodeRef down = w.sub(b, w.mul(difference, rest));
  NodeRef y = w.select(w(OpKind::Ge, {t, Scalar::of(0.5)}), down, up);
  // The difference of two finite numbers may overflow.
  NodeRef overflows = w(OpKind::IsInf, {difference});
  if (!isMean) {
    NodeRef areFinite =
        w(OpKind::And, {w(OpKind::IsFinite, {a}), w(OpKind::IsFinite, {b})});
    overflows = w(OpKind::And, {areFinite, overflows});
  }
  y = w.select(overflows, w.add(w.mul(a, rest), w.mul(b, t)), y);
  return w.select(w(OpKind::Eq, {a, b}), a, y);
}

namespace {
/// The elements in rows, sorted for quantiles. `sorted` is null if rows have no
/// elements.
struct SortedRows {
  NodeRef sorted;
  int64_t count = 0;
  /// The kept dims, without and with the reduced dims as dims of size 1.
  Shape kept, result;
};

/// The elements that a quantile is computed from: all, or all but NaNs.
enum class Of { All, Present };
} // namespace

static SortedRows sortedRows(Recorder &r, const char *name, const NodeRef &x,
                             Ints axes, bool keepDims) {
  SortedRows rows;
  Shape dims, order;
  if (!needFloat(r, name, x) ||
      !normalizeAxes(r, name, *x.get(), axes, true, dims))
    return rows;
  rows.count = 1;
  for (int64_t i = 0; i < static_cast<int64_t>(x->rank()); ++i) {
    bool isReduced = llvm::is_contained(dims, i);
    if (isReduced) {
      rows.count *= x->shape()[i];
    } else {
      order.push_back(i);
      rows.kept.push_back(x->shape()[i]);
    }
    if (!isReduced || keepDims)
      rows.result.push_back(isReduced ? 1 : x->shape()[i]);
  }
  order.append(dims.begin(), dims.end());
  if (rows.count == 0)
    return rows;
  Shape shape = rows.kept;
  shape.push_back(rows.count);
  NodeRef moved = x->rank() ? transpose(r, x, order) : x;
  rows.sorted =
      sort(r, OpKind::Sort, reshape(r, moved, shape), -1, /*descending=*/false);
  return rows;
}

static NodeRef quantileOf(Recorder &r, const char *name, const NodeRef &x,
                          const Operand &q, double unit, Ints axes,
                          bool keepDims, llvm::StringRef method,
                          bool isMean = false, Of of = Of::All) {
  Arithmetic w{r};
  SortedRows rows = sortedRows(r, name, x, axes, keepDims);
  NodeRef part = q.isScalar ? full(r, DType::F64, {}, q.scalar)
                            : astype(r, NodeRef(q.node), DType::F64);
  if (!r.error.empty() || !part)
    return {};
  const Shape shares(part->shape().begin(), part->shape().end());
  Shape result = shares;
  result.append(rows.result);
  Scalar nan = Scalar::of(std::numeric_limits<double>::quiet_NaN());
  if (rows.count == 0) { // NaN or refused, as in NumPy
    if (isMean || of == Of::Present)
      return full(r, x->dtype(), result, nan);
    return r.fail(name,
                  "no element to choose from: " + shapeString(x->shape()));
  }
  NodeRef sorted = rows.sorted;
  if (!sorted)
    return {};
  // A row whose size has a name may have no element, where `place` and `last`
  // are negative: then the NaN behind it is read.
  bool mayBeEmpty = recordsNamedSizes() && (isMean || of == Of::Present);
  if (mayBeEmpty) {
    Shape column = rows.kept;
    column.push_back(1);
    sorted = concatenate(r, {sorted, full(r, x->dtype(), column, nan)}, -1);
  }
  if (unit != 1)
    part = w.div(part, Scalar::of(unit));
  Operand n = Scalar::of(double(rows.count)),
          last = Scalar::of(double(rows.count - 1));
  NodeRef present, lastPresent;
  if (of == Of::Present) { // NaN is sorted last, so each row has its own count
    NodeRef isPresent = w(OpKind::Not, {w(OpKind::IsNan, {sorted})});
    present = astype(r, reduce(r, OpKind::Sum, isPresent, int64_t(-1), true),
                     DType::F64);
    lastPresent = w.sub(present, Scalar::of(1.0));
    n = present, last = lastPresent;
    part = w.flat(part);
  }
  NodeRef place = placeOf(r, name, part, n, last, method);
  if (!place)
    return {};
  NodeRef inside = w(OpKind::Clamp, {Scalar::of(0.0), place, last});
  auto at = [&](const NodeRef &index) {
    NodeRef whole = astype(r, index, DType::I64);
    return of == Of::All ? take(r, sorted, whole, int64_t(-1))
                         : takeAlongAxis(r, sorted, whole, -1);
  };
  NodeRef y;
  if (isOfElements(method)) {
    y = at(inside);
  } else {
    NodeRef low = w(OpKind::Floor, {inside});
    NodeRef high = w(OpKind::Min, {w.add(low, Scalar::of(1.0)), last});
    NodeRef t = astype(r, w.sub(inside, low), x->dtype());
    y = between(r, at(low), at(high), t, isMean);
  }
  // The quantile is NaN for q outside of [0, 1] and for rows that contain NaN.
  NodeRef allowed = w(OpKind::Clamp, {Scalar::of(0.0), part, Scalar::of(1.0)});
  y = w.select(w(OpKind::Eq, {part, allowed}), y, nan);
  int64_t axis = static_cast<int64_t>(rows.kept.size());
  Shape shape = rows.kept;
  if (of == Of::All) {
    NodeRef most = mayBeEmpty
                       ? at(full(r, DType::F64, {}, last.scalar))
                       : w.part(sorted, axis, rows.count - 1, rows.count);
    shape.append(shares.size(), 1);
    y = most ? w.select(w(OpKind::IsNan, {reshape(r, most, shape)}), nan, y)
             : most;
  } else if (y) {
    shape.append(shares);
    y = reshape(r, y, shape);
  }
  if (!y)
    return {};
  // Moves q's dims to the front.
  Shape order;
  for (size_t i = axis; i < y->rank(); ++i)
    order.push_back(i);
  for (int64_t i = 0; i < axis; ++i)
    order.push_back(i);
  if (!shares.empty())
    y = transpose(r, y, order);
  return reshape(r, y, result);
}

NodeRef quantile(Recorder &r, const NodeRef &x, const Operand &q, Ints axes,
                 bool keepDims, llvm::StringRef method) {
  return quantileOf(r, "quantile", x, q, 1, axes, keepDims, method);
}

NodeRef percentile(Recorder &r, const NodeRef &x, const Operand &q, Ints axes,
                   bool keepDims, llvm::StringRef method) {
  return quantileOf(r, "percentile", x, q, 100, axes, keepDims, method);
}

NodeRef median(Recorder &r, const NodeRef &x, Ints axes, bool keepDims) {
  return quantileOf(r, "median", x, Scalar::of(0.5), 1, axes, keepDims,
                    "linear", /*isMean=*/true);
}

NodeRef nanQuantile(Recorder &r, const NodeRef &x, const Operand &q, Ints axes,
                    bool keepDims, llvm::StringRef method) {
  return quantileOf(r, "nanquantile", x, q, 1, axes, keepDims, method,
                    /*isMean=*/false, Of::Present);
}

NodeRef nanMedian(Recorder &r, const NodeRef &x, Ints axes, bool keepDims) {
  return quantileOf(r, "nanmedian", x, Scalar::of(0.5), 1, axes, keepDims,
                    "linear", /*isMean=*/true, Of::Present);
}

//===----------------------------------------------------------------------===//
// Counts and segments
//===----------------------------------------------------------------------===//

/// Returns a tensor of `initial` with updates at the indices that are in range.
static NodeRef scattered(Recorder &r, UpdateKind kind, const Operand &initial,
                         DType dtype, Shape shape, const NodeRef &indices,
                         const NodeRef &updates) {
  Arithmetic w{r};
  NodeRef wide = astype(r, indices, DType::I64);
  NodeRef outside = w(OpKind::Lt, {wide, whole(0)});
  NodeRef places = w.select(outside, whole(shape[0]), wide);
  NodeRef start = initial.isScalar ? full(r, dtype, shape, initial.scalar)
                                   : broadcastTo(r, initial.node, shape);
  if (!places || !start || !updates)
    return {};
  IndexItem item{IndexItem::Tensor};
  item.tensor = places;
  return indexUpdate(r, start, item, kind, updates);
}

static bool checkNotNegative(Recorder &r, const char *name, int64_t size) {
  if (size < 0)
    r.fail(name, "size " + llvm::Twine(size) + " is negative");
  return r.error.empty();
}

NodeRef bincount(Recorder &r, const NodeRef &x, const NodeRef &weights,
                 int64_t size) {
  if (!needIntegers(r, "bincount", x) || !checkNotNegative(r, "bincount", size))
    return {};
  DType dtype = weights ? weights->dtype() : DType::I64;
  if (weights && weights->shape() != x->shape())
    return r.fail("bincount",
                  "weights of shape " + shapeString(weights->shape()) +
                      " are not one for each of " + shapeString(x->shape()));
  NodeRef updates = weights ? weights : full(r, dtype, x->shape(), whole(1));
  Arithmetic w{r};
  return scattered(r, UpdateKind::Add, whole(0), dtype, {size}, w.flat(x),
                   w.flat(updates));
}

NodeRef histogram(Recorder &r, const NodeRef &x, const NodeRef &edges) {
  Arithmetic w{r};
  if (!needTensor(r, "histogram", x) || !needVector(r, "histogram", edges, 2))
    return {};
  int64_t bins = edges->shape()[0] - 1;
  NodeRef values = w.flat(x);
  NodeRef above = defined(r, OpKind::Searchsorted, {edges, values},
                          tx::SearchsortedAttributes{true});
  NodeRef bin = w.sub(above, whole(1));
  NodeRef last = w.part(edges, 0, bins, bins + 1);
  bin = w.select(w(OpKind::Eq, {values, last}), whole(bins - 1), bin);
  NodeRef ones =
      full(r, DType::I64, values ? Ints(values->shape()) : Ints(), whole(1));
  return scattered(r, UpdateKind::Add, whole(0), DType::I64, {bins}, bin, ones);
}

NodeRef segmentReduce(Recorder &r, UpdateKind kind, const NodeRef &x,
                      const NodeRef &segments, int64_t count) {
  const char *name = kind == UpdateKind::Add   ? "segment_sum"
                     : kind == UpdateKind::Mul ? "segment_prod"
                     : kind == UpdateKind::Min ? "segment_min"
                                               : "segment_max";
  if (!needTensor(r, name, x) || !needIntegers(r, name, segments) ||
      !checkNotNegative(r, name, count))
    return {};
  if (!isIn(x->dtype(), numberMask) || x->rank() == 0 ||
      segments->rank() != 1 || segments->shape()[0] != x->shape()[0])
    return r.fail(name, "needs numbers with a segment for each row: " +
                            shapeString(x->shape()) + " and " +
                            shapeString(segments->shape()));
  Shape shape(x->shape().begin(), x->shape().end());
  shape[0] = count;
  Scalar initial = whole(kind == UpdateKind::Mul);
  if (kind == UpdateKind::Min || kind == UpdateKind::Max) {
    bool isMin = kind == UpdateKind::Min;
    double infinity = std::numeric_limits<double>::infinity();
    unsigned bits = bitWidth(x->dtype());
    if (isFloat(x->dtype()))
      initial = Scalar::of(isMin ? infinity : -infinity);
    else if (isUnsigned(x->dtype()))
      initial = isMin ? Scalar::of(~uint64_t(0) >> (64 - bits)) : whole(0);
    else
      initial = isMin ? whole(INT64_MAX >> (64 - bits))
                      : whole(INT64_MIN >> (64 - bits));
  }
  return scattered(r, kind, initial, x->dtype(), shape, segments, x);
}

NodeRef unique(Recorder &r, const NodeRef &x, int64_t size,
               const Operand &fill) {
  Arithmetic w{r};
  if (!needTensor(r, "unique", x) || !checkNotNegative(r, "unique", size))
    return {};
  NodeRef sorted = sort(r, OpKind::Sort, w.flat(x), 0, false);
  if (!sorted)
    return {};
  int64_t count = sorted->shape()[0];
  NodeRef before = w.part(sorted, 0, 0, count > 0 ? count - 1 : 0);
  NodeRef after = w.part(sorted, 0, 1, openEnd);
  NodeRef differs = w(OpKind::Ne, {after, before});
  if (isFloat(x->dtype())) // a single NaN represents all NaNs
    differs =
        w(OpKind::And, {differs, w(OpKind::Not, {w(OpKind::IsNan, {before})})});
  NodeRef first = full(r, DType::I1, count > 0 ? 1 : 0, Scalar::of(true));
  if (!differs || !first)
    return {};
  NodeRef parts[] = {first, differs};
  NodeRef isNew = concatenate(r, parts, 0);
  NodeRef rank = w.sub(
      scan(r, OpKind::Cumsum, astype(r, isNew, DType::I64), 0, false, false),
      whole(1));
  NodeRef places = w.select(isNew, rank, whole(size));
  return scattered(r, UpdateKind::Set, fill, x->dtype(), {size}, places,
                   sorted);
}

//===----------------------------------------------------------------------===//
// Curves
//===----------------------------------------------------------------------===//

/// NumPy's interp for real values, without special treatment of NaN.
static NodeRef realInterp(Recorder &r, const NodeRef &x, const NodeRef &xs,
                          const NodeRef &ys) {
  Arithmetic w{r};
  int64_t count = xs->shape()[0];
  auto end = [&](const NodeRef &v, int64_t i) {
    return reshape(r, w.part(v, 0, i, i + 1), {});
  };
  NodeRef y0 = end(ys, 0), yn = end(ys, count - 1);
  NodeRef y = y0;
  if (count > 1) {
    NodeRef above = defined(r, OpKind::Searchsorted, {xs, x},
                            tx::SearchsortedAttributes{true});
    NodeRef high = w(OpKind::Clamp, {whole(1), above, whole(count - 1)});
    NodeRef low = w.sub(high, whole(1));
    auto at = [&](const NodeRef &v, const NodeRef &i) {
      return take(r, v, i, int64_t(0));
    };
    NodeRef x0 = at(xs, low), x1 = at(xs, high);
    NodeRef v0 = at(ys, low), v1 = at(ys, high);
    // x0 and x1 are equal only beyond the ends, where the line is not used.
    // Dividing by 0 there would make gradients NaN.
    NodeRef width =
        w.select(w(OpKind::Eq, {x0, x1}), Scalar::of(1.0), w.sub(x1, x0));
    NodeRef slope = w.div(w.sub(v1, v0), width);
    auto from = [&](const NodeRef &start, const NodeRef &value) {
      return w.add(w.mul(slope, w.sub(x, start)), value);
    };
    // A line that is NaN if computed from one end is computed from the other
    // end. If both are NaN and the ends are equal, the result is their value.
    NodeRef back = from(x1, v1);
    NodeRef areEqual =
        w(OpKind::And, {w(OpKind::IsNan, {back}), w(OpKind::Eq, {v0, v1})});
    back = w.select(areEqual, v0, back);
    back = w.select(w(OpKind::Eq, {x, x0}), v0, back);
    y = from(x0, v0);
    y = w.select(w(OpKind::IsNan, {y}), back, y);
  }
  y = w.select(w(OpKind::Lt, {x, end(xs, 0)}), y0, y);
  return w.select(w(OpKind::Ge, {x, end(xs, count - 1)}), yn, y);
}

NodeRef interp(Recorder &r, const NodeRef &x, const NodeRef &xs,
               const NodeRef &ys) {
  Arithmetic w{r};
  if (!needFloat(r, "interp", x) || !needVector(r, "interp", xs, 1) ||
      !needVector(r, "interp", ys, 1))
    return {};
  if (ys->shape()[0] != xs->shape()[0])
    return r.fail("interp", "as many values as points are needed, not " +
                                shapeString(ys->shape()) + " for " +
                                shapeString(xs->shape()));
  // Real and imaginary parts are interpolated separately, so that an infinite
  // part does not affect the other one.
  NodeRef y = isComplex(ys->dtype())
                  ? complex(r, realInterp(r, x, xs, real(r, ys)),
                            realInterp(r, x, xs, imag(r, ys)))
                  : realInterp(r, x, xs, ys);
  return w.select(w(OpKind::IsNan, {x}), x, y);
}

NodeRef polyval(Recorder &r, const NodeRef &coefficients, const NodeRef &x) {
  Arithmetic w{r};
  if (!needTensor(r, "polyval", x) ||
      !needVector(r, "polyval", coefficients, 0))
    return {};
  // Maximum number of coefficients, each of which adds ops to the program.
  constexpr int64_t most = 1000;
  int64_t count = coefficients->shape()[0];
  if (count > most)
    return r.fail("polyval", "more than " + llvm::Twine(most) +
                                 " coefficients: " + llvm::Twine(count));
  NodeRef y = w.mul(x, whole(0));
  for (int64_t i = 0; i < count && y; ++i) {
    NodeRef c = reshape(r, w.part(coefficients, 0, i, i + 1), {});
    y = i == 0 ? w.add(y, c) : w.add(w.mul(y, x), c);
  }
  return y;
}

NodeRef trapezoid(Recorder &r, const NodeRef &y, double dx, int64_t axis) {
  Arithmetic w{r};
  Shape dims;
  if (!needFloat(r, "trapezoid", y) ||
      !normalizeAxes(r, "trapezoid", *y.get(), axis, false, dims))
    return {};
  int64_t dim = dims[0], count = y->shape()[dim];
  NodeRef sums = w.add(w.part(y, dim, 1, openEnd),
                       w.part(y, dim, 0, count > 0 ? count - 1 : 0));
  NodeRef total = sums ? reduce(r, OpKind::Sum, sums, dim, false) : sums;
  return w.mul(total, Scalar::of(dx / 2));
}

//===----------------------------------------------------------------------===//
// Covariance
//===----------------------------------------------------------------------===//

NodeRef cov(Recorder &r, const NodeRef &x, double correction) {
  Arithmetic w{r};
  bool isOfComplex = x && isComplex(x->dtype());
  if (!isOfComplex && !needFloat(r, "cov", x))
    return {};
  if (x->rank() != 1 && x->rank() != 2)
    return r.fail("cov", "needs observations of variables, which are rows, "
                         "not " +
                             shapeString(x->shape()));
  NodeRef rows = x->rank() == 1 ? expandDims(r, x, 0) : x;
  int64_t count = rows->shape()[1];
  NodeRef centred = w.sub(rows, mean(r, rows, int64_t(1), true));
  if (!centred)
    return {};
  ExactProducts exact;
  NodeRef sums = matmul(r, centred, conj(r, transpose(r, centred, {})));
  // As in NumPy, the divisor is at least 0. The maximum is an op, because a
  // named size may turn out to be 0.
  DType dtype = x->dtype();
  NodeRef divisor = w(OpKind::Max, {number(r, isOfComplex ? DType::F64 : dtype,
                                           double(count) - correction),
                                    Scalar::of(0.0)});
  divisor = astype(r, divisor, dtype);
  NodeRef result = w.div(sums, divisor);
  return x->rank() == 1 && result ? reshape(r, result, {}) : result;
}

NodeRef corrcoef(Recorder &r, const NodeRef &x) {
  Arithmetic w{r};
  NodeRef all = cov(r, x, 1);
  if (!all)
    return {};
  if (all->rank() == 0)
    return w.div(all, all);
  int64_t count = all->shape()[0];
  NodeRef on = eye(r, DType::I1, count, count, 0);
  NodeRef variances =
      reduce(r, OpKind::Sum, w.select(on, real(r, all), Scalar::of(0.0)),
             int64_t(1), true);
  NodeRef deviations = w(OpKind::Sqrt, {variances});
  if (!deviations)
    return {};
  NodeRef ratio =
      w.div(w.div(all, deviations), reshape(r, deviations, {1, count}));
  auto clamped = [&](const NodeRef &part) {
    return w(OpKind::Clamp, {Scalar::of(-1.0), part, Scalar::of(1.0)});
  };
  if (!ratio || !isComplex(ratio->dtype()))
    return ratio ? clamped(ratio) : ratio;
  return complex(r, clamped(real(r, ratio)), clamped(imag(r, ratio)));
}

} // namespace tensorc::graph
