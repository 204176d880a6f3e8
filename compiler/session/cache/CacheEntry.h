//===- CacheEntry.h - One compilation as the bytes of a file --------------===//
//
//   header | key | names and sizes | (to a multiple of 64) the package
//
// The header holds a checksum of all that follows. The key is compared whole.
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

/// Aligned as kernels need constants to be.
struct FreeDeleter {
  void operator()(char *bytes) const { std::free(bytes); }
};
using FileBytes = std::unique_ptr<char, FreeDeleter>;

struct CacheEntry {
  /// 0, or why there is no package: see Reason.
  uint32_t refusal = 0;
  std::vector<std::string> kernels;
  /// See Executable; one for each of the kernels.
  std::vector<uint32_t> kernelOps;
  std::vector<uint32_t> boundSizes;
  llvm::StringRef package;
  FileBytes owner; // of the package, when it was read
};

/// The name of the file for a key: a hash in hexadecimal and a suffix.
std::string fileNameOf(llvm::StringRef key);
/// Whether a name is one that fileNameOf gives.
bool isFileName(llvm::StringRef name);

std::string encode(llvm::StringRef key, const CacheEntry &entry);

enum class Decoded { Entry, OtherKey, Damaged };
/// Takes over the bytes if they are an entry for the key.
Decoded decode(FileBytes &bytes, size_t size, llvm::StringRef key,
               CacheEntry &entry);

constexpr size_t entryAlignment = 64;

} // namespace tensorc::cache

#endif // TENSORC_COMPILER_SESSION_CACHE_CACHEENTRY_H
