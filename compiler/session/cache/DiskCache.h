//===- DiskCache.h - Compilations kept in a folder ------------------------===//
//
// docs/design/0008-caches.md. Many processes may use a folder at once:
// entries appear whole, by a rename, and no lock is ever held. Whatever goes
// wrong with the folder, the caller compiles as if there were none.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_CACHE_DISKCACHE_H
#define TENSORC_COMPILER_SESSION_CACHE_DISKCACHE_H

#include "compiler/session/cache/CacheEntry.h"
#include "compiler/session/placement/Figures.h"

#include <mutex>
#include <optional>

namespace tensorc::cache {

struct DiskCacheOptions {
  /// Read and written; empty: none.
  std::string folder;
  /// Only read, after `folder`: what an application ships with. Empty: none.
  std::string readOnlyFolder;
  /// Bytes that `folder` may hold; 0: no limit.
  uint64_t limit = defaultLimit;

  static constexpr uint64_t defaultLimit = 512ull << 20;
  /// From TENSORC_CACHE_DIR, TENSORC_CACHE_READ_DIR and TENSORC_CACHE_SIZE,
  /// which processes with raised privileges do not look at. Says on stderr what
  /// it ignores.
  static DiskCacheOptions fromEnvironment();
  /// $XDG_CACHE_HOME/tensorc or ~/.cache/tensorc; empty when there is no home.
  static std::string userFolder();
};

/// "512M": bytes, with K, M, G or without; none for anything else.
std::optional<uint64_t> parseSize(llvm::StringRef text);

/// Thread-safe.
class DiskCache {
public:
  explicit DiskCache(DiskCacheOptions options);
  ~DiskCache();

  bool isOn() const { return folder >= 0 || readOnly >= 0; }
  /// Around a fork.
  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }
  /// Empty if there is none.
  std::string writableFolder() const {
    return folder >= 0 ? options.folder : std::string();
  }
  /// Where figures of devices lie beside the entries.
  placement::FiguresFolders folders() const {
    return {folder >= 0 ? options.folder : "",
            readOnly >= 0 ? options.readOnlyFolder : ""};
  }
  std::optional<CacheEntry> find(llvm::StringRef key);
  void store(llvm::StringRef key, const CacheEntry &entry);
  /// What the runtime refused to load.
  void remove(llvm::StringRef key);

private:
  std::optional<CacheEntry> findIn(int directory, llvm::StringRef key);
  bool write(const std::string &name, llvm::StringRef bytes);
  void shrink();
  /// Reports under TENSORC_LOG, the first time only.
  void giveUp(const char *what, const std::string &path, const char *reason);

  DiskCacheOptions options;
  int folder = -1, readOnly = -1;

  std::mutex mutex; // guards what follows
  bool reported = false;
  uint64_t known = UINT64_MAX; // bytes in the folder, as far as we know
  unsigned storesSinceScan = 0;
};

} // namespace tensorc::cache

#endif // TENSORC_COMPILER_SESSION_CACHE_DISKCACHE_H
