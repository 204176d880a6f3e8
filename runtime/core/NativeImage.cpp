//===- NativeImage.cpp - maps an ELF image of kernels ---------------------===//
#include "runtime/core/NativeImage.h"

#include "runtime/core/ElfImage.h"
#include "runtime/core/threads/Fork.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace tensorc::rt;

namespace {
class NativeImage final : public Image {
public:
  ~NativeImage() override {
    // A fork waits, so that the child does not find the loader's lock held.
    ProcessLockGuard lock(ProcessLock::Images);
    if (handle)
      dlclose(handle);
  }
  void *handle = nullptr;
};

/// Closes a file at the end of the scope.
struct FileOwner {
  ~FileOwner() { close(file); }
  int file;
};
} // namespace

/// A path to the file that was never given before: the loader compares names
/// and would take a new image for an old one that had the same descriptor. The
/// counter is spelled in bits, "/" and "/./", behind its address: a process may
/// have several copies of this code (fake drivers do). A debugger opens the
/// path, too. "self" is the debugger there, which would wait for ever where its
/// own descriptor of this number is a pipe.
static std::string uniquePath(int file) {
  static std::atomic<uint64_t> count{0};
  char self[32] = {};
  bool isKnown = readlink("/proc/self", self, sizeof(self) - 1) > 0;
  std::string path = std::string("/proc/") + (isKnown ? self : "self") + "/fd";
  for (uint64_t part : {reinterpret_cast<uint64_t>(&count), ++count}) {
    for (uint64_t bits = part; bits; bits >>= 1)
      path += bits & 1 ? "/./" : "/";
    path += "/././";
  }
  return path + "/" + std::to_string(file);
}

static Status systemError(const char *what) {
  bool isShort = errno == ENOMEM || errno == ENOSPC;
  return error(isShort ? TENSORC_RT_OUT_OF_MEMORY : TENSORC_RT_DEVICE_ERROR,
               "cannot map a kernel image: %s: %s", what, std::strerror(errno));
}

static Status writeAll(int file, std::span<const char> bytes) {
  while (!bytes.empty()) {
    ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return systemError("write");
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return Status();
}

static Status map(int file, void *&handle) {
  std::string path = uniquePath(file);
  ProcessLockGuard lock(ProcessLock::Images);
  handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle)
    return Status();
  // The loader has only words for a lack of memory.
  const char *why = dlerror();
  bool isShort = !why || std::strstr(why, "annot allocate memory") ||
                 std::strstr(why, "out of memory");
  return error(isShort ? TENSORC_RT_OUT_OF_MEMORY : TENSORC_RT_INVALID_PACKAGE,
               "cannot map a kernel image: %s", why ? why : "no memory");
}

Status tensorc::rt::loadNativeImage(std::span<const char> bytes,
                                    std::span<const std::string> kernels,
                                    std::unique_ptr<Image> &out) {
  TENSORC_RT_TRY(checkElfImage(bytes, hostMachine()));
  int file = memfd_create("tensorc-kernels", MFD_CLOEXEC);
  if (file < 0)
    return systemError("memfd_create");
  FileOwner owner{file}; // The mapping holds the file.
  TENSORC_RT_TRY(writeAll(file, bytes));
  auto image = std::make_unique<NativeImage>();
  TENSORC_RT_TRY(map(file, image->handle));
  for (const std::string &name : kernels) {
    const void *kernel = findNativeKernel(*image, name.c_str());
    if (!kernel)
      return error(TENSORC_RT_INVALID_PACKAGE, "the image has no kernel '%s'",
                   name.c_str());
    image->kernels.push_back(kernel);
  }
  out = std::move(image);
  return Status();
}

const void *tensorc::rt::findNativeKernel(const Image &image,
                                          const char *name) {
  return dlsym(static_cast<const NativeImage &>(image).handle, name);
}
