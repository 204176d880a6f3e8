//===- Types.h - sizes of element types, checked arithmetic -----*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_TYPES_H
#define TENSORC_RUNTIME_CORE_TYPES_H

#include "tensorc/runtime.h"

#include <cstdint>

namespace tensorc::rt {

/// Bits of one element, 0 for what is not a dtype.
int32_t bitsOf(tensorc_rt_dtype dtype);

/// Whether kernels see the memory as another dtype: 4-bit integers as bytes,
/// complex numbers as their parts.
bool isExpanded(tensorc_rt_dtype dtype);

/// Bytes of a dense value; false when a dim is negative or the size overflows.
bool byteSize(tensorc_rt_dtype dtype, int32_t rank, const int64_t *dims,
              int64_t &bytes);

} // namespace tensorc::rt

#endif
