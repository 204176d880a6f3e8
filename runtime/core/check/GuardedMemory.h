//===- GuardedMemory.h - blocks that tell of stray accesses -----*- C++ -*-===//
//
// A block ends where a page begins that nobody may touch, and lies behind
// another. Between its bytes and the pages are red zones: what alignment leaves
// behind it, and the rest of its first page. Fresh bytes are poison.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_CORE_CHECK_GUARDEDMEMORY_H
#define TENSORC_RUNTIME_CORE_CHECK_GUARDEDMEMORY_H

#include "runtime/core/Driver.h"

#include <span>

namespace tensorc::rt {

/// 64-byte aligned; null when there is no memory. Where the system has no more
/// mappings, only red zones are around it.
void *allocateGuarded(size_t bytes);
/// Ends the process when a red zone is not as it was: whoever changed it has
/// not been seen.
void freeGuarded(void *data);

/// A stray write into a red zone.
struct StrayWrite {
  int64_t offset; // from the address that was asked about
  unsigned count; // of bytes in the zone that changed
};
/// Whether there was one around the block that the address lies in; the zones
/// are made whole again.
bool findStrayWrite(const void *address, StrayWrite &out);

/// After a launch: an error that names the kernel and the argument whose block
/// was left. `host` are the addresses of its buffers, as the host sees them.
Status verifyRedZones(const Launch &launch, std::span<const char *const> host);

/// Whether fresh blocks of this size are poisoned.
bool isPoisoned(size_t bytes);
/// After a launch: an error that names the kernel where fresh memory behind a
/// thread's scratch was written.
Status verifyPoison(const Launch &launch, const char *begin, const char *end);

} // namespace tensorc::rt

#endif
