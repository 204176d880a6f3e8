//===- BlockSizes.h - the memory that a buffer takes ------------*- C++ -*-===//
//
// The compiler predicts with these rules whether a program fits into a limit.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_ABI_BLOCKSIZES_H
#define TENSORC_RUNTIME_ABI_BLOCKSIZES_H

#include "runtime/abi/Format.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tensorc::rt {

/// Maximum size of small blocks, whose size classes are the multiples of the
/// alignment.
constexpr size_t smallBlockLimit = 1024;
/// Minimum size of large blocks. They consist of whole huge pages and are
/// reused by best fit.
constexpr size_t largeBlockLimit = size_t(2) << 20;

/// Alignment in bytes that puts the scratch of different threads into different
/// pairs of cache lines, because the hardware prefetcher loads lines in pairs.
constexpr int64_t scratchAlignment = 128;

/// Number of bytes of the block for a buffer of `size` bytes. Between small and
/// large blocks there are eight size classes per power of two.
constexpr size_t blockBytes(size_t size) {
  auto roundUp = [&](size_t step) { return (size + step - 1) & ~(step - 1); };
  if (size == 0)
    return bufferAlignment;
  if (size <= smallBlockLimit)
    return roundUp(bufferAlignment);
  if (size > largeBlockLimit)
    return roundUp(largeBlockLimit);
  return roundUp(size_t(1) << (std::bit_width(size - 1) - 4));
}

} // namespace tensorc::rt

#endif // TENSORC_RUNTIME_ABI_BLOCKSIZES_H
