//===- HostMemory.cpp - allocation of host memory -------------------------===//
#include "runtime/core/HostMemory.h"

#include "runtime/abi/Format.h"
#include "runtime/core/check/Checks.h"
#include "runtime/core/check/GuardedMemory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace tensorc::rt;

static constexpr size_t hugePage = size_t(2) << 20;

/// Maps memory aligned to huge pages: maps one page more than needed and unmaps
/// the rest at both ends.
static void *mapHuge(size_t bytes) {
  size_t size = 0;
  if (__builtin_add_overflow(bytes, hugePage, &size))
    return nullptr;
  void *base = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return nullptr;
  auto address = reinterpret_cast<uintptr_t>(base);
  size_t head = -address & (hugePage - 1);
  char *data = static_cast<char *>(base) + head;
  if (head)
    munmap(base, head);
  if (size_t tail = hugePage - head)
    munmap(data + bytes, tail);
  madvise(data, bytes, MADV_HUGEPAGE); // failure is harmless
  return data;
}

/// True for sizes of whole huge pages, which are mapped instead of being
/// allocated from the heap. Deallocation calls it with the same size.
static bool isMapped(size_t bytes) {
  return bytes >= hugePage && bytes % hugePage == 0;
}

void *tensorc::rt::allocateHostMemory(size_t bytes) {
  if (checks().memory)
    return allocateGuarded(bytes);
  if (isMapped(bytes))
    return mapHuge(bytes);
  return std::aligned_alloc(bufferAlignment, (bytes + bufferAlignment - 1) &
                                                 ~(bufferAlignment - 1));
}

void *tensorc::rt::allocateZeros(size_t bytes) {
  void *data = allocateHostMemory(bytes);
  // Mapped memory is zero already.
  if (data && (checks().memory || !isMapped(bytes)))
    std::memset(data, 0, bytes);
  return data;
}

void tensorc::rt::freeHostMemory(void *data, size_t bytes) {
  if (checks().memory)
    freeGuarded(data);
  else if (isMapped(bytes))
    munmap(data, bytes);
  else
    std::free(data);
}

void tensorc::rt::fillHostMemory(void *target, uint64_t pattern, uint32_t width,
                                 size_t size) {
  char bytes[8];
  std::memcpy(bytes, &pattern, 8);
  bool same = std::all_of(bytes, bytes + width,
                          [&](char byte) { return byte == bytes[0]; });
  if (same) {
    std::memset(target, bytes[0], size);
    return;
  }
  for (uint32_t done = width; done < 8; done *= 2)
    std::memcpy(bytes + done, bytes, done);
  char *to = static_cast<char *>(target);
  for (; size >= 8; size -= 8, to += 8)
    std::memcpy(to, bytes, 8);
  std::memcpy(to, bytes, size);
}

uint64_t tensorc::rt::hostMemorySize() {
  // Cached, because it is needed for each array that is shared with another
  // library.
  static const uint64_t size = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                               static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return size;
}

uint64_t tensorc::rt::hostMemoryAvailable() {
  return static_cast<uint64_t>(sysconf(_SC_AVPHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}
