//===- ShapeOps.cpp - ONNX ops that make and move elements ----------------===//

#include "compiler/frontends/onnx/GraphImport.h"

#include "llvm/ADT/Sequence.h"

namespace tensorc::onnx {

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static Value constantOf(NodeImport &n, const Tensor &tensor) {
  std::string why;
  Value value = n.graph.constant(tensor, why);
  return value ? value : n.refuse("the value " + why);
}

static Value realVector(NodeImport &n, ArrayRef<float> values) {
  auto type = mlir::RankedTensorType::get({static_cast<int64_t>(values.size())},
                                          n.b.getF32Type());
  return tx::ConstantOp::create(n.b, n.loc, type,
                                mlir::DenseElementsAttr::get(type, values));
}

static void constant(NodeImport &n) {
  if (const Attribute *value = n.attribute("value")) {
    if (!value->tensor)
      n.refuse("the value is not a tensor");
    else
      n.set(constantOf(n, *value->tensor));
  } else if (n.attribute("value_float")) {
    n.set(n.full(n.real("value_float", 0), DType::F32));
  } else if (n.attribute("value_int")) {
    n.set(n.full(n.integer("value_int", 0), DType::I64));
  } else if (auto reals = n.reals("value_floats")) {
    n.set(realVector(n, *reals));
  } else if (auto integers = n.integers("value_ints")) {
    n.set(n.vector(shape::dimsOf(*integers)));
  } else if (n.attribute("sparse_value")) {
    n.refuse("the value is sparse, and tensorc has dense tensors only");
  } else {
    n.refuse("the value is a string or missing");
  }
}

static void constantOfShape(NodeImport &n) {
  SmallVector<Dim> dims = n.sizes(n.in(0), "the shape");
  Value value = n.full(0.0, DType::F32);
  if (const Attribute *given = n.attribute("value"); given && given->tensor)
    value = constantOf(n, *given->tensor);
  if (n.isRefused())
    return;
  for (Dim dim : dims)
    if (shape::isLess(dim, 0) == true) {
      n.refuse("a size is negative");
      return;
    }
  n.set(n.broadcast(n.reshape(value, {}), dims));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static void shapeOf(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x);
  auto clamp = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  int64_t begin = clamp(n.integer("start", 0)),
          end = std::max(begin, clamp(n.integer("end", rank)));
  n.set(n.vector(SmallVector<Dim>(dimsOf(x).slice(begin, end - begin))));
}

static void sizeOf(NodeImport &n) {
  Value x = n.in(0);
  if (!n.isRefused())
    n.set(n.scalar(shape::product(dimsOf(x)), DType::I64));
}

/// Returns a / b if a is a multiple of b, else nullopt.
static std::optional<Dim> quotient(Dim a, Dim b) {
  if (b == 0)
    return std::nullopt;
  if (a == b)
    return Dim(1);
  // Divides out the constant and the symbols that b shares with a.
  Dim result = shape::floorDiv(a, b);
  if (!result.isNone() && result * b == a)
    return result;
  if (b.terms().size() != 1 || b.constant() != 0 || a.constant() != 0)
    return std::nullopt;
  shape::Term divisor = b.terms()[0];
  Dim total = 0;
  for (const shape::Term &term : a.terms()) {
    SmallVector<Dim> factors(term.factors);
    for (Dim factor : divisor.factors) {
      auto *it = llvm::find(factors, factor);
      if (it == factors.end())
        return std::nullopt;
      factors.erase(it);
    }
    if (term.coefficient % divisor.coefficient)
      return std::nullopt;
    total = total + Dim(term.coefficient / divisor.coefficient) *
                        shape::product(factors);
  }
  return total;
}

static void reshape(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  SmallVector<Dim> dims;
  if (n.opset < 5)
    for (int64_t size : n.integers("shape").value_or(std::vector<int64_t>()))
      dims.push_back(size);
  else
    dims = n.sizes(n.in(1), "the shape");
  if (n.isRefused())
    return;
  bool keepsZero = n.flag("allowzero");
  SmallVector<Dim> own(dimsOf(x));
  std::optional<size_t> rest;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim == 0 && !keepsZero) {
      if (i >= own.size()) {
        n.refuse("the shape has a 0 where the input has no dim");
        return;
      }
      dim = own[i];
    } else if (dim == -1) {
      if (rest) {
        n.refuse("the shape has two sizes of -1");
        return;
      }
      rest = i;
    } else if (shape::isLess(dim, 0) == true) {
      n.refuse("the shape has the size " + toString(dim));
      return;
    }
  }
  if (rest) {
    dims[*rest] = 1;
    Dim others = shape::product(dims), all = shape::product(own);
    std::optional<Dim> size = quotient(all, others);
    if (!size && others == 0) {
      n.refuse("a size of -1 beside one of 0 could be any");
      return;
    }
    dims[*rest] = size ? *size : shape::floorDiv(all, others);
    if (dims[*rest].isNone()) {
      n.refuse("the size that -1 stands for is not known");
      return;
    }
  }
  n.set(n.reshape(x, dims));
}

