//===- DiskCache.h - Compilations cached in a folder ----------------------===//
//
// See docs/design/0008-caches.md. Many processes may use a folder at once:
// entries appear atomically by a rename, without locks. If anything is wrong
// with the folder, the caller compiles as if there were no cache.
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
  /// Folder that is read and written; empty for none.
  std::string folder;
  /// Folder that is only read, after `folder`, such as one that an application
  /// ships with; empty for none.
  std::string readOnlyFolder;
  /// Maximum size of `folder` in bytes; 0 for no limit.
  uint64_t limit = defaultLimit;

  static constexpr uint64_t defaultLimit = 512ull << 20;
  /// Reads TENSORC_CACHE_DIR, TENSORC_CACHE_READ_DIR and TENSORC_CACHE_SIZE,
  /// unless the process has raised privileges. Reports ignored values on
  /// stderr.
  static DiskCacheOptions fromEnvironment();
  /// Returns $XDG_CACHE_HOME/tensorc or ~/.cache/tensorc; empty if there is no
  /// home.
  static std::string userFolder();
};

/// Parses a size in bytes such as "512M", with suffix K, M, G or none; nullopt
/// for other texts.
std::optional<uint64_t> parseSize(llvm::StringRef text);

/// Returns the reason why a folder cannot be used for the cache; empty if it
/// can. Entries are code, so the folder must be safe. A read-only folder may
/// belong to another user.
std::string whyNoCache(const std::string &folder, bool isReadOnly);

/// The cache of compiled code on disk. Thread-safe.
class DiskCache {
public:
  explicit DiskCache(DiskCacheOptions options);
  ~DiskCache();

  bool isOn() const { return folder >= 0 || readOnly >= 0; }
  /// Lock and unlock the mutex around a fork.
  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }
  /// Returns the writable folder; empty if there is none.
  std::string writableFolder() const {
    return folder >= 0 ? options.folder : std::string();
  }
  /// Returns the folders for measured figures of devices, which are the folders
  /// of the entries.
  placement::FactFolders folders() const {
    return {folder >= 0 ? options.folder : "",
            readOnly >= 0 ? options.readOnlyFolder : ""};
  }
  std::optional<CacheEntry> find(llvm::StringRef key);
  void store(llvm::StringRef key, const CacheEntry &entry);
  /// Removes an entry that the runtime refused to load.
  void remove(llvm::StringRef key);

private:
  std::optional<CacheEntry> findIn(int directory, llvm::StringRef key);
  bool write(const std::string &name, llvm::StringRef bytes);
  void shrink();
  /// Reports why a folder is not used, if TENSORC_LOG requests it. Only the
  /// first call reports.
  void giveUp(const char *what, const std::string &path, const char *reason);

  DiskCacheOptions options;
  int folder = -1, readOnly = -1;

  std::mutex mutex; // guards the members below
  bool reported = false;
  /// Bytes in the folder at the last scan, plus those stored here since.
  uint64_t known = UINT64_MAX;
  unsigned storesSinceScan = 0;
};

} // namespace tensorc::cache

#endif // TENSORC_COMPILER_SESSION_CACHE_DISKCACHE_H
