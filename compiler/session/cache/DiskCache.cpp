//===- DiskCache.cpp - Compilations cached in a folder --------------------===//

#include "compiler/session/cache/DiskCache.h"

#include "compiler/log/Environment.h"
#include "compiler/log/LogTopics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tensorc::cache {

/// Maximum size of an entry in bytes. Larger files are not cache entries.
static constexpr int64_t maxEntry = int64_t(1) << 32;
/// Minimum number of seconds between two updates of an entry's time of last
/// use. It saves writes on hits.
static constexpr int64_t touchSeconds = 60;
/// Age in seconds at which temporary files are removed; they stem from killed
/// processes.
static constexpr int64_t temporarySeconds = 3600;
/// Number of stores after which the folder is scanned again, because other
/// processes store into it, too.
static constexpr unsigned storesPerScan = 64;
static constexpr llvm::StringLiteral temporaryPrefix = ".tmp-";

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

std::optional<uint64_t> parseSize(llvm::StringRef text) {
  unsigned shift = 0;
  if (text.consume_back_insensitive("k"))
    shift = 10;
  else if (text.consume_back_insensitive("m"))
    shift = 20;
  else if (text.consume_back_insensitive("g"))
    shift = 30;
  uint64_t value;
  if (text.getAsInteger(10, value) || value > UINT64_MAX >> shift)
    return std::nullopt;
  return value << shift;
}

std::string DiskCacheOptions::userFolder() {
  // The XDG base directory specification says that relative paths are ignored.
  const char *cache = secure_getenv("XDG_CACHE_HOME");
  if (cache && *cache == '/')
    return std::string(cache) + "/tensorc";
  const char *home = secure_getenv("HOME");
  if (home && *home == '/')
    return std::string(home) + "/.cache/tensorc";
  return {};
}

static uint64_t limitOfEnvironment() {
  llvm::StringRef text = readVariable("TENSORC_CACHE_SIZE");
  if (text.empty())
    return DiskCacheOptions::defaultLimit;
  if (text == "unlimited")
    return 0;
  std::optional<uint64_t> limit = parseSize(text);
  if (!limit)
    tellIgnored("TENSORC_CACHE_SIZE", text,
                "a number of bytes, with K, M or G or without, nor "
                "'unlimited'");
  return limit.value_or(DiskCacheOptions::defaultLimit);
}

DiskCacheOptions DiskCacheOptions::fromEnvironment() {
  DiskCacheOptions options;
  if (const char *folder = secure_getenv("TENSORC_CACHE_DIR"))
    options.folder = folder;
  if (options.folder == "off")
    options.folder.clear();
  if (options.folder == "auto") {
    options.folder = userFolder();
    if (options.folder.empty())
      llvm::errs() << "tensorc: TENSORC_CACHE_DIR=auto is ignored: neither "
                      "XDG_CACHE_HOME nor HOME is an absolute path\n";
  }
  if (const char *folder = secure_getenv("TENSORC_CACHE_READ_DIR"))
    options.readOnlyFolder = folder;
  options.limit = limitOfEnvironment();
  return options;
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

/// Returns the reason why an open folder or entry cannot be trusted, although
/// it contains code; null if it can. Files of root are trusted, too, unless
/// `mustBeOurs`.
static const char *distrust(const struct stat &info, bool mustBeOurs) {
  if (info.st_uid != geteuid() && (mustBeOurs || info.st_uid != 0))
    return "it belongs to another user";
  return info.st_mode & (S_IWGRP | S_IWOTH) ? "others can write there"
                                            : nullptr;
}

/// Opens the folder. Returns -1 and a reason if it cannot be used.
static int openFolder(const std::string &path, bool mustBeOurs,
                      const char *&reason) {
  int directory = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) {
    reason = std::strerror(errno);
    return -1;
  }
  struct stat info;
  reason = fstat(directory, &info) ? std::strerror(errno)
                                   : distrust(info, mustBeOurs);
  if (!reason)
    return directory;
  close(directory);
  return -1;
}

std::string whyNoCache(const std::string &folder, bool isReadOnly) {
  const char *reason = nullptr;
  int directory = openFolder(folder, /*mustBeOurs=*/!isReadOnly, reason);
  if (directory >= 0)
    close(directory);
  return reason ? reason : "";
}

DiskCache::DiskCache(DiskCacheOptions given) : options(std::move(given)) {
  if (!options.folder.empty()) {
    std::error_code error = llvm::sys::fs::create_directories(
        options.folder, /*IgnoreExisting=*/true, llvm::sys::fs::owner_all);
    const char *reason = error ? std::strerror(error.value()) : nullptr;
    if (!error)
      folder = openFolder(options.folder, /*mustBeOurs=*/true, reason);
    if (folder < 0)
      giveUp("cannot use", options.folder, reason);
  }
  if (!options.readOnlyFolder.empty()) {
    const char *reason = nullptr;
    readOnly = openFolder(options.readOnlyFolder, /*mustBeOurs=*/false, reason);
    if (readOnly < 0)
      giveUp("cannot use", options.readOnlyFolder, reason);
  }
}

DiskCache::~DiskCache() {
  if (folder >= 0)
    close(folder);
  if (readOnly >= 0)
    close(readOnly);
}