static void flatten(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x), axis = n.integer("axis", 1);
  axis = axis == rank ? axis : n.axis(axis, rank);
  if (n.isRefused())
    return;
  SmallVector<Dim> dims(dimsOf(x));
  SmallVector<Dim> flat{shape::product(ArrayRef(dims).take_front(axis)),
                        shape::product(ArrayRef(dims).drop_front(axis))};
  n.set(n.reshape(x, flat));
}

static void squeeze(NodeImport &n) {
  Value x = n.in(0);
  auto given = n.opset < 13 ? n.integers("axes") : n.listOf(1, "axes");
  if (n.isRefused())
    return;
  SmallVector<int64_t> dims;
  if (given)
    dims = n.axes(*given, rankOf(x));
  else
    for (auto [d, size] : llvm::enumerate(dimsOf(x)))
      if (size == 1)
        dims.push_back(static_cast<int64_t>(d));
  n.set(n.squeeze(x, dims));
}

static void unsqueeze(NodeImport &n) {
  Value x = n.in(0);
  auto given = n.opset < 13 ? n.integers("axes") : n.listOf(1, "axes");
  if (!given)
    n.refuse("the axes are missing");
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x) + static_cast<int64_t>(given->size());
  n.set(n.unsqueeze(x, n.axes(*given, rank)));
}

