//===- CodeRegion.h - executable memory for kernels -------------*- C++ -*-===//
//
// A region is a file in memory, mapped once, readable and executable but never
// writable: code is written with pwrite. Images are placed contiguously. Space
// is never reused, because a child of fork may still run the old code. The
// region is unmapped with its last image.
//
// Callers of these functions hold ProcessLock::Images.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_CORE_IMAGES_CODEREGION_H
#define TENSORC_RUNTIME_CORE_IMAGES_CODEREGION_H

#include "runtime/core/Status.h"

#include <cstdint>
#include <span>

namespace tensorc::rt {

struct CodeRegion;

/// The location of an image in executable memory.
struct CodePlace {
  CodeRegion *region = nullptr;
  const char *address = nullptr; // address of a page
};

Status reserveCode(size_t size, CodePlace &out);
/// Writes code at an offset. Must be called before any code of the image runs.
Status writeCode(const CodePlace &place, size_t offset,
                 std::span<const char> bytes);
void releaseCode(const CodePlace &place);

} // namespace tensorc::rt

#endif
