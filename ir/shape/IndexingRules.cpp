//===- IndexingRules.cpp - Shape rules of ops whose indices are tensors ---===//

#include "ir/shape/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace llvm;

namespace tensorc::shape {

/// True if the dims are distinct, in [0, rank) and, if `increase` is set,
/// increasing.
static bool areDims(Numbers dims, int64_t rank, bool increase) {
  SmallBitVector seen(rank);
  int64_t last = -1;
  for (int64_t d : dims) {
    if (d < 0 || d >= rank || seen.test(d) || (increase && d < last))
      return false;
    seen.set(d);
    last = d;
  }
  return true;
}

/// Checks that the lists are consistent. Sets `batch` to the dims of the
/// indices without the dim of the vectors' components.
static bool checkNumbers(InferredShape &result, Dims x, Dims indices,
                         const IndexNumbers &numbers,
                         SmallVectorImpl<Dim> &batch) {
  int64_t rank = x.size(), vectorDim = numbers.vectorDim;
  if (vectorDim < 0 || vectorDim > static_cast<int64_t>(indices.size()))
    return result.refuse("the dimension of index vectors, " + Twine(vectorDim) +
                         ", is outside " + shapeText(indices));
  batch.assign(indices.begin(), indices.end());
  Dim components = 1;
  if (vectorDim < static_cast<int64_t>(batch.size())) {
    components = batch[vectorDim];
    batch.erase(batch.begin() + vectorDim);
  }
  int64_t mapped = numbers.mapped.size();
  auto text = [&] {
    return "index vectors have " + toString(components) + " components for " +
           std::to_string(mapped) + " dimensions";
  };
  if (!result.requireEqual(components, mapped, text))
    return false;
  if (!areDims(numbers.mapped, rank, false))
    return result.refuse("the dimensions that index vectors are for must "
                         "differ and lie inside " +
                         shapeText(x));
  if (!areDims(numbers.dropped, rank, true))
    return result.refuse("the dimensions that windows lack must increase and "
                         "lie inside " +
                         shapeText(x));
  int64_t windows = numbers.window.size();
  if (windows + static_cast<int64_t>(numbers.dropped.size()) != rank)
    return result.refuse("windows have " + Twine(windows) +
                         " dimensions and lack " +
                         Twine(numbers.dropped.size()) + " of " + shapeText(x));
  if (!areDims(numbers.window, batch.size() + windows, true))
    return result.refuse(
        "the dimensions of windows must increase inside rank " +
        Twine(batch.size() + windows));
  return true;
}

/// Checks a slice along dim d of x, which must have at least `least` elements
/// along it. The default is the size of the slice.
static bool checkSlice(InferredShape &result, Dims x, size_t d, Dim size,
                       std::optional<Dim> least = std::nullopt) {
  auto text = [&] {
    return ("a slice of " + toString(size) + " does not fit into dimension " +
            Twine(d) + " of " + shapeText(x))
        .str();
  };
  return size == x[d] || result.requireAtMost(least.value_or(size), x[d], text);
}

/// Converts slice sizes to dims; -1 represents x's size. `least` is the minimum
/// size of x along a dim in which slices have one element.
static bool checkSlices(InferredShape &result, Dims x, Numbers sizes,
                        SmallVectorImpl<Dim> &slices, Dim least = Dim(1)) {
  if (sizes.size() != x.size())
    return result.refuse("needs a slice size for each dimension of " +
                         shapeText(x));
  for (auto [d, size] : enumerate(sizes)) {
    if (size < -1)
      return result.refuse("the slice size of dimension " + Twine(d) +
                           " is negative");
    slices.push_back(size == -1 ? x[d] : Dim(size));
    if (!checkSlice(result, x, d, slices.back(),
                    size == 1 ? least : slices.back()))
      return false;
  }
  return true;
}

InferredShape inferGather(Dims x, Dims indices, const IndexNumbers &numbers,
                          Numbers sliceSizes) {
  InferredShape result;
  SmallVector<Dim, 4> batch, slices;
  if (!checkNumbers(result, x, indices, numbers, batch))
    return result;
  // Without index vectors nothing is read from x, so x may be empty.
  if (!checkSlices(result, x, sliceSizes, slices, min(Dim(1), product(batch))))
    return result;
  for (int64_t d : numbers.dropped)
    if (sliceSizes[d] != 1) {
      result.refuse("dimension " + Twine(d) +
                    ", which windows lack, has slice size " +
                    Twine(sliceSizes[d]) + ", not 1");
      return result;
    }
  SmallVector<Dim, 4> window;
  for (auto [d, size] : enumerate(slices))
    if (!is_contained(numbers.dropped, static_cast<int64_t>(d)))
      window.push_back(size);
  for (size_t d = 0, b = 0, w = 0; d < batch.size() + window.size(); ++d)
    result.dims.push_back(is_contained(numbers.window, static_cast<int64_t>(d))
                              ? window[w++]
                              : batch[b++]);
  return result;
}

InferredShape inferScatter(Dims x, Dims indices, Dims updates,
                           const IndexNumbers &numbers) {
  InferredShape result;
  SmallVector<Dim, 4> batch;
  if (!checkNumbers(result, x, indices, numbers, batch))
    return result;
  auto text = [&] {
    return "updates " + shapeText(updates) + " do not fit to indices " +
           shapeText(indices) + " into " + shapeText(x);
  };
  if (updates.size() != batch.size() + numbers.window.size()) {
    result.refuse(text());
    return result;
  }
  for (size_t d = 0, b = 0; d < updates.size(); ++d)
    if (!is_contained(numbers.window, static_cast<int64_t>(d)) &&
        !result.requireEqual(updates[d], batch[b++], text))
      return result;
  for (size_t d = 0, w = 0; d < x.size(); ++d)
    if (!is_contained(numbers.dropped, static_cast<int64_t>(d)) &&
        !checkSlice(result, x, d, updates[numbers.window[w++]]))
      return result;
  append_range(result.dims, x);
  return result;
}

InferredShape inferDynamicSlice(Dims x, Numbers sizes) {
  InferredShape result;
  SmallVector<Dim, 4> slices;
  if (checkSlices(result, x, sizes, slices))
    append_range(result.dims, slices);
  return result;
}

InferredShape inferDynamicUpdateSlice(Dims x, Dims update) {
  InferredShape result;
  if (update.size() != x.size()) {
    result.refuse("update has rank " + Twine(update.size()) + ", the operand " +
                  Twine(x.size()));
    return result;
  }
  for (auto [d, size] : enumerate(update))
    if (!checkSlice(result, x, d, size))
      return result;
  append_range(result.dims, x);
  return result;
}

} // namespace tensorc::shape
