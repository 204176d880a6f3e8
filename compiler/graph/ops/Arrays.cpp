//===- Arrays.cpp - NumPy's and PyTorch's functions made of other ops -----===//

#include "compiler/graph/ops/Arrays.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace tensorc::graph {

NodeRef tensordot(Recorder &r, const NodeRef &x, const NodeRef &y, Ints xAxes,
                  Ints yAxes) {
  const char *name = "tensordot";
  if (!x || !y)
    return r.fail(name, "an operand is an undefined tensor");
  if (!xAxes.empty() || !yAxes.empty())
    return dotGeneral(r, x, y, {}, {}, xAxes, yAxes);
  // Multiplies each element of x by each element of y.
  Shape shape(x->shape().begin(), x->shape().end());
  shape.append(y->rank(), 1);
  return elementwise(r, OpKind::Mul, {reshape(r, x, shape), y});
}

NodeRef kron(Recorder &r, const NodeRef &x, const NodeRef &y) {
  if (!x || !y)
    return r.fail("kron", "an operand is an undefined tensor");
  size_t rank = std::max(x->rank(), y->rank());
  Shape xs, ys, shape;
  for (size_t i = 0; i < rank; ++i) {
    size_t fromX = rank - x->rank(), fromY = rank - y->rank();
    int64_t a = i < fromX ? 1 : x->shape()[i - fromX];
    int64_t b = i < fromY ? 1 : y->shape()[i - fromY], product = 0;
    if (llvm::MulOverflow(a, b, product))
      return r.fail("kron", "the result is too large");
    xs.append({a, 1});
    ys.append({1, b});
    shape.push_back(product);
  }
  NodeRef product =
      elementwise(r, OpKind::Mul, {reshape(r, x, xs), reshape(r, y, ys)});
  return product ? reshape(r, product, shape) : product;
}

NodeRef triangle(Recorder &r, const NodeRef &x, int64_t diagonal, bool upper) {
  const char *name = upper ? "triu" : "tril";
  if (!x || x->rank() == 0)
    return r.fail(name, "needs at least one dimension");
  // As in NumPy, a vector is broadcast to the rows of a square matrix.
  int64_t columns = x->shape().back();
  Shape shape{x->rank() > 1 ? x->shape()[x->rank() - 2] : columns, columns};
  NodeRef row = iota(r, DType::I64, shape, 0),
          column = iota(r, DType::I64, shape, 1);
  NodeRef distance = elementwise(r, OpKind::Sub, {column, row});
  NodeRef kept = elementwise(r, upper ? OpKind::Ge : OpKind::Le,
                             {distance, Scalar::of(diagonal)});
  Scalar zero =
      x->dtype() == DType::I1 ? Scalar::of(false) : Scalar::of(int64_t(0));
  return elementwise(r, OpKind::Select, {kept, x, zero});
}

/// Takes every (n + 1)th element of the flattened rows.
static NodeRef diagonalOf(Recorder &r, const NodeRef &x, int64_t diagonal) {
  int64_t rows = x->shape()[0], columns = x->shape()[1];
  int64_t count = diagonal < 0 ? std::min(rows + diagonal, columns)
                               : std::min(rows, columns - diagonal);
  NodeRef flat = reshape(r, x, rows * columns);
  if (count <= 0)
    return slice(r, flat, int64_t(0), int64_t(0), int64_t(1));
  int64_t first = diagonal < 0 ? -diagonal * columns : diagonal;
  return slice(r, flat, first, first + (count - 1) * (columns + 1) + 1,
               columns + 1);
}

