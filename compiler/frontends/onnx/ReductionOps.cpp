//===- ReductionOps.cpp - ONNX's reductions, scans and sorting ------------===//

#include "compiler/frontends/onnx/NodeImport.h"

#include "llvm/ADT/Sequence.h"

namespace tensorc::onnx {

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

using Reduce = Value (*)(NodeImport &n, Value x, Numbers dims, bool keep);

/// Axes are an attribute until opset 17 (12 for ReduceSum), then an input.
template <Reduce fn> static void reduction(NodeImport &n) {
  Value x = n.in(0);
  auto given = n.listOf(1, "axes");
  bool keep = n.integer("keepdims", 1);
  if (n.isRefused())
    return;
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(x)));
  if (given && !given->empty())
    dims = n.axes(*given, rankOf(x));
  else if (n.flag("noop_with_empty_axes"))
    dims.clear();
  if (!n.isRefused())
    n.set(fn(n, x, dims, keep));
}

/// Converts f16 and bf16 to f32, because sums are rounded only once, as in
/// tx.sum. Ops before and after the sum are computed in f32, too.
static Value wide(NodeImport &n, Value x) {
  return n.isRefused() ? x : n.e.widen(x);
}

template <typename Op>
static Value plain(NodeImport &n, Value x, Numbers dims, bool keep) {
  return n.reduce<Op>(x, dims, keep);
}

/// Reduces by the maximum; also supports booleans.
static Value largest(NodeImport &n, Value x, Numbers dims, bool keep) {
  return n.reduce<tx::ReduceMaxOp>(x, dims, keep);
}
static Value smallest(NodeImport &n, Value x, Numbers dims, bool keep) {
  return n.reduce<tx::ReduceMinOp>(x, dims, keep);
}

static Value mean(NodeImport &n, Value x, Numbers dims, bool keep) {
  if (dims.empty() || tx::isFloat(dtypeOf(x)))
    return n.mean(x, dims, keep);
  // For integers the quotient is rounded toward zero.
  Dim count = 1;
  for (int64_t dim : dims)
    count = count * dimsOf(x)[dim];
  return n.div(n.sum(x, dims, keep), n.scalar(count, dtypeOf(x)));
}

static Value sumOfAbs(NodeImport &n, Value x, Numbers dims, bool keep) {
  return n.sum(n.abs(x), dims, keep);
}
static Value sumOfSquares(NodeImport &n, Value x, Numbers dims, bool keep) {
  return n.sum(n.mul(x, x), dims, keep);
}
static Value length(NodeImport &n, Value x, Numbers dims, bool keep) {
  bool isInteger = !tx::isFloat(dtypeOf(x));
  Value y = isInteger ? n.convert(x, DType::F64) : wide(n, x);
  return n.convertLike(n.sqrt(sumOfSquares(n, y, dims, keep)), x);
}
static Value logOfSum(NodeImport &n, Value x, Numbers dims, bool keep) {
  Value y = tx::isFloat(dtypeOf(x)) ? wide(n, x) : n.convert(x, DType::F64);
  return n.convertLike(n.log(n.sum(y, dims, keep)), x);
}
static Value logOfSumOfExp(NodeImport &n, Value x, Numbers dims, bool keep) {
  if (dims.empty())
    return x;
  Value y = tx::isFloat(dtypeOf(x)) ? x : n.convert(x, DType::F64);
  if (n.isRefused())
    return Value();
  return n.convertLike(n.make<tx::LogsumexpOp>(dtypeOf(y), y, dims, keep), x);
}

/// With select_last_index, searches from the end: the last of several equal
/// elements is the first one there.
template <typename Op> static void argOf(NodeImport &n) {
  Value x = n.in(0);
  if (n.isRefused())
    return;
  int64_t axis = n.axis(n.integer("axis", 0), rankOf(x));
  bool keep = n.integer("keepdims", 1), last = n.flag("select_last_index");
  if (n.isRefused())
    return;
  Dim size = dimsOf(x)[axis];
  if (last) {
    SmallVector<int64_t> offsets(rankOf(x), 0), strides(rankOf(x), 1);
    offsets[axis] = n.numberOf(size, "a dim with select_last_index") - 1;
    strides[axis] = -1;
    x = n.slice(x, offsets, strides, SmallVector<Dim>(dimsOf(x)));
  }
  Value place = n.isRefused()
                    ? Value()
                    : n.make<Op>(DType::I64, x, ArrayRef<int64_t>(axis));
  if (last)
    place = n.sub(n.scalar(size - 1, DType::I64), place);
  n.set(keep ? n.unsqueeze(place, {axis}) : place);
}

//===----------------------------------------------------------------------===//
// Scans and sorting
//===----------------------------------------------------------------------===//

template <typename Op> static void scanAlong(NodeImport &n) {
  Value x = n.in(0);
  std::vector<int64_t> axis = n.numbers(n.in(1), "the axis");
  if (axis.size() != 1)
    n.refuse("the axis is not one number");
  if (n.isRefused())
    return;
  int64_t dim = n.axis(axis[0], rankOf(x));
  n.set(n.make<Op>(dtypeOf(x), x, dim, n.flag("reverse"), n.flag("exclusive")));
}

static void topK(NodeImport &n) {
  Value x = n.in(0);
  SmallVector<Dim> count;
  if (n.opset < 10)
    count.push_back(n.integer("k", 0));
  else
    count = n.sizes(n.in(1), "k");
  if (count.size() != 1)
    n.refuse("k is not one number");
  if (n.isRefused())
    return;
  int64_t axis = n.axis(n.integer("axis", -1), rankOf(x));
  bool descends = n.integer("largest", 1);
  if (n.isRefused())
    return;
  Value order = n.make<tx::ArgsortOp>(DType::I64, x, axis, descends);
  Value sorted = n.make<tx::SortOp>(dtypeOf(x), x, axis, descends);
  if (n.isRefused())
    return;
  SmallVector<int64_t> offsets(rankOf(x), 0), strides(rankOf(x), 1);
  SmallVector<Dim> sizes(dimsOf(x));
  sizes[axis] = count[0];
  if (n.wants(0))
    n.set(0, n.slice(sorted, offsets, strides, sizes));
  if (n.wants(1))
    n.set(1, n.slice(order, offsets, strides, sizes));
}

ArrayRef<OpVersion> reductionOps() {
  static constexpr OpVersion ops[] = {
      {"ArgMax", 1, argOf<tx::ArgmaxOp>},
      {"ArgMin", 1, argOf<tx::ArgminOp>},
      {"CumProd", 26, scanAlong<tx::CumprodOp>},
      {"CumSum", 11, scanAlong<tx::CumsumOp>},
      {"ReduceL1", 1, reduction<sumOfAbs>},
      {"ReduceL2", 1, reduction<length>},
      {"ReduceLogSum", 1, reduction<logOfSum>},
      {"ReduceLogSumExp", 1, reduction<logOfSumOfExp>},
      {"ReduceMax", 1, reduction<largest>},
      {"ReduceMean", 1, reduction<mean>},
      {"ReduceMin", 1, reduction<smallest>},
      {"ReduceProd", 1, reduction<plain<tx::ProdOp>>},
      {"ReduceSum", 1, reduction<plain<tx::SumOp>>},
      {"ReduceSumSquare", 1, reduction<sumOfSquares>},
      {"TopK", 1, topK},
  };
  return ops;
}

} // namespace tensorc::onnx
