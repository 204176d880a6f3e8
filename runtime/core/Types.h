//===- Types.h - sizes of element types, checked arithmetic -----*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_TYPES_H
#define TENSORC_RUNTIME_CORE_TYPES_H

#include "tensorc/runtime.h"

#include <cstdint>

namespace tensorc::rt {

/// Bits per element, or 0 for an invalid dtype.
int32_t bitsOf(tensorc_rt_dtype dtype);

/// True if kernels access memory of this dtype as elements of another dtype:
/// 4-bit integers as bytes, complex numbers as their parts.
bool isExpanded(tensorc_rt_dtype dtype);

/// Computes the number of bytes of a dense value. Returns false if a dim is
/// negative or the size overflows.
bool byteSize(tensorc_rt_dtype dtype, int32_t rank, const int64_t *dims,
              int64_t &bytes);

} // namespace tensorc::rt

#endif
