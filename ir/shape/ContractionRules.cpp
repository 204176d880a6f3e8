//===- ContractionRules.cpp - Shape rules of reductions and contractions --===//

#include "ir/shape/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace llvm;

namespace tensorc::shape {

InferredShape inferReduction(Dims x, Numbers dims, bool chooses) {
  InferredShape result;
  int64_t last = -1;
  for (int64_t dim : dims) {
    if (dim <= last || dim >= static_cast<int64_t>(x.size())) {
      result.refuse("dims must increase strictly and lie inside rank " +
                    Twine(x.size()));
      return result;
    }
    last = dim;
    auto text = [&] {
      return "has no elements to choose from: " + shapeText(x);
    };
    if (chooses && !result.requireAtMost(1, x[dim], text))
      return result;
  }
  for (auto [i, size] : enumerate(x))
    if (!is_contained(dims, static_cast<int64_t>(i)))
      result.dims.push_back(size);
  return result;
}

/// Marks the dims of one operand that are batch or contracted. Rejects
/// duplicates and dims that are out of range.
static bool markDims(InferredShape &result, StringRef side,
                     SmallBitVector &seen, Numbers batch, Numbers contracting) {
  for (int64_t dim : concat<const int64_t>(batch, contracting)) {
    if (dim < 0 || dim >= static_cast<int64_t>(seen.size()))
      return result.refuse(side + " dimension " + Twine(dim) +
                           " is outside rank " + Twine(seen.size()));
    if (seen.test(dim))
      return result.refuse(side + " dimension " + Twine(dim) +
                           " is listed twice");
    seen.set(dim);
  }
  return true;
}

InferredShape inferDot(Dims x, Dims y, const DotNumbers &numbers) {
  InferredShape result;
  SmallBitVector ofX(x.size()), ofY(y.size());
  if (numbers.xBatch.size() != numbers.yBatch.size() ||
      numbers.xContracting.size() != numbers.yContracting.size())
    result.refuse("lists of dimensions differ in length");
  if (result.isRefused() ||
      !markDims(result, "x", ofX, numbers.xBatch, numbers.xContracting) ||
      !markDims(result, "y", ofY, numbers.yBatch, numbers.yContracting))
    return result;
  auto match = [&](StringRef what, Numbers xs, Numbers ys) {
    auto text = [&] {
      return (what + " dimensions differ: " + shapeText(x) + " x " +
              shapeText(y))
          .str();
    };
    return all_of(zip(xs, ys), [&](auto pair) {
      auto [a, b] = pair;
      return result.requireEqual(x[a], y[b], text);
    });
  };
  if (!match("inner", numbers.xContracting, numbers.yContracting) ||
      !match("batch", numbers.xBatch, numbers.yBatch))
    return result;
  for (int64_t dim : numbers.xBatch)
    result.dims.push_back(x[dim]);
  for (auto [dims, seen] : {std::pair(x, &ofX), std::pair(y, &ofY)})
    for (auto [i, size] : enumerate(dims))
      if (!seen->test(i))
        result.dims.push_back(size);
  return result;
}

} // namespace tensorc::shape
