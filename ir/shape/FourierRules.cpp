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

} // namespace tensorc::shape
