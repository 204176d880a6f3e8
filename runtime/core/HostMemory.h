//===- HostMemory.h - memory for devices that use the host's ----*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_HOSTMEMORY_H
#define TENSORC_RUNTIME_CORE_HOSTMEMORY_H

#include <cstddef>
#include <cstdint>

namespace tensorc::rt {

/// 64-byte aligned; large blocks are aligned to huge pages and ask for them.
/// Null when there is no memory. With TENSORC_CHECK=memory, guards are around
/// it and its bytes are poison.
void *allocateHostMemory(size_t bytes);
/// The same, zero inside.
void *allocateZeros(size_t bytes);
void freeHostMemory(void *data, size_t bytes);
/// Repeats the low `width` (1, 2, 4, 8) bytes of the pattern.
void fillHostMemory(void *target, uint64_t pattern, uint32_t width,
                    size_t size);
/// Bytes of RAM, and those of them that nobody uses.
uint64_t hostMemorySize();
uint64_t hostMemoryAvailable();

} // namespace tensorc::rt

#endif