NodeRef diag(Recorder &r, const NodeRef &x, int64_t diagonal) {
  if (!x || x->rank() < 1 || x->rank() > 2)
    return r.fail("diag", "needs a vector or a matrix, not " +
                              (x ? shapeString(x->shape()) : "nothing"));
  // No tensor that fits in memory has elements on a diagonal this far out.
  if (std::abs(diagonal) > int64_t(1) << 40)
    return r.fail("diag",
                  "diagonal " + llvm::Twine(diagonal) + " is too far out");
  if (x->rank() == 2)
    return diagonalOf(r, x, diagonal);
  int64_t size = x->shape()[0] + std::abs(diagonal);
  Scalar zero =
      x->dtype() == DType::I1 ? Scalar::of(false) : Scalar::of(int64_t(0));
  NodeRef values = pad(r, x, int64_t(0), std::abs(diagonal), {}, zero);
  // The index along the diagonal is the row index for diagonals on and above
  // the main one, and the column index below it.
  if (diagonal >= 0 && values)
    values = reshape(r, values, {size, 1});
  NodeRef on = eye(r, DType::I1, size, size, diagonal);
  return elementwise(r, OpKind::Select, {on, values, zero});
}

NodeRef sliceInDim(Recorder &r, const NodeRef &x, int64_t dim, int64_t start,
                   int64_t stop, int64_t step) {
  if (!x)
    return {};
  int64_t axis = dim < 0 ? dim + static_cast<int64_t>(x->rank()) : dim;
  Shape starts(axis + 1, openEnd), stops(axis + 1, openEnd), steps(axis + 1, 1);
  starts[axis] = start;
  stops[axis] = stop;
  steps[axis] = step;
  return slice(r, x, starts, stops, steps);
}

NodeRef roll(Recorder &r, const NodeRef &x, Ints shifts, Ints axes) {
  if (!x)
    return r.fail("roll", "the operand is an undefined tensor");
  if (axes.empty()) {
    int64_t total = 0, count = x->numElements();
    for (int64_t shift : shifts)
      total += shift % std::max<int64_t>(count, 1);
    NodeRef flat = reshape(r, x, count);
    return flat ? reshape(r, roll(r, flat, total, int64_t(0)), x->shape())
                : flat;
  }
  if (shifts.size() != axes.size() && shifts.size() != 1 && axes.size() != 1)
    return r.fail("roll", llvm::Twine(shifts.size()) + " shifts for " +
                              llvm::Twine(axes.size()) + " axes");
  NodeRef result = x;
  for (size_t i = 0; i < std::max(shifts.size(), axes.size()); ++i) {
    Shape axis;
    if (!normalizeAxes(r, "roll", *x.get(), axes[axes.size() == 1 ? 0 : i],
                       false, axis))
      return {};
    int64_t size = x->shape()[axis[0]];
    int64_t shift = shifts[shifts.size() == 1 ? 0 : i];
    int64_t first = size == 0 ? 0 : (size - shift % size) % size;
    if (first == 0 || !result)
      continue;
    result = concatenate(r,
                         {sliceInDim(r, result, axis[0], first, openEnd),
                          sliceInDim(r, result, axis[0], 0, first)},
                         axis[0]);
  }
  return result;
}

/// Repeats x `counts[i]` times along each dim i: whole copies of x if `outer`,
/// else each element.
static NodeRef multiplied(Recorder &r, const char *name, const NodeRef &x,
                          Ints counts, bool outer) {
  Shape split, wide, shape;
  for (auto [dim, count] : llvm::zip(x->shape(), counts)) {
    int64_t product = 0;
    if (count < 0)
      return r.fail(name, "a count is negative: " + shapeString(counts));
    if (llvm::MulOverflow(dim, count, product))
      return r.fail(name, "the result is too large");
    shape.push_back(product);
    if (count == 1) {
      split.push_back(dim);
      wide.push_back(dim);
    } else if (outer) {
      split.append({1, dim});
      wide.append({count, dim});
    } else {
      split.append({dim, 1});
      wide.append({dim, count});
    }
  }
  NodeRef view = reshape(r, x, split);
  view = view ? broadcastTo(r, view, wide) : view;
  return view ? reshape(r, view, shape) : view;
}

NodeRef tile(Recorder &r, const NodeRef &x, Ints repetitions) {
  if (!x)
    return r.fail("tile", "the operand is an undefined tensor");
  size_t rank = std::max<size_t>(x->rank(), repetitions.size());
  Shape shape(rank - x->rank(), 1), counts(rank - repetitions.size(), 1);
  llvm::append_range(shape, x->shape());
  llvm::append_range(counts, repetitions);
  NodeRef view = reshape(r, x, shape);
  return view ? multiplied(r, "tile", view, counts, /*outer=*/true) : view;
}