void DiskCache::giveUp(const char *what, const std::string &path,
                       const char *reason) {
  {
    std::scoped_lock lock(mutex);
    if (std::exchange(reported, true) || !isLogged(LogTopic::Cache))
      return;
  }
  llvm::errs() << "tensorc: disk cache: " << what << " " << path << ": "
               << reason << "\n";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool readAll(int file, char *bytes, size_t size) {
  while (size > 0) {
    ssize_t count = read(file, bytes, size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes += count;
    size -= count;
  }
  return true;
}

std::optional<CacheEntry> DiskCache::findIn(int directory,
                                            llvm::StringRef key) {
  std::string name = fileNameOf(key);
  // Does not follow links, and does not block on pipes that other users may
  // have created.
  int file = openat(directory, name.c_str(),
                    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0)
    return std::nullopt;
  struct stat info;
  bool usable = fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
                info.st_size <= maxEntry;
  bool writable = directory == folder;
  if (const char *reason = usable ? distrust(info, writable) : nullptr) {
    const std::string &where =
        writable ? options.folder : options.readOnlyFolder;
    giveUp("ignores", where + "/" + name, reason);
    close(file);
    return std::nullopt;
  }
  FileBytes bytes;
  if (usable) {
    bytes.reset(static_cast<char *>(std::aligned_alloc(
        entryAlignment,
        llvm::alignTo(std::max<int64_t>(info.st_size, 1), entryAlignment))));
    usable = bytes && readAll(file, bytes.get(), info.st_size);
  }
  CacheEntry entry;
  Decoded decoded =
      usable ? decode(bytes, info.st_size, key, entry) : Decoded::Damaged;
  if (decoded == Decoded::Entry && writable &&
      time(nullptr) - info.st_mtim.tv_sec > touchSeconds)
    futimens(file, nullptr);
  close(file);
  if (decoded == Decoded::Damaged && writable)
    remove(key);
  if (decoded != Decoded::Entry)
    return std::nullopt;
  return entry;
}

std::optional<CacheEntry> DiskCache::find(llvm::StringRef key) {
  std::optional<CacheEntry> entry;
  if (folder >= 0)
    entry = findIn(folder, key);
  if (!entry && readOnly >= 0)
    entry = findIn(readOnly, key);
  return entry;
}

void DiskCache::remove(llvm::StringRef key) {
  if (folder >= 0)
    unlinkat(folder, fileNameOf(key).c_str(), 0);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static bool writeAll(int file, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes = bytes.drop_front(count);
  }
  return true;
}

/// Writes a temporary file and renames it to the entry's name, so that readers
/// never see a partial entry, even if a process dies.
bool DiskCache::write(const std::string &name, llvm::StringRef bytes) {
  uint64_t random = 0;
  if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0)
    random = reinterpret_cast<uintptr_t>(&random) ^ getpid();
  std::string temporary = temporaryPrefix.str() + std::to_string(getpid()) +
                          "-" + std::to_string(random);
  int file = openat(folder, temporary.c_str(),
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    S_IRUSR | S_IWUSR);
  if (file < 0)
    return false;
  // Some file systems report only at close() that they are full.
  bool written = writeAll(file, bytes);
  written = close(file) == 0 && written;
  if (written && renameat(folder, temporary.c_str(), folder, name.c_str()) == 0)
    return true;
  int error = errno;
  unlinkat(folder, temporary.c_str(), 0);
  errno = error;
  return false;
}

void DiskCache::store(llvm::StringRef key, const CacheEntry &entry) {
  if (folder < 0)
    return;
  std::string bytes = encode(key, entry);
  if (options.limit && bytes.size() > options.limit)
    return;
  if (!write(fileNameOf(key), bytes)) {
    giveUp("cannot write to", options.folder, std::strerror(errno));
    return;
  }
  std::scoped_lock lock(mutex);
  ++storesSinceScan;
  bool isFirst = known == UINT64_MAX; // removes old temporaries
  known += isFirst ? 0 : bytes.size();
  bool isOver = known > options.limit || storesSinceScan >= storesPerScan;
  if (isFirst || (options.limit && isOver))
    shrink();
}

namespace {
struct File {
  std::string name;
  int64_t used; // nanoseconds
  uint64_t size;
};
} // namespace

/// Returns the entries of a folder and removes old temporary files.
static std::vector<File> scan(int folder) {
  std::vector<File> files;
  int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *directory = copy < 0 ? nullptr : fdopendir(copy);
  if (!directory)
    return files;
  while (const dirent *item = readdir(directory)) {
    llvm::StringRef name(item->d_name);
    bool isTemporary = name.starts_with(temporaryPrefix);
    struct stat info;
    if ((!isTemporary && !isFileName(name)) ||
        fstatat(folder, item->d_name, &info, AT_SYMLINK_NOFOLLOW))
      continue;
    if (!isTemporary)
      files.push_back(
          {name.str(),
           info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec,
           static_cast<uint64_t>(info.st_size)});
    else if (time(nullptr) - info.st_mtim.tv_sec > temporarySeconds)
      unlinkat(folder, item->d_name, 0);
  }
  closedir(directory);
  return files;
}

/// If the folder is larger than the limit, removes the least recently used
/// entries until a tenth of the limit is free, so that the next stores need not
/// do so. Other processes may do the same, so a missing file is not an error.
void DiskCache::shrink() {
  std::vector<File> files = scan(folder);
  storesSinceScan = 0;
  known = 0;
  for (const File &file : files)
    known += file.size;
  if (options.limit == 0 || known <= options.limit)
    return;
  llvm::sort(files,
             [](const File &a, const File &b) { return a.used < b.used; });
  // The newest entry was just stored, so it is kept.
  for (const File &file : llvm::ArrayRef(files).drop_back()) {
    if (known <= options.limit - options.limit / 10)
      return;
    unlinkat(folder, file.name.c_str(), 0);
    known -= file.size;
  }
}

} // namespace tensorc::cache
