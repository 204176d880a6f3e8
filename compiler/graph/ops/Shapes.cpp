//===- Shapes.cpp - Ops that move elements --------------------------------===//

#include "compiler/graph/ops/Builders.h"
#include "compiler/graph/ops/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <utility>

namespace tensorc::graph {

template <typename Attributes = tx::NoAttributes>
static NodeRef make(Recorder &r, OpKind op, DType dtype, Ints shape,
                    llvm::ArrayRef<Node *> inputs,
                    const Attributes &attributes = {}) {
  if (!checkShape(r, traits(op).apiName, dtype, shape))
    return {};
  return NodeRef::take(
      Node::create(op, dtype, shape, inputs, attributes, r.location));
}

bool follow(Recorder &r, const char *op, const shape::InferredShape &rule,
            Shape &shape) {
  shape.clear();
  for (shape::Dim dim : rule.dims)
    if (std::optional<int64_t> size = dim.number())
      shape.push_back(*size);
  if (rule.isRefused() || shape.size() != rule.dims.size())
    r.fail(op, rule.isRefused() ? rule.refusal : "the size overflows");
  return r.error.empty();
}

bool normalizeAxes(Recorder &r, const char *op, const Node &x, Ints axes,
                   bool allIfEmpty, Shape &result) {
  int64_t rank = x.rank();
  result.clear();
  if (axes.empty() && allIfEmpty)
    for (int64_t i = 0; i < rank; ++i)
      result.push_back(i);
  for (int64_t axis : axes) {
    if (axis < -rank || axis >= rank) {
      r.fail(op, "axis " + llvm::Twine(axis) + " is outside " +
                     shapeString(x.shape()));
      return false;
    }
    result.push_back(axis < 0 ? axis + rank : axis);
  }
  llvm::sort(result);
  if (std::adjacent_find(result.begin(), result.end()) != result.end()) {
    r.fail(op, "an axis is listed twice: " + shapeString(axes));
    return false;
  }
  return true;
}

NodeRef reshape(Recorder &r, const NodeRef &x, Ints shape) {
  if (!x)
    return r.fail("reshape", "the operand is an undefined tensor");
  Shape target(shape.begin(), shape.end());
  auto mismatch = [&] {
    return r.fail("reshape", "cannot reshape " + shapeString(x->shape()) +
                                 " to " + shapeString(shape));
  };
  int64_t known = 1, open = -1;
  for (auto [i, dim] : llvm::enumerate(target)) {
    if (dim == -1 && open < 0)
      open = i;
    else if (dim < 0 || llvm::MulOverflow(known, dim, known))
      return mismatch();
  }
  int64_t count = x->numElements();
  if (open >= 0) {
    if (known == 0 || count % known != 0)
      return mismatch();
    target[open] = count / known;
  }
  if (Ints(target) == x->shape())
    return x;
  Shape given;
  if (!follow(r, "reshape", shape::inferReshape(dimsOf(x), sizesOf(target)),
              given))
    return {};
  return make(r, OpKind::Reshape, x->dtype(), target, x.get());
}

NodeRef transpose(Recorder &r, const NodeRef &x, Ints permutation) {
  if (!x)
    return r.fail("transpose", "the operand is an undefined tensor");
  int64_t rank = x->rank();
  Shape order, shape;
  for (int64_t i = 0; i < rank && permutation.empty(); ++i)
    order.push_back(rank - 1 - i);
  for (int64_t axis : permutation)
    order.push_back(axis < 0 ? axis + rank : axis);
  if (!follow(r, "transpose", shape::inferTranspose(dimsOf(x), order), shape))
    return {};
  return make(r, OpKind::Transpose, x->dtype(), shape, x.get(),
              tx::TransposeAttributes{order});
}

/// Returns the first position and the count of one dim of x[start:stop:step].
static std::pair<int64_t, int64_t> sliceDim(int64_t size, int64_t start,
                                            int64_t stop, int64_t step) {
  int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  auto inside = [&](int64_t position) {
    if (position < 0)
      position += size;
    return std::clamp(position, low, high);
  };
  int64_t first = start == openEnd ? (step > 0 ? low : high) : inside(start);
  int64_t last = stop == openEnd ? (step > 0 ? high : low) : inside(stop);
  int64_t span = step > 0 ? last - first : first - last;
  if (span <= 0)
    return {0, 0};
  // -step would overflow for the smallest integer.
  uint64_t stride = step > 0 ? step : 0 - static_cast<uint64_t>(step);
  return {first, static_cast<int64_t>((span - 1) / stride + 1)};
}

static thread_local std::vector<SliceRange> *sliceRanges = nullptr;
static thread_local bool hasNamedSizes = false;

SliceRanges::SliceRanges(std::vector<SliceRange> &ranges, bool hasNames)
    : former(std::exchange(sliceRanges, &ranges)),
      hadNames(std::exchange(hasNamedSizes, hasNames)) {}

SliceRanges::~SliceRanges() {
  sliceRanges = former;
  hasNamedSizes = hadNames;
}

bool recordsNamedSizes() { return hasNamedSizes; }

NodeRef slice(Recorder &r, const NodeRef &x, Ints starts, Ints stops,
              Ints steps) {
  if (!x)
    return r.fail("slice", "the operand is an undefined tensor");
  size_t given = starts.size();
  if (given > x->rank() || stops.size() != given || steps.size() != given)
    return r.fail("slice", llvm::Twine(given) + " ranges for " +
                               shapeString(x->shape()));
  Shape shape(x->shape().begin(), x->shape().end());
  Shape offsets(x->rank(), 0), strides(x->rank(), 1);
  for (size_t i = 0; i < given; ++i) {
    if (steps[i] == 0)
      return r.fail("slice", "the step of axis " + llvm::Twine(i) + " is 0");
    if (sliceRanges)
      sliceRanges->push_back(
          {r.location, i, x->shape()[i], starts[i], stops[i], steps[i]});
    auto [first, count] =
        sliceDim(x->shape()[i], starts[i], stops[i], steps[i]);
    offsets[i] = first;
    strides[i] = count > 1 ? steps[i] : 1;
    shape[i] = count;
  }
  bool whole =
      Ints(shape) == x->shape() &&
      llvm::all_of(strides, [](int64_t stride) { return stride == 1; });
  if (whole)
    return x;
  Shape asked;
  if (!follow(r, "slice",
              shape::inferSlice(dimsOf(x), offsets, strides, sizesOf(shape)),
              asked))
    return {};
  return make(r, OpKind::Slice, x->dtype(), shape, x.get(),
              tx::SliceAttributes{offsets, strides});
}

NodeRef pad(Recorder &r, const NodeRef &x, Ints low, Ints high, Ints interior,
            const Operand &value) {
  if (!x || (!value.isScalar && !value.node))
    return r.fail("pad", "an operand is an undefined tensor");
  size_t rank = x->rank();
  if (low.size() != rank || high.size() != rank ||
      (!interior.empty() && interior.size() != rank))
    return r.fail("pad",
                  "needs one padding per axis of " + shapeString(x->shape()));
  Shape shape, gaps(rank, 0);
  std::copy(interior.begin(), interior.end(), gaps.begin());
  if (!follow(r, "pad", shape::inferPad(dimsOf(x), {low, high, gaps}), shape))
    return {};
  NodeRef filler = value.isScalar ? full(r, x->dtype(), {}, value.scalar)
                                  : astype(r, value.node, x->dtype());
  if (!filler)
    return {};
  if (filler->rank() != 0)
    return r.fail("pad", "the value must be a scalar, not " +
                             shapeString(filler->shape()));
  return make(r, OpKind::Pad, x->dtype(), shape, {x.get(), filler.get()},
              tx::PadAttributes{low, high, gaps});
}

NodeRef concatenate(Recorder &r, llvm::ArrayRef<NodeRef> inputs, int64_t axis) {
  if (inputs.empty())
    return r.fail("concatenate", "needs at least one tensor");
  if (llvm::any_of(inputs, [](auto &x) { return !x; }))
    return r.fail("concatenate", "an operand is an undefined tensor");
  DType dtype = inputs[0]->dtype();
  Shape shape;
  llvm::SmallVector<shape::Dims> operands{dimsOf(inputs[0])};
  int64_t rank = inputs[0]->rank();
  if (axis < -rank || axis >= rank)
    return r.fail("concatenate", "axis " + llvm::Twine(axis) + " is outside " +
                                     shapeString(inputs[0]->shape()));
  axis += axis < 0 ? rank : 0;
  for (const NodeRef &x : inputs.drop_front()) {
    std::optional<DType> common = promote(dtype, x->dtype());
    if (!common)
      return r.fail("concatenate", llvm::Twine("no common dtype of ") +
                                       dtypeName(dtype) + " and " +
                                       dtypeName(x->dtype()));
    dtype = *common;
    operands.push_back(dimsOf(x));
  }
  if (!follow(r, "concatenate", shape::inferConcatenate(operands, axis), shape))
    return {};
  llvm::SmallVector<NodeRef> converted;
  llvm::SmallVector<Node *> nodes;
  for (const NodeRef &x : inputs) {
    converted.push_back(astype(r, x, dtype));
    if (!converted.back())
      return {};
    nodes.push_back(converted.back().get());
  }
  return make(r, OpKind::Concatenate, dtype, shape, nodes,
              tx::ConcatenateAttributes{axis});
}

NodeRef windows(Recorder &r, const NodeRef &x, Ints dims, Ints sizes,
                Ints strides, Ints dilations) {
  if (!x)
    return r.fail("windows", "the operand is an undefined tensor");
  Shape shape;
  if (!follow(r, "windows",
              shape::inferWindows(dimsOf(x), {dims, sizes, strides, dilations}),
              shape))
    return {};
  return make(r, OpKind::Windows, x->dtype(), shape, x.get(),
              tx::WindowsAttributes{dims, sizes, strides, dilations});
}

NodeRef expandDims(Recorder &r, const NodeRef &x, int64_t axis) {
  if (!x)
    return r.fail("expand_dims", "the operand is an undefined tensor");
  int64_t rank = x->rank();
  if (axis < -rank - 1 || axis > rank)
    return r.fail("expand_dims", "axis " + llvm::Twine(axis) + " is outside " +
                                     shapeString(x->shape()));
  Shape shape(x->shape().begin(), x->shape().end());
  shape.insert(shape.begin() + (axis < 0 ? axis + rank + 1 : axis), 1);
  return reshape(r, x, shape);
}

NodeRef squeeze(Recorder &r, const NodeRef &x, Ints axes) {
  if (!x)
    return r.fail("squeeze", "the operand is an undefined tensor");
  Shape dropped, shape;
  if (!normalizeAxes(r, "squeeze", *x.get(), axes, false, dropped))
    return {};
  for (auto [i, dim] : llvm::enumerate(x->shape())) {
    bool listed = llvm::is_contained(dropped, static_cast<int64_t>(i));
    if (listed && dim != 1)
      return r.fail("squeeze", "axis " + llvm::Twine(i) + " of " +
                                   shapeString(x->shape()) + " is not 1");
    if (!(listed || (axes.empty() && dim == 1)))
      shape.push_back(dim);
  }
  return reshape(r, x, shape);
}

} // namespace tensorc::graph
