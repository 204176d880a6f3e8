//===- NamedSlices.cpp - Slices whose start may be symbolic ---------------===//

#include "ir/builder/NamedSlices.h"

namespace tensorc::builder {

Value sliceFrom(TensorBuilder &b, Value x, int64_t dim, Dim begin, Dim count,
                int64_t step) {
  if (std::optional<int64_t> offset = begin.number())
    return b.sliceAlong(x, dim, *offset, count, step);
  Value places = b.mul(b.iota(DType::I64, count, 0), step);
  return b.take(x, b.add(places, b.size(begin, DType::I64)), dim);
}

Value reverseAlong(TensorBuilder &b, Value x, int64_t dim) {
  Dim size = dimsOf(x)[dim];
  if (size.isNumber())
    return size == 0 ? x : b.reverse(x, dim);
  return sliceFrom(b, x, dim, size - 1, size, -1);
}

} // namespace tensorc::builder