static void expand(NodeImport &n) {
  Value x = n.in(0);
  SmallVector<Dim> asked = n.sizes(n.in(1), "the shape");
  if (n.isRefused())
    return;
  SmallVector<Dim> own(dimsOf(x));
  // Exporters write -1 for a dim that is not changed.
  for (auto [i, dim] : llvm::enumerate(asked)) {
    int64_t at = static_cast<int64_t>(own.size() + i) -
                 static_cast<int64_t>(asked.size());
    if (dim == -1 && at >= 0)
      dim = own[at];
  }
  SmallVector<Dim> dims = n.commonDims({own, asked});
  n.set(n.isRefused() ? Value() : n.broadcast(x, dims));
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

static void transpose(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  int64_t rank = rankOf(x);
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  if (auto given = n.integers("perm"); given && !given->empty()) {
    permutation.clear();
    for (int64_t axis : *given)
      permutation.push_back(n.axis(axis, rank));
    if (static_cast<int64_t>(permutation.size()) != rank)
      n.refuse("perm has another length than the rank");
    n.axes(*given, rank);
  }
  n.set(n.transpose(x, permutation));
}

static void concat(NodeImport &n) {
  SmallVector<Value> parts = n.all();
  if (parts.empty())
    n.refuse("has no inputs");
  if (n.isRefused())
    return;
  for (Value part : parts)
    if (dtypeOf(part) != dtypeOf(parts[0])) {
      n.refuse("the dtypes of the inputs differ");
      return;
    }
  int64_t axis =
      n.axis(n.integer("axis", n.opset < 4 ? 1 : 0), rankOf(parts[0]));
  n.set(n.concatenate(parts, axis));
}

/// Returns the sizes of the parts into which a dim is split. They are equal,
/// but since opset 18 the last one may be smaller. Their number is num_outputs,
/// by default the number of outputs.
static SmallVector<Dim> equalParts(NodeImport &n, Dim whole) {
  auto outputs = static_cast<int64_t>(n.node.outputs.size());
  int64_t parts = n.integer("num_outputs", outputs);
  if (parts < 1 || parts > (1 << 20)) {
    n.refuse("cannot split into " + llvm::Twine(parts) + " parts");
    return {};
  }
  Dim each = shape::ceilDiv(whole, parts);
  SmallVector<Dim> sizes;
  for (int64_t i = 0; i < parts; ++i) {
    Dim left = whole - each * i;
    // If a symbolic size is too small for this number of parts, the run fails.
    if (!whole.isNumber())
      sizes.push_back(i + 1 < parts ? each : left);
    else
      sizes.push_back(shape::max(0, shape::min(each, left)));
  }
  return sizes;
}

static void split(NodeImport &n) {
  Value x = n.in(0);
  int64_t axis = n.isRefused() ? 0 : n.axis(n.integer("axis", 0), rankOf(x));
  if (n.isRefused())
    return;
  Dim whole = dimsOf(x)[axis];
  SmallVector<Dim> sizes;
  if (n.opset >= 13 && n.has(1))
    sizes = n.sizes(n.in(1), "the sizes of the parts");
  else if (auto given = n.opset < 13 ? n.integers("split") : std::nullopt)
    sizes.assign(given->begin(), given->end());
  else
    sizes = equalParts(n, whole);
  for (Dim size : sizes)
    if (shape::isLess(size, 0) == true)
      n.refuse("a part has a negative size");
  Dim total = shape::sum(sizes);
  if (!n.isRefused() && shape::isEqual(total, whole) == false)
    n.refuse("the parts have " + toString(total) +
             " elements together, and the dim has " + toString(whole));
  if (n.isRefused())
    return;
  SmallVector<Dim> dims(dimsOf(x));
  dims[axis] = total;
  x = n.agree(x, dims);
  Dim begin = 0;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (n.wants(i))
      n.set(i, n.part(x, axis, begin, size));
    begin = begin + size;
  }
}

namespace {
/// A slice along one dim.
struct Piece {
  Dim first, count;
  int64_t axis = 0, step = 1;
};
} // namespace

static Piece pieceOf(Dim size, Dim start, Dim end, int64_t step) {
  // Converts positions: negative ones count from the end, and those beyond the
  // edges are clamped.
  auto place = [&](Dim at, int64_t low, Dim high) -> Dim {
    if (std::optional<int64_t> number = at.number()) {
      if (*number >= INT32_MAX)
        return high;
      if (*number <= INT32_MIN + 1)
        return low;
    }
    Dim from = shape::isLess(at, 0) == true ? at + size : at;
    if (shape::isLess(from, low) == true)
      return low;
    if (shape::isLess(high, from) == true)
      return high;
    bool fits =
        shape::isLess(from, low) == false && shape::isLess(high, from) == false;
    return fits ? from : shape::min(shape::max(from, low), high);
  };
  bool forward = step > 0;
  Dim first = place(start, 0, forward ? size : size - 1);
  Dim last = place(end, forward ? 0 : -1, forward ? size : size - 1);
  if (!forward && start.number() && *start.number() <= INT32_MIN + 1)
    first = -1;
  Dim length = forward ? last - first : first - last;
  Dim count = shape::isLess(length, 0) == true
                  ? Dim(0)
                  : shape::ceilDiv(length, std::abs(step));
  if (shape::isLess(count, 0) != false)
    count = shape::max(count, 0);
  return {count == 0 ? Dim(0) : first, count};
}

