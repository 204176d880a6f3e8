//===- Windows.cpp - Expansions of pooling --------------------------------===//

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"
#include "ir/shape/LibraryRules.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;

namespace tensorc::tx {

using builder::dimsOf;
using builder::dtypeOf;
using builder::rankOf;
using builder::TensorBuilder;

//===----------------------------------------------------------------------===//
// Reductions of windows
//===----------------------------------------------------------------------===//

/// Returns the neutral element of the reduction, as a real number or an
/// integer.
static builder::Operand identityOf(WindowReduction reduction, DType dtype) {
  bool max = reduction == WindowReduction::Max;
  if (reduction == WindowReduction::Prod)
    return 1;
  if (!max && reduction != WindowReduction::Min)
    return 0;
  if (isFloat(dtype)) {
    double infinity = std::numeric_limits<double>::infinity();
    return max ? -infinity : infinity;
  }
  int64_t bits = bitWidth(dtype);
  if (isUnsigned(dtype))
    return static_cast<int64_t>(max ? uint64_t(0)
                                    : ~uint64_t(0) >> (64 - bits));
  int64_t least = INT64_MIN >> (64 - bits);
  return max ? least : ~least;
}

/// Pads x and reduces the windows that slide over it.
static Value reduceWindows(TensorBuilder &b, WindowReduction reduction, Value x,
                           const WindowAttributes &a) {
  SmallVector<int64_t> low(rankOf(x), 0), high(low), none(low), reduced;
  for (auto [i, dim] : llvm::enumerate(a.dims)) {
    low[dim] = a.low[i];
    high[dim] = a.high[i];
    reduced.push_back(rankOf(x) + i);
  }
  Value padded = b.pad(x, low, high, none, identityOf(reduction, dtypeOf(x)));
  Value views = b.windows(padded, a.dims, a.sizes, a.strides, a.dilations);
  switch (reduction) {
  case WindowReduction::Sum:
  case WindowReduction::Mean:
    return b.sum(views, reduced);
  case WindowReduction::Prod:
    return b.reduce<ProdOp>(views, reduced);
  case WindowReduction::Max:
    return b.largest(views, reduced);
  case WindowReduction::Min:
    return b.reduce<ReduceMinOp>(views, reduced);
  }
  llvm_unreachable("all reductions are listed");
}

static double elementsOf(ArrayRef<int64_t> sizes) {
  double count = 1;
  for (int64_t size : sizes)
    count *= static_cast<double>(size);
  return count;
}

Value ReduceWindowOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  auto [kind, dims, sizes, strides, dilations, low, high] =
      ReduceWindowAttributes::of(*this);
  WindowAttributes window{dims, sizes, strides, dilations, low, high};
  if (kind != WindowReduction::Mean)
    return reduceWindows(b, kind, getX(), window);
  Value sums = reduceWindows(b, kind, b.widen(getX()), window);
  return b.convertLike(b.div(sums, elementsOf(sizes)), getX());
}

Value MaxPoolOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  return reduceWindows(b, WindowReduction::Max, getX(),
                       WindowAttributes::of(*this));
}

/// Returns, for each window along one dim, the number of its elements whose
/// position is in [0, end).
static Value countAlong(TensorBuilder &b, shape::Dim windows, int64_t size,
                        int64_t stride, int64_t dilation, int64_t low,
                        shape::Dim end) {
  Value index = b.iota(DType::I64, windows, 0);
  Value first = b.sub(b.mul(index, stride), low);
  if (dilation != 1) {
    // Counts the positions below `end` minus the positions below 0.
    auto before = [&](Value distance) {
      Value whole = b.max(b.add(distance, dilation - 1), 0);
      return b.min(b.div(whole, dilation), size);
    };
    Value after = b.sub(b.size(end, DType::I64), first);
    return b.sub(before(after), before(b.neg(first)));
  }
  Value last = b.min(b.add(first, size), b.size(end, DType::I64));
  return b.sub(last, b.max(first, 0));
}

/// Divides the sums of windows by the number of elements of each window.
Value AvgPoolOp::expand(OpBuilder &builder) {
  TensorBuilder b(builder, *this);
  ArrayRef<int64_t> sizes = getSizes(), low = getLow(), high = getHigh();
  WindowAttributes window{getDims(),      sizes, getStrides(),
                          getDilations(), low,   high};
  Value sums = reduceWindows(b, WindowReduction::Sum, b.widen(getX()), window);
  Value result = sums;
  double common = 1;
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    bool overhangs = high[i] != getCountedHigh()[i];
    bool padded = low[i] != 0 || high[i] != 0;
    if (!overhangs && !(getExcludePadding() && padded)) {
      common *= static_cast<double>(sizes[i]);
      continue;
    }
    // Positions are relative to the first element that counts, in the padding
    // or in x.
    bool exclude = getExcludePadding();
    shape::Dim end =
        dimsOf(getX())[dim] + (exclude ? 0 : low[i] + getCountedHigh()[i]);
    Value count = countAlong(b, dimsOf(sums)[dim], sizes[i], getStrides()[i],
                             getDilations()[i], exclude ? low[i] : 0, end);
    result = b.div(result,
                   b.alongDim(b.convertLike(count, sums), dim, rankOf(sums)));
  }
  if (common != 1)
    result = b.div(result, common);
  return b.convertLike(result, getX());
}

} // namespace tensorc::tx
