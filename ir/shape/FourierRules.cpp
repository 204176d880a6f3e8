//===- FourierRules.cpp - Shape rules of Fourier transforms ---------------===//

#include "ir/shape/LibraryRules.h"

using namespace llvm;

namespace tensorc::shape {

InferredShape inferFft(Dims x, int64_t length) {
  InferredShape result;
  if (length < 1) {
    result.refuse("a transform has at least one element, not " + Twine(length));
    return result;
  }
  if (x.size() < 2) {
    result.refuse("needs real and imaginary parts, so at least two "
                  "dimensions, not " +
                  shapeText(x));
    return result;
  }
  auto parts = [&] {
    return "the first dimension is real and imaginary parts, so 2, of " +
           shapeText(x);
  };
  auto last = [&] {
    return "the last dimension is to be " + std::to_string(length) + ", of " +
           shapeText(x) + ": a transform's length is known when it is compiled";
  };
  if (result.requireEqual(x.front(), Dim(2), parts) &&
      result.requireEqual(x.back(), Dim(length), last))
    result.dims.append(x.begin(), x.end());
  return result;
}

InferredShape inferFourier(Dims x, Numbers lengths, Numbers dims, bool toHalf,
                           bool fromHalf) {
  InferredShape result;
  result.dims.append(x.begin(), x.end());
  if (dims.empty() || dims.size() != lengths.size()) {
    result.refuse("needs a length for each of at least one dimension, not " +
                  Twine(lengths.size()) + " for " + Twine(dims.size()));
    return result;
  }
  for (auto [i, length, dim] : enumerate(lengths, dims)) {
    if (length < 1) {
      result.refuse("a transform has at least one element, not " +
                    Twine(length));
      return result;
    }
    if (dim < 0 || dim >= static_cast<int64_t>(x.size()) ||
        is_contained(dims.take_front(i), dim)) {
      result.refuse("the dimensions must be different ones of " + shapeText(x));
      return result;
    }
    bool isLast = i + 1 == dims.size();
    int64_t half = length / 2 + 1;
    int64_t wanted = fromHalf && isLast ? half : length;
    auto text = [&, dim = dim] {
      return "dimension " + std::to_string(dim) + " is to be " +
             std::to_string(wanted) + ", of " + shapeText(x) +
             ": a transform's length is known when it is compiled";
    };
    if (!result.requireEqual(x[dim], Dim(wanted), text))
      return result;
    result.dims[dim] = Dim(toHalf && isLast ? half : length);
  }
  return result;
}

} // namespace tensorc::shape
