//===- Elements.h - elements of arrays in host memory -----------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_ELEMENTS_H
#define TENSORC_RUNTIME_CORE_ELEMENTS_H

#include "tensorc/runtime.h"

#include <string>

namespace tensorc::rt {

/// A number as a double and as a 64-bit integer. The integer wraps for ui64,
/// and is 0 if a float does not fit.
struct Element {
  double number;
  int64_t integer;
};

/// Returns the element at a row-major index of dense memory. 4-bit integers are
/// packed, low nibble first.
Element elementAt(tensorc_rt_dtype dtype, const void *data, int64_t index);

bool isFloat(tensorc_rt_dtype dtype);
bool isComplex(tensorc_rt_dtype dtype);

/// Returns the product of the dims.
int64_t elementCount(const tensorc_rt_array &array);

/// Returns `tensor([[1.0, 2.0]], dtype=f32)`. Long dims show only their ends.
std::string arrayText(const tensorc_rt_array &array);

/// Counts NaNs and infinities among `count` elements; zero for integers.
tensorc_rt_nonfinite findNonfinite(tensorc_rt_dtype dtype, const void *data,
                                   int64_t count);

} // namespace tensorc::rt

#endif
