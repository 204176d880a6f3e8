//===- LinkImage.cpp - Objects to shared images with lld in process -------===//

#include "codegen/targets/cpu/CpuTarget.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace tensorc::codegen {

namespace {
/// The object as a file that lives in memory only; lld opens it by path.
class MemoryFile {
public:
  explicit MemoryFile(ArrayRef<char> bytes)
      : fd(memfd_create("kernels.o", MFD_CLOEXEC)) {
    size_t done = 0;
    while (fd >= 0 && done < bytes.size()) {
      ssize_t n = write(fd, bytes.data() + done, bytes.size() - done);
      if (n <= 0)
        break;
      done += n;
    }
    complete = fd >= 0 && done == bytes.size();
  }
  ~MemoryFile() {
    if (fd >= 0)
      close(fd);
  }
  bool isComplete() const { return complete; }
  std::string getPath() const { return "/proc/self/fd/" + std::to_string(fd); }

private:
  int fd;
  bool complete = false;
};

/// Reserves a name for the output: lld refuses a memfd there. Shared memory
/// where there is one keeps the image off the disk.
Error createOutputFile(SmallVectorImpl<char> &path) {
  int fd;
  if (!sys::fs::createUniqueFile("/dev/shm/tensorc-%%%%%%%%.so", fd, path)) {
    close(fd);
    return Error::success();
  }
  if (std::error_code error =
          sys::fs::createTemporaryFile("tensorc", "so", fd, path))
    return createStringError(error, "cannot create a temporary file");
  close(fd);
  return Error::success();
}

/// The largest page of the object's machine: AArch64 kernels use up to 64 KiB.
const char *getPageSizeOption(ArrayRef<char> object) {
  constexpr size_t kMachineOffset = 18; // e_machine
  bool aarch64 = object.size() > kMachineOffset &&
                 uint8_t(object[kMachineOffset]) == ELF::EM_AARCH64;
  return aarch64 ? "max-page-size=65536" : "max-page-size=4096";
}

bool runLld(StringRef input, const char *pageSize, StringRef output,
            raw_ostream &diagnostics) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::string in = input.str(), out = output.str();
  const char *args[] = {"ld.lld",
                        "-shared",
                        "--no-undefined",
                        "-Bsymbolic",
                        "--hash-style=gnu",
                        "--threads=1",
                        "--build-id=none",
                        "--no-rosegment",
                        "-z",
                        "noseparate-code",
                        "-z",
                        "norelro",
                        "-z",
                        pageSize,
                        "--strip-debug",
                        in.c_str(),
                        "-o",
                        out.c_str()};
  bool ok = lld::elf::link(args, diagnostics, diagnostics, /*exitEarly=*/false,
                           /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  return ok;
}
} // namespace

Expected<ImageBytes> linkImage(ArrayRef<char> object) {
  MemoryFile input(object);
  if (!input.isComplete())
    return createStringError("cannot hand the object to the linker: memfd");
  SmallString<64> path;
  if (Error error = createOutputFile(path))
    return error;
  std::string diagnostics;
  raw_string_ostream stream(diagnostics);
  bool ok = runLld(input.getPath(), getPageSizeOption(object), path, stream);
  auto bytes = MemoryBuffer::getFile(path, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  sys::fs::remove(path);
  if (!ok)
    return createStringError("linking kernels failed: " + diagnostics);
  if (!bytes)
    return createStringError(bytes.getError(), "cannot read the linked image");
  return ImageBytes((*bytes)->getBufferStart(), (*bytes)->getBufferEnd());
}

} // namespace tensorc::codegen
