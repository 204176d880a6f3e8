//===- Limits.cpp - Resource limits of a tool's process -------------------===//

#include "tools/process/Limits.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"

#include <chrono>
#include <csignal>
#include <exception>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>
#include <system_error>
#include <thread>
#include <unistd.h>

using namespace mlir;

namespace tensorc::tool {

/// Messages that are prepared in advance, because after a failure they must be
/// printed without allocating memory.
static llvm::SmallString<256> outOfMemory, outOfTime;

std::optional<uint64_t> parseBytes(StringRef text) {
  unsigned shift = 0;
  if (text.consume_back("K"))
    shift = 10;
  else if (text.consume_back("M"))
    shift = 20;
  else if (text.consume_back("G"))
    shift = 30;
  uint64_t count = 0;
  if (text.getAsInteger(10, count) || count == 0 || count > UINT64_MAX >> shift)
    return std::nullopt;
  return count << shift;
}

static std::optional<double> parseSeconds(StringRef text) {
  double seconds = 0;
  // A clock overflows after more than 30 years.
  if (text.getAsDouble(seconds) || !(seconds > 0) || seconds > 1e9)
    return std::nullopt;
  return seconds;
}

static std::optional<uint64_t> parseCount(StringRef text) {
  uint64_t count = 0;
  if (text.getAsInteger(10, count) || count == 0)
    return std::nullopt;
  return count;
}

std::string whyNoLimits(const Limits &limits) {
  for (auto [option, bytes] :
       {std::pair("--max-memory", &limits.memory),
        std::pair("--memory-limit", &limits.deviceMemory)})
    if (!bytes->empty() && !parseBytes(*bytes))
      return std::string(option) + ": '" + *bytes +
             "' is not a number of bytes, or one with K, M or G";
  if (!limits.time.empty() && !parseSeconds(limits.time))
    return "--max-time: '" + limits.time + "' is not a number of seconds";
  if (!limits.ops.empty() && !parseCount(limits.ops))
    return "--max-ops: '" + limits.ops + "' is not a count above 0";
  return "";
}

/// Ends child processes such as ptxas, whose output is no longer needed. Reads
/// /proc, which needs no memory. Only the main thread starts processes.
static void endChildren() {
  llvm::SmallString<64> path("/proc/self/task/");
  path += llvm::utostr(static_cast<uint64_t>(getpid()));
  path += "/children";
  char list[4096];
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? 0 : read(file, list, sizeof list);
  if (file >= 0)
    close(file);
  StringRef rest(list, size > 0 ? size : 0);
  while (!rest.empty()) {
    auto [word, after] = rest.split(' ');
    rest = after;
    pid_t child = 0;
    if (!word.getAsInteger(10, child) && child > 0)
      kill(child, SIGKILL);
  }
}

void endProcess(StringRef message) {
  (void)!write(STDERR_FILENO, message.data(), message.size());
  endChildren();
  llvm::sys::RunInterruptHandlers(); // removes unfinished files
  _exit(1);
}

/// Called for an uncaught exception, on a thread or in code that must not
/// throw. If memory ran out, ends the process without a crash report.
static void endWithoutMemory() {
  try {
    if (std::exception_ptr thrown = std::current_exception())
      std::rethrow_exception(thrown);
  } catch (const std::bad_alloc &) {
    endProcess(outOfMemory);
  } catch (const std::system_error &error) { // a thread could not be started
    if (error.code() == std::errc::resource_unavailable_try_again)
      endProcess(outOfMemory);
  } catch (...) {
  }
  std::abort();
}

/// Makes the process end with a message when memory runs out. By default LLVM
/// aborts in this case, in its own containers and through a new handler that
/// InitLLVM sets. This handler also hides std::bad_alloc from code that catches
/// it.
static void refuseWithoutMemory() {
  std::set_new_handler(nullptr);
  std::set_terminate(endWithoutMemory);
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { endProcess(outOfMemory); });
}

/// Sets RLIMIT_DATA. It counts private writable memory, but neither the code of
/// libraries nor reserved address space.
static std::string limitMemory(uint64_t bytes) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||           \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  (void)bytes;
  return "--max-memory: a sanitizer needs more than any limit";
#else
  rlimit limit{bytes, bytes};
  if (setrlimit(RLIMIT_DATA, &limit) != 0)
    return "--max-memory: " +
           std::error_code(errno, std::generic_category()).message();
  // A small program takes 4 to 6 MB. MLIR does not check its allocations while
  // it registers operations, so a process that has less would crash there.
  constexpr size_t minFreeBytes = 8 << 20;
  void *memory = mmap(nullptr, minFreeBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    endProcess(outOfMemory);
  munmap(memory, minFreeBytes);
  return "";
#endif
}

static void limitTime(double seconds) {
  auto end = std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                 std::chrono::duration<double>(seconds));
  std::thread([end] {
    std::this_thread::sleep_until(end);
    endProcess(outOfTime);
  }).detach();
}

std::string applyLimits(StringRef tool, const Limits &limits) {
  (Twine(tool) + ": error: not enough memory" +
   (limits.memory.empty() ? ""
                          : ": --max-memory allows " + Twine(limits.memory)) +
   "\n")
      .toVector(outOfMemory);
  (Twine(tool) + ": error: out of time: --max-time allows " + limits.time +
   " s\n")
      .toVector(outOfTime);
  refuseWithoutMemory();
  if (!limits.time.empty())
    limitTime(*parseSeconds(limits.time));
  return limits.memory.empty() ? "" : limitMemory(*parseBytes(limits.memory));
}

LogicalResult checkOps(Operation *program, const Limits &limits) {
  if (limits.ops.empty())
    return success();
  uint64_t most = *parseCount(limits.ops), count = 0;
  WalkResult result = program->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == program || ++count <= most)
      return WalkResult::advance();
    emitError(op->getLoc())
        << "more operations than --max-ops allows: " << most;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

} // namespace tensorc::tool
