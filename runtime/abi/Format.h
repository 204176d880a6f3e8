//===- Format.h - layout of a package and of a kernel's call ----*- C++ -*-===//
//
// A package is a header, the segments (images, constants) at page boundaries,
// and the FlatBuffers table of package.fbs. All numbers are little-endian.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_ABI_FORMAT_H
#define TENSORC_RUNTIME_ABI_FORMAT_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tensorc::rt {

/// A kernel's argument: a pointer, or the low bytes of a scalar.
using Word = uint64_t;

/// What an image for the cpu exports, once per kernel. The arguments are the
/// launch's ins, outs and scalars in order; work items [begin, end) are done.
using CpuKernel = void (*)(const Word *args, int64_t begin, int64_t end,
                           void *scratch);

constexpr char packageMagic[8] = {'T', 'C', 'P', 'K', 'G', '\r', '\n', 0x1a};
constexpr uint32_t packageVersion = 1;
/// Segments begin at multiples of this, so that they can be mapped.
constexpr uint64_t segmentAlignment = 4096;
/// Buffers and constants are aligned to this; kernels rely on it.
constexpr size_t bufferAlignment = 64;
constexpr int32_t maxRank = 16;

struct PackageHeader {
  char magic[8];
  uint32_t version;
  uint32_t headerSize;
  uint64_t fileSize;
  uint64_t tableOffset; // a multiple of 16
  uint64_t tableSize;
};
static_assert(sizeof(PackageHeader) == 40);

/// Guards an image against damage (not against malice) before it is mapped:
/// the system's ELF loader trusts what it maps.
inline uint64_t hashBytes(const void *data, size_t size) {
  constexpr uint64_t prime = 0x9E3779B97F4A7C15ull;
  const char *bytes = static_cast<const char *>(data);
  uint64_t hash = prime ^ size;
  for (; size > 0; bytes += 8) {
    uint64_t word = 0;
    size_t part = size < 8 ? size : 8;
    std::memcpy(&word, bytes, part);
    size -= part;
    hash = (hash ^ word) * prime;
    hash ^= hash >> 29;
  }
  return hash;
}

} // namespace tensorc::rt

#endif
