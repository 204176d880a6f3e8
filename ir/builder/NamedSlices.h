//===- NamedSlices.h - Slices whose start may be symbolic -----------------===//
#ifndef TENSORC_IR_BUILDER_NAMEDSLICES_H
#define TENSORC_IR_BUILDER_NAMEDSLICES_H

#include "ir/builder/TensorBuilder.h"

namespace tensorc::builder {

/// Returns `count` elements along a dim, from `begin` on and with stride
/// `step`. Creates a slice if `begin` is a number, otherwise a gather, which
/// clamps positions that are out of bounds.
Value sliceFrom(TensorBuilder &b, Value x, int64_t dim, Dim begin, Dim count,
                int64_t step = 1);
/// Reverses the elements along a dim, whose size may be symbolic.
Value reverseAlong(TensorBuilder &b, Value x, int64_t dim);

} // namespace tensorc::builder

#endif // TENSORC_IR_BUILDER_NAMEDSLICES_H