/// Clamps the starts or ends of slices. Exporters write the largest integers
/// for an edge, which are out of the range of sizes.
static SmallVector<Dim> edges(ArrayRef<int64_t> numbers) {
  return llvm::map_to_vector(numbers, [](int64_t number) {
    return Dim(std::clamp<int64_t>(number, INT32_MIN, INT32_MAX));
  });
}

static SmallVector<Dim> edges(NodeImport &n, Value value, StringRef what) {
  if (n.isRefused())
    return {};
  if (auto numbers = n.known().numbers(value))
    return edges(*numbers);
  return n.sizes(value, what);
}

static void slice(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  SmallVector<Dim> starts, ends, dims(dimsOf(x));
  std::vector<int64_t> axes, steps;
  int64_t rank = rankOf(x);
  if (n.opset < 10) {
    starts = edges(n.integers("starts").value_or(std::vector<int64_t>()));
    ends = edges(n.integers("ends").value_or(std::vector<int64_t>()));
    if (auto given = n.integers("axes"))
      axes = *given;
  } else {
    starts = edges(n, n.in(1), "where a slice begins");
    ends = edges(n, n.in(2), "where a slice ends");
    if (n.has(3))
      axes = n.numbers(n.in(3), "the axes");
    if (n.has(4))
      steps = n.numbers(n.in(4), "the steps");
  }
  if (axes.empty())
    for (size_t i = 0; i < starts.size(); ++i)
      axes.push_back(static_cast<int64_t>(i));
  steps.resize(std::max(starts.size(), steps.size()), 1);
  if (starts.size() != ends.size() || starts.size() != axes.size() ||
      steps.size() != starts.size())
    n.refuse("starts, ends, axes and steps have different lengths");
  n.axes(axes, rank);
  if (n.isRefused())
    return;
  SmallVector<int64_t> offsets(rank, 0), strides(rank, 1);
  SmallVector<Dim> counts(dims);
  // Slices that begin at a symbolic size. They are applied last.
  SmallVector<Piece> moving;
  for (auto [i, given] : llvm::enumerate(axes)) {
    int64_t axis = n.axis(given, rank);
    if (steps[i] == 0)
      n.refuse("a step is 0");
    if (n.isRefused())
      return;
    Piece piece = pieceOf(dims[axis], starts[i], ends[i], steps[i]);
    piece.axis = axis, piece.step = steps[i];
    if (piece.first.isNone() || piece.count.isNone()) {
      n.refuse("begins at " + toString(starts[i]) + " of a dim of size " +
               toString(dims[axis]) + ", which is not known to lie inside");
      return;
    }
    if (!piece.first.isNumber()) {
      moving.push_back(piece);
      continue;
    }
    offsets[axis] = *piece.first.number();
    strides[axis] = steps[i];
    counts[axis] = piece.count;
  }
  Value y = n.slice(x, offsets, strides, counts);
  for (const Piece &piece : moving)
    y = n.part(y, piece.axis, piece.first, piece.count, piece.step);
  n.set(y);
}

static void gather(NodeImport &n) {
  Value x = n.in(0), indices = n.in(1);
  if (n.isRefused())
    return;
  int64_t axis = n.axis(n.integer("axis", 0), rankOf(x));
  n.set(n.take(x, indices, axis));
}

ArrayRef<OpVersion> shapeOps() {
  static constexpr OpVersion ops[] = {
      {"Concat", 1, concat},
      {"Constant", 1, constant},
      {"ConstantOfShape", 9, constantOfShape},
      {"Expand", 8, expand},
      {"Flatten", 1, flatten},
      {"Gather", 1, gather},
      {"Reshape", 1, reshape},
      {"Shape", 1, shapeOf},
      {"Size", 1, sizeOf},
      {"Slice", 1, slice},
      {"Split", 2, split},
      {"Squeeze", 1, squeeze},
      {"Transpose", 1, transpose},
      {"Unsqueeze", 1, unsqueeze},
  };
  return ops;
}

} // namespace tensorc::onnx
