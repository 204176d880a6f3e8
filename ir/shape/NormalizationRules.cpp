//===- NormalizationRules.cpp - Shape rules of norms and losses -----------===//

#include "ir/shape/LibraryRules.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tensorc::shape {

InferredShape inferSame(Dims x) {
  InferredShape result;
  append_range(result.dims, x);
  return result;
}

InferredShape inferSameAs(Dims x, Dims y) {
  InferredShape result = inferSame(x);
  result.requireAllEqual(x, y, [&] {
    return "shapes differ: " + shapeText(x) + " and " + shapeText(y);
  });
  return result;
}

static bool requireDim(InferredShape &result, Dims x, int64_t dim) {
  if (dim >= 0 && dim < static_cast<int64_t>(x.size()))
    return true;
  return result.refuse("dimension " + Twine(dim) + " is outside " +
                       shapeText(x));
}

InferredShape inferAlong(Dims x, int64_t dim) {
  InferredShape result = inferSame(x);
  requireDim(result, x, dim);
  return result;
}

InferredShape inferKeptReduction(Dims x, Numbers dims, bool keepDims) {
  InferredShape result = inferReduction(x, dims, /*chooses=*/false);
  if (result.isRefused() || !keepDims)
    return result;
  result.dims.assign(x.begin(), x.end());
  for (int64_t dim : dims)
    result.dims[dim] = 1;
  return result;
}

static bool requireOneDim(InferredShape &result, Dims x) {
  return !x.empty() || result.refuse("needs at least one dimension");
}

InferredShape inferLayerNorm(Dims x, OptionalDims scale, OptionalDims bias) {
  InferredShape result = inferSame(x);
  if (!requireOneDim(result, x))
    return result;
  for (OptionalDims extra : {scale, bias}) {
    auto text = [&] {
      return "scale and bias must be of shape " + shapeText(x.take_back()) +
             ", not " + shapeText(*extra);
    };
    if (extra && !result.requireAllEqual(*extra, x.take_back(), text))
      return result;
  }
  return result;
}

static bool requirePerChannel(InferredShape &result, Dims x,
                              ArrayRef<OptionalDims> lists, int64_t dim) {
  for (OptionalDims list : lists) {
    auto text = [&] {
      return "needs one number per channel of " + shapeText(x) + ", of shape " +
             shapeText(x[dim]) + ", not " + shapeText(*list);
    };
    if (list && !result.requireAllEqual(*list, x[dim], text))
      return false;
  }
  return true;
}

InferredShape inferRmsNorm(Dims x, OptionalDims scale) {
  InferredShape result = inferSame(x);
  if (requireOneDim(result, x))
    requirePerChannel(result, x, scale, x.size() - 1);
  return result;
}

static bool requireImages(InferredShape &result, Dims x) {
  return x.size() >= 2 ||
         result.refuse("needs images and channels, not " + shapeText(x));
}

InferredShape inferGroupNorm(Dims x, OptionalDims scale, OptionalDims bias,
                             int64_t groups) {
  InferredShape result = inferSame(x);
  if (!requireImages(result, x))
    return result;
  auto text = [&] {
    return (Twine(groups) + " groups do not divide the " + toString(x[1]) +
            " channels of " + shapeText(x))
        .str();
  };
  if (groups < 1)
    result.refuse(text());
  else if (result.requireAtMost(mod(x[1], groups), 0, text))
    requirePerChannel(result, x, {scale, bias}, 1);
  return result;
}

InferredShape inferBatchNorm(Dims x, ArrayRef<OptionalDims> lists,
                             int64_t dim) {
  InferredShape result = inferSame(x);
  if (requireImages(result, x) && requireDim(result, x, dim))
    requirePerChannel(result, x, lists, dim);
  return result;
}

InferredShape inferCrossEntropy(Dims logits, Dims labels, OptionalDims weight,
                                bool isReduced) {
  InferredShape result;
  if (logits.empty()) {
    result.refuse("needs a dimension of classes");
    return result;
  }
  int64_t dim = logits.size() == 1 ? 0 : 1;
  SmallVector<Dim> expected(logits);
  expected.erase(expected.begin() + dim);
  auto text = [&] {
    return "labels for " + shapeText(logits) + " must be of shape " +
           shapeText(expected) + ", not " + shapeText(labels);
  };
  auto ofWeight = [&] {
    return "weights must be of shape " + shapeText(logits[dim]) + ", not " +
           shapeText(*weight);
  };
  if (!result.requireAllEqual(labels, expected, text) ||
      (weight && !result.requireAllEqual(*weight, logits[dim], ofWeight)))
    return result;
  if (!isReduced)
    append_range(result.dims, expected);
  return result;
}

} // namespace tensorc::shape
