//===- CodeRegion.h - pages for kernels -------------------------*- C++ -*-===//
//
// A region is a file in memory, mapped once to be read and executed, never to
// be written: code enters it by pwrite. Images lie one behind the other, and no
// place is used twice, because a child of fork may still run what is there. The
// last image that goes takes the region with it.
//
// Whoever calls these functions holds ProcessLock::Images.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_CORE_IMAGES_CODEREGION_H
#define TENSORC_RUNTIME_CORE_IMAGES_CODEREGION_H

#include "runtime/core/Status.h"

#include <cstdint>
#include <span>

namespace tensorc::rt {

struct CodeRegion;

/// Where one image goes.
struct CodePlace {
  CodeRegion *region = nullptr;
  const char *address = nullptr; // of a page
};

Status reserveCode(size_t size, CodePlace &out);
/// Before anything there runs.
Status writeCode(const CodePlace &place, size_t offset,
                 std::span<const char> bytes);
void releaseCode(const CodePlace &place);

} // namespace tensorc::rt

#endif