NodeRef repeat(Recorder &r, const NodeRef &x, int64_t count, int64_t axis) {
  Shape axes;
  if (!x)
    return r.fail("repeat", "the operand is an undefined tensor");
  if (!normalizeAxes(r, "repeat", *x.get(), axis, false, axes))
    return {};
  Shape counts(x->rank(), 1);
  counts[axes[0]] = count;
  return multiplied(r, "repeat", x, counts, /*outer=*/false);
}

NodeRef stack(Recorder &r, llvm::ArrayRef<NodeRef> inputs, int64_t axis) {
  if (inputs.empty())
    return r.fail("stack", "needs at least one tensor");
  if (llvm::any_of(inputs, [](auto &x) { return !x; }))
    return r.fail("stack", "an operand is an undefined tensor");
  llvm::SmallVector<NodeRef> expanded;
  for (const NodeRef &x : inputs) {
    if (x->shape() != inputs[0]->shape())
      return r.fail("stack",
                    "shapes differ: " + shapeString(inputs[0]->shape()) +
                        " x " + shapeString(x->shape()));
    expanded.push_back(expandDims(r, x, axis));
    if (!expanded.back())
      return {};
  }
  return concatenate(r, expanded, axis);
}

llvm::SmallVector<NodeRef> meshgrid(Recorder &r, llvm::ArrayRef<NodeRef> inputs,
                                    bool xy) {
  llvm::SmallVector<NodeRef> result;
  Shape grid;
  for (const NodeRef &x : inputs) {
    if (!x || x->rank() > 1) {
      r.fail("meshgrid",
             "needs vectors, not " + (x ? shapeString(x->shape()) : "nothing"));
      return {};
    }
    grid.push_back(x->numElements());
  }
  auto place = [&](size_t i) -> size_t {
    return xy && inputs.size() > 1 && i < 2 ? 1 - i : i;
  };
  Shape shape(grid);
  for (size_t i = 0; i < grid.size(); ++i)
    shape[place(i)] = grid[i];
  for (auto [i, x] : llvm::enumerate(inputs)) {
    Shape own(grid.size(), 1);
    own[place(i)] = grid[i];
    NodeRef view = reshape(r, x, own);
    result.push_back(view ? broadcastTo(r, view, shape) : view);
    if (!result.back())
      return {};
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Comparing, choosing
//===----------------------------------------------------------------------===//

/// Converts to a dtype whose differences are exact enough for comparisons.
static NodeRef widened(Recorder &r, const NodeRef &x) {
  if (isIn(x->dtype(), bitsMask))
    return astype(r, x, DType::F64);
  bool isHalf = x->dtype() == DType::F16 || x->dtype() == DType::BF16;
  return isHalf ? astype(r, x, DType::F32) : x;
}

NodeRef isClose(Recorder &r, const NodeRef &x, const Operand &y, double rtol,
                double atol, bool equalNan) {
  if (!x || (!y.isScalar && !y.node))
    return r.fail("isclose", "an operand is an undefined tensor");
  NodeRef a = widened(r, x);
  NodeRef b = y.isScalar
                  ? full(r, promoteScalar(a->dtype(), y.scalar), {}, y.scalar)
                  : widened(r, y.node);
  auto made = [&](OpKind op, llvm::ArrayRef<Operand> operands) -> NodeRef {
    if (!r.error.empty())
      return {};
    return elementwise(r, op, operands);
  };
  NodeRef magnitude = made(OpKind::Abs, {b});
  NodeRef bound =
      made(OpKind::Add, {made(OpKind::Mul, {magnitude, Scalar::of(rtol)}),
                         Scalar::of(atol)});
  NodeRef distance = made(OpKind::Abs, {made(OpKind::Sub, {a, b})});
  // An infinite bound must not make finite numbers close to infinity.
  NodeRef within = made(OpKind::And, {made(OpKind::Le, {distance, bound}),
                                      made(OpKind::IsFinite, {magnitude})});
  NodeRef close = made(OpKind::Or, {made(OpKind::Eq, {a, b}), within});
  if (!equalNan)
    return close;
  NodeRef both =
      made(OpKind::And, {made(OpKind::IsNan, {made(OpKind::Abs, {a})}),
                         made(OpKind::IsNan, {magnitude})});
  return made(OpKind::Or, {close, both});
}

/// Returns a mask of the nonzero elements.
static NodeRef truthOf(Recorder &r, const Operand &x) {
  if (!x.isScalar && x.node && x.node->dtype() == DType::I1)
    return x.node;
  if (!x.isScalar)
    return elementwise(r, OpKind::Ne, {x, Scalar::of(int64_t(0))});
  const Scalar &s = x.scalar;
  bool isTrue = s.kind == Scalar::Float || s.kind == Scalar::Complex
                    ? s.f != 0 || s.im != 0
                    : s.i != 0;
  return full(r, DType::I1, {}, Scalar::of(isTrue));
}

NodeRef logical(Recorder &r, OpKind op, const NodeRef &x, const Operand &y) {
  NodeRef a = truthOf(r, x), b = truthOf(r, y);
  return r.error.empty() ? elementwise(r, op, {a, b}) : NodeRef();
}

NodeRef logicalNot(Recorder &r, const NodeRef &x) {
  NodeRef truth = truthOf(r, x);
  return r.error.empty() ? elementwise(r, OpKind::Not, {truth}) : NodeRef();
}

NodeRef maskedFill(Recorder &r, const NodeRef &x, const NodeRef &mask,
                   const Operand &value) {
  const char *op = "masked_fill";
  if (!x || !mask || (!value.isScalar && !value.node))
    return r.fail(op, "an operand is an undefined tensor");
  if (mask->dtype() != DType::I1)
    return r.fail(op, llvm::Twine("the mask is ") + dtypeName(mask->dtype()) +
                          ", not i1");
  if (!checkKeepsKind(r, op, value, x->dtype()))
    return {};
  NodeRef filling = value.isScalar ? full(r, x->dtype(), {}, value.scalar)
                                   : astype(r, value.node, x->dtype());
  return filling ? elementwise(r, OpKind::Select, {mask, filling, x})
                 : NodeRef();
}

NodeRef narrow(Recorder &r, const NodeRef &x, int64_t axis, int64_t start,
               int64_t length) {
  const char *op = "narrow";
  Shape axes;
  if (!x)
    return r.fail(op, "the operand is an undefined tensor");
  if (!normalizeAxes(r, op, *x.get(), axis, false, axes))
    return {};
  int64_t size = x->shape()[axes[0]];
  int64_t from = start < 0 ? start + size : start;
  if (from < 0 || length < 0 || from > size || length > size - from)
    return r.fail(op, llvm::Twine(length) + " elements from " +
                          llvm::Twine(start) + " on are not in axis " +
                          llvm::Twine(axis) + " of " + shapeString(x->shape()));
  return sliceInDim(r, x, axes[0], from, from + length);
}

NodeRef addmm(Recorder &r, const NodeRef &x, const NodeRef &a, const NodeRef &b,
              double beta, double alpha) {
  if (!x || !a || !b)
    return r.fail("addmm", "an operand is an undefined tensor");
  if (a->rank() != 2 || b->rank() != 2)
    return r.fail("addmm", "needs matrices, not " + shapeString(a->shape()) +
                               " and " + shapeString(b->shape()));
  auto times = [&](const NodeRef &y, double factor) -> NodeRef {
    if (!y || factor == 1)
      return y;
    bool isWhole = std::trunc(factor) == factor && std::abs(factor) < 0x1p53;
    Scalar number = isWhole && isIn(y->dtype(), bitsMask)
                        ? Scalar::of(static_cast<int64_t>(factor))
                        : Scalar::of(factor);
    return elementwise(r, OpKind::Mul, {y, number});
  };
  NodeRef product = times(matmul(r, a, b), alpha);
  if (beta == 0)
    return product;
  NodeRef scaled = product ? times(x, beta) : product;
  return scaled ? elementwise(r, OpKind::Add, {scaled, product}) : scaled;
}

//===----------------------------------------------------------------------===//
// Padding with elements of x
//===----------------------------------------------------------------------===//

/// Splits `count` elements of padding into blocks of at most `block` elements,
/// and calls `add` with the number and the size of each block. Block 0 is next
/// to x.
template <typename Fn>
static void addBlocks(int64_t count, int64_t block, Fn add) {
  for (int64_t i = 0; count > 0; ++i, count -= block)
    add(i, std::min(count, block));
}

static NodeRef padAxis(Recorder &r, const NodeRef &x, int64_t axis, int64_t low,
                       int64_t high, PadMode mode) {
  int64_t size = x->shape()[axis];
  llvm::SmallVector<NodeRef> before, after, all;
  if (mode == PadMode::Edge || size == 1) {
    auto edge = [&](int64_t at, int64_t count) {
      Shape shape(x->shape().begin(), x->shape().end());
      shape[axis] = count;
      NodeRef one = sliceInDim(r, x, axis, at, at + 1);
      return one ? broadcastTo(r, one, shape) : one;
    };
    before.push_back(edge(0, low));
    after.push_back(edge(size - 1, high));
  } else if (mode == PadMode::Wrap) {
    addBlocks(low, size, [&](int64_t, int64_t n) {
      before.push_back(sliceInDim(r, x, axis, size - n, size));
    });
    addBlocks(high, size, [&](int64_t, int64_t n) {
      after.push_back(sliceInDim(r, x, axis, 0, n));
    });
  } else {
    // The padding repeats x alternately backwards and forwards. Reflect omits
    // the edge element each time the direction changes.
    int64_t skipped = mode == PadMode::Reflect;
    auto backward = [&](int64_t from, int64_t n) {
      return sliceInDim(r, x, axis, from, from - n < 0 ? openEnd : from - n,
                        -1);
    };
    addBlocks(low, size - skipped, [&](int64_t i, int64_t n) {
      int64_t stop = size - skipped;
      before.push_back(i % 2 == 0 ? backward(n - 1 + skipped, n)
                                  : sliceInDim(r, x, axis, stop - n, stop));
    });
    addBlocks(high, size - skipped, [&](int64_t i, int64_t n) {
      after.push_back(i % 2 == 0
                          ? backward(size - 1 - skipped, n)
                          : sliceInDim(r, x, axis, skipped, skipped + n));
    });
  }
  for (NodeRef &block : llvm::reverse(before))
    all.push_back(block);
  all.push_back(x);
  llvm::append_range(all, after);
  return r.error.empty() ? concatenate(r, all, axis) : NodeRef();
}

NodeRef padWith(Recorder &r, const NodeRef &x, Ints low, Ints high,
                PadMode mode) {
  if (!x)
    return r.fail("pad", "the operand is an undefined tensor");
  // Maximum number of repetitions of x, because each block is a separate node.
  constexpr int64_t maxBlocks = 256;
  NodeRef result = x;
  for (size_t i = 0; i < x->rank() && result; ++i) {
    int64_t size = x->shape()[i], most = std::max(low[i], high[i]);
    if (low[i] < 0 || high[i] < 0)
      return r.fail("pad", "padding that repeats is at least 0, not " +
                               shapeString(low) + " and " + shapeString(high));
    if (most == 0)
      continue;
    if (size == 0)
      return r.fail("pad", "axis " + llvm::Twine(i) + " of " +
                               shapeString(x->shape()) +
                               " has nothing to repeat");
    if (mode != PadMode::Edge && size > 1 && most / (size - 1) > maxBlocks)
      return r.fail("pad", "axis " + llvm::Twine(i) + " of " +
                               shapeString(x->shape()) +
                               " is repeated more "
                               "than " +
                               llvm::Twine(maxBlocks) + " times");
    result = padAxis(r, result, i, low[i], high[i], mode);
  }
  return result;
}

} // namespace tensorc::graph
