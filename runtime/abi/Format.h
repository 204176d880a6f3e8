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

/// A kernel's argument: a pointer, or a scalar in the low bytes.
using Word = uint64_t;

/// The function that a CPU image exports for each kernel. `args` are the
/// launch's inputs, outputs and scalars, in order. It processes the work items
/// [begin, end).
using CpuKernel = void (*)(const Word *args, int64_t begin, int64_t end,
                           void *scratch);

constexpr char packageMagic[8] = {'T', 'C', 'P', 'K', 'G', '\r', '\n', 0x1a};
/// Increases with every change that older runtimes would misread.
constexpr uint32_t packageVersion = 8;
/// Segments of a file begin at multiples of this size, so that they can be
/// mapped.
constexpr uint64_t segmentAlignment = 4096;
/// Alignment of buffers and constants in bytes, on which kernels rely.
constexpr size_t bufferAlignment = 64;
constexpr int32_t maxRank = 16;

struct PackageHeader {
  char magic[8];
  uint32_t version;
  uint32_t headerSize;
  uint64_t fileSize;
  uint64_t tableOffset; // a multiple of 16
  uint64_t tableSize;
  uint64_t tableHash; // hashBytes of the table's bytes
};
static_assert(sizeof(PackageHeader) == 48);

constexpr char constantsMagic[8] = {'T', 'C', 'C', 'O', 'N', 'S', 'T', 0x1a};

/// The first page of a constants file; the segments with the constants follow.
/// The hash covers all constants' hashes, so that a package can recognize its
/// own file without reading the constants.
struct ConstantsHeader {
  char magic[8];
  uint32_t version; // packageVersion
  uint32_t count;
  uint64_t fileSize;
  uint64_t hash;
};
static_assert(sizeof(ConstantsHeader) == 32);

/// Returns a hash of a table, an image or a constant. It detects accidental
/// damage, not malicious changes.
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

/// Writes the header of a package file: magic, version, and the offset, size
/// and hash of the table, with which the file ends.
inline void sealPackage(char *file, size_t size, size_t tableOffset) {
  PackageHeader header = {};
  std::memcpy(header.magic, packageMagic, sizeof(packageMagic));
  header.version = packageVersion;
  header.headerSize = sizeof(header);
  header.fileSize = size;
  header.tableOffset = tableOffset;
  header.tableSize = size - tableOffset;
  header.tableHash = hashBytes(file + tableOffset, header.tableSize);
  std::memcpy(file, &header, sizeof(header));
}

} // namespace tensorc::rt

#endif
