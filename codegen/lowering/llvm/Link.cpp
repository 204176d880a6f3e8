//===- Link.cpp - Links objects with lld in this process ------------------===//

#include "codegen/lowering/llvm/Link.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <list>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)
LLD_HAS_DRIVER(wasm)

using namespace llvm;

namespace tensorc::codegen {

namespace {
/// An in-memory file that holds an object. lld opens it by its path.
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
  MemoryFile(const MemoryFile &) = delete;
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

/// Creates the output file, for which lld does not accept a memfd. It is in
/// /dev/shm if possible, to keep the image off the disk.
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

/// Restores signal handlers. When lld creates an output file, LLVM installs
/// handlers for a dozen signals and an alternate stack for the rest of the
/// process, which is not ours to change. Until they are restored, LLVM's
/// handlers forward signals to the program's own.
class SignalGuard {
public:
  SignalGuard() {
    sigaction(SIGINT, nullptr, &handler);
    // This stack is large enough that LLVM does not allocate another one.
    alignas(64) static char memory[256 << 10];
    stack_t ours = {};
    ours.ss_sp = memory;
    ours.ss_size = sizeof memory;
    replaced = sigaltstack(&ours, &stack) == 0;
  }
  ~SignalGuard() {
    struct sigaction now;
    sigaction(SIGINT, nullptr, &now);
    // If the process already used LLVM's handlers, as tools do, they are kept.
    if (now.sa_sigaction != handler.sa_sigaction)
      sys::unregisterHandlers();
    if (replaced)
      sigaltstack(&stack, nullptr);
  }
  SignalGuard(const SignalGuard &) = delete;

private:
  struct sigaction handler = {};
  stack_t stack = {};
  bool replaced = false;
};

/// Runs `work` on a separate thread. lld keeps 3 KB per link in thread_local
/// arenas, which are freed only when the thread ends.
void onSeparateThread(function_ref<void()> work) {
  pthread_t thread;
  auto start = [](void *data) -> void * {
    (*static_cast<function_ref<void()> *>(data))();
    return nullptr;
  };
  // If no thread can be created, these 3 KB leak.
  if (pthread_create(&thread, nullptr, start, &work) != 0)
    return work();
  pthread_join(thread, nullptr);
}

/// Runs a driver of lld, such as lld::elf::link, with options, inputs and
/// output.
bool runLld(decltype(lld::elf::link) &driver, SmallVector<const char *> args,
            ArrayRef<std::string> inputs, StringRef output,
            raw_ostream &diagnostics) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::string out = output.str();
  args.push_back("--threads=1");
  for (const std::string &input : inputs)
    args.push_back(input.c_str());
  args.append({"-o", out.c_str()});
  bool ok = false;
  onSeparateThread([&] {
    SignalGuard guard;
    ok = driver(args, diagnostics, diagnostics, /*exitEarly=*/false,
                /*disableOutput=*/false);
    lld::CommonLinkerContext::destroy();
  });
  return ok;
}

/// Links objects in memory.
Expected<SmallVector<char, 0>> link(decltype(lld::elf::link) &driver,
                                    ArrayRef<const char *> args,
                                    ArrayRef<ArrayRef<char>> objects) {
  std::list<MemoryFile> files;
  SmallVector<std::string> inputs;
  for (ArrayRef<char> object : objects) {
    MemoryFile &file = files.emplace_back(object);
    if (!file.isComplete())
      return createStringError("cannot hand the object to the linker: memfd");
    inputs.push_back(file.getPath());
  }
  SmallString<64> path;
  if (Error error = createOutputFile(path))
    return error;
  std::string diagnostics;
  raw_string_ostream stream(diagnostics);
  bool ok =
      runLld(driver, SmallVector<const char *>(args), inputs, path, stream);
  auto bytes = MemoryBuffer::getFile(path, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  sys::fs::remove(path);
  if (!ok)
    return createStringError("linking kernels failed: " + diagnostics);
  if (!bytes)
    return createStringError(bytes.getError(), "cannot read the linked image");
  return SmallVector<char, 0>((*bytes)->getBufferStart(),
                              (*bytes)->getBufferEnd());
}
} // namespace

Expected<SmallVector<char, 0>> linkElf(ArrayRef<ArrayRef<char>> objects,
                                       ArrayRef<const char *> options) {
  SmallVector<const char *> args = {"ld.lld", "-shared", "--no-undefined",
                                    "--build-id=none", "--strip-debug"};
  args.append(options.begin(), options.end());
  return link(lld::elf::link, args, objects);
}

Expected<SmallVector<char, 0>> linkWasm(ArrayRef<char> object,
                                        ArrayRef<std::string> functions) {
  // The stack is first, so that an overflow traps instead of overwriting data.
  SmallVector<const char *> args = {
      "wasm-ld",       "--no-entry", "--export=__heap_base", "--strip-all",
      "--stack-first", "-z",         "stack-size=1048576"};
  std::vector<std::string> exports;
  for (const std::string &function : functions)
    exports.push_back("--export=" + function);
  for (const std::string &option : exports)
    args.push_back(option.c_str());
  return link(lld::wasm::link, args, object);
}

} // namespace tensorc::codegen
