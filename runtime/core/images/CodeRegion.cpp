//===- CodeRegion.cpp - executable memory for kernels ---------------------===//
#include "runtime/core/images/CodeRegion.h"

#include "runtime/core/threads/Fork.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tensorc::rt;

/// Size in bytes of the pages that AArch64 code addresses (ADRP), whatever the
/// system's page size is.
static constexpr size_t pageSize = 4096;
/// Size of a region in bytes, enough for about sixty small kernels. Pages use
/// memory only once they are written.
static constexpr size_t regionSize = size_t(256) << 10;

struct tensorc::rt::CodeRegion {
  ~CodeRegion() {
    if (isOurs())
      close(file);
    if (base)
      munmap(base, size);
  }
  /// True if the descriptor still refers to the region's file. A process that
  /// becomes a daemon closes all descriptors, and their numbers may be reused.
  bool isOurs() const {
    struct stat info;
    return file >= 0 && fstat(file, &info) == 0 && info.st_dev == device &&
           info.st_ino == inode;
  }

  int file = -1;
  dev_t device = 0;
  ino_t inode = 0;
  char *base = nullptr;
  size_t size = 0, used = 0;
  size_t images = 0;
  /// The fork generation in which the region was made. A child of a fork shares
  /// the file with its parent and must not write to it.
  uint32_t generation = forkGeneration();
};

/// The region in which the next image is placed if it has room.
static constinit CodeRegion *current = nullptr;

static Status systemError(const char *what) {
  bool isShort = errno == ENOMEM || errno == ENOSPC;
  return error(isShort ? TENSORC_RT_OUT_OF_MEMORY : TENSORC_RT_DEVICE_ERROR,
               "cannot map a kernel image: %s: %s", what, std::strerror(errno));
}

static Status createRegion(size_t size, std::unique_ptr<CodeRegion> &out) {
  auto region = std::make_unique<CodeRegion>();
  region->file = memfd_create("tensorc-kernels", MFD_CLOEXEC);
  if (region->file < 0)
    return systemError("memfd_create");
  struct stat info;
  if (fstat(region->file, &info)) {
    Status status = systemError("fstat");
    close(std::exchange(region->file, -1));
    return status;
  }
  region->device = info.st_dev, region->inode = info.st_ino;
  if (ftruncate(region->file, static_cast<off_t>(size)))
    return systemError("ftruncate");
  void *base =
      mmap(nullptr, size, PROT_READ | PROT_EXEC, MAP_SHARED, region->file, 0);
  if (base == MAP_FAILED)
    return systemError("mmap");
  region->base = static_cast<char *>(base);
  region->size = size;
  out = std::move(region);
  return Status();
}

/// Closes the file of a full region.
static void retire(CodeRegion *region) {
  if (!region)
    return;
  if (region->isOurs())
    close(region->file);
  region->file = -1;
}

Status tensorc::rt::reserveCode(size_t size, CodePlace &out) {
  size = (size + pageSize - 1) / pageSize * pageSize;
  if (!current || current->generation != forkGeneration() ||
      current->size - current->used < size || !current->isOurs()) {
    std::unique_ptr<CodeRegion> next;
    TENSORC_RT_TRY(createRegion(std::max(size, regionSize), next));
    retire(current);
    current = next.release();
  }
  out = {current, current->base + current->used};
  current->used += size;
  ++current->images;
  return Status();
}

Status tensorc::rt::writeCode(const CodePlace &place, size_t offset,
                              std::span<const char> bytes) {
  auto at = static_cast<off_t>(place.address - place.region->base + offset);
  const char *begin = place.address + offset;
  while (!bytes.empty()) {
    ssize_t written =
        pwrite(place.region->file, bytes.data(), bytes.size(), at);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return systemError("pwrite");
    at += written;
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  // Invalidates the instruction cache; does nothing on x86-64. The mapping
  // already shows the bytes that were written to the file.
  const char *end = place.region->base + at;
  __builtin___clear_cache(const_cast<char *>(begin), const_cast<char *>(end));
  return Status();
}

void tensorc::rt::releaseCode(const CodePlace &place) {
  if (--place.region->images)
    return;
  if (current == place.region)
    current = nullptr;
  delete place.region;
}
