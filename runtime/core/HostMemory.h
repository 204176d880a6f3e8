//===- HostMemory.h - allocation of host memory -----------------*- C++ -*-===//
#ifndef TENSORC_RUNTIME_CORE_HOSTMEMORY_H
#define TENSORC_RUNTIME_CORE_HOSTMEMORY_H

#include <cstddef>
#include <cstdint>

namespace tensorc::rt {

/// Allocates memory aligned to 64 bytes, or returns null. Large blocks are
/// aligned to huge pages and request huge pages from the system. With
/// TENSORC_CHECK=memory, memory is poisoned and has guards around it.
void *allocateHostMemory(size_t bytes);
/// Like allocateHostMemory, with all bytes 0.
void *allocateZeros(size_t bytes);
void freeHostMemory(void *data, size_t bytes);
/// Fills memory by repeating the low `width` (1, 2, 4 or 8) bytes of the
/// pattern.
void fillHostMemory(void *target, uint64_t pattern, uint32_t width,
                    size_t size);
/// Bytes of RAM, and of available RAM.
uint64_t hostMemorySize();
uint64_t hostMemoryAvailable();

} // namespace tensorc::rt

#endif
