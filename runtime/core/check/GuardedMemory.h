//===- GuardedMemory.h - blocks that detect stray accesses ------*- C++ -*-===//
//
// Each block ends at an inaccessible page and begins after another one. Red
// zones fill the gaps between the block and these pages: the alignment gap at
// its end, and the rest of its first page. Fresh bytes are poisoned.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_CORE_CHECK_GUARDEDMEMORY_H
#define TENSORC_RUNTIME_CORE_CHECK_GUARDEDMEMORY_H

#include "runtime/core/Driver.h"

#include <span>

namespace tensorc::rt {

/// Allocates memory aligned to 64 bytes, or returns null. If the system permits
/// no more mappings, the block has only red zones.
void *allocateGuarded(size_t bytes);
/// Frees a block. Aborts the process if a red zone has changed, because the
/// write was missed by all earlier checks.
void freeGuarded(void *data);

/// A stray write into a red zone.
struct StrayWrite {
  int64_t offset; // relative to the address that was passed
  unsigned count; // number of bytes in the zone that changed
};
/// Looks for a stray write around the block that contains the address, and
/// restores the zones.
bool findStrayWrite(const void *address, StrayWrite &out);

/// Called after a launch. Returns an error that names the kernel and the
/// argument whose bounds were violated. `host` are the host addresses of its
/// buffers.
Status verifyRedZones(const Launch &launch, std::span<const char *const> host);

/// True if new blocks of this size are poisoned.
bool isPoisoned(size_t bytes);
/// Called after a launch. Returns an error that names the kernel if it wrote to
/// the poison between `begin` and `end`, which follows a thread's scratch.
Status verifyPoison(const Launch &launch, const char *begin, const char *end);

} // namespace tensorc::rt

#endif
