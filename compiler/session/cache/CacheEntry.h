//===- CacheEntry.h - The file format of a cached compilation -------------===//
//
//   header | key | names and sizes | (to a multiple of 64) the package
//
// The header has a checksum of everything that follows. A lookup compares the
// whole key.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_CACHE_CACHEENTRY_H
#define TENSORC_COMPILER_SESSION_CACHE_CACHEENTRY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tensorc::cache {

/// Frees memory that was allocated with the alignment that kernels need for
/// constants.
struct FreeDeleter {
  void operator()(char *bytes) const { std::free(bytes); }
};
using FileBytes = std::unique_ptr<char, FreeDeleter>;

struct CacheEntry {
  /// The reason why there is no package (see Reason), or 0.
  uint32_t refusal = 0;
  std::vector<std::string> kernels;
  std::vector<uint32_t> boundSizes;
  llvm::StringRef package;
  FileBytes owner; // owns the package if it was read from a file
};

/// Returns the file name for a key: a hash in hexadecimal and a suffix.
std::string fileNameOf(llvm::StringRef key);
/// True if the name has the form that fileNameOf returns.
bool isFileName(llvm::StringRef name);

std::string encode(llvm::StringRef key, const CacheEntry &entry);

enum class Decoded { Entry, OtherKey, Damaged };
/// If the bytes are an entry for the key, fills `entry` and takes ownership of
/// the bytes.
Decoded decode(FileBytes &bytes, size_t size, llvm::StringRef key,
               CacheEntry &entry);

constexpr size_t entryAlignment = 64;

} // namespace tensorc::cache

#endif // TENSORC_COMPILER_SESSION_CACHE_CACHEENTRY_H
