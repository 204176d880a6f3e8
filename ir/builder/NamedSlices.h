//===- NamedSlices.h - Slices that begin at named sizes -------------------===//
#ifndef TENSORC_IR_BUILDER_NAMEDSLICES_H
#define TENSORC_IR_BUILDER_NAMEDSLICES_H

#include "ir/builder/TensorBuilder.h"

namespace tensorc::builder {

/// `count` elements along a dim from `begin` on, `step` apart: a slice where
/// that is a number; else they are looked up, which a place outside moves to
/// the edge.
Value sliceFrom(TensorBuilder &b, Value x, int64_t dim, Dim begin, Dim count,
                int64_t step = 1);
/// The elements along a dim of any size in reverse.
Value reverseAlong(TensorBuilder &b, Value x, int64_t dim);

} // namespace tensorc::builder

#endif // TENSORC_IR_BUILDER_NAMEDSLICES_H
