//===- TraceFile.cpp - The Chrome trace written for TENSORC_TRACE=f.json --===//

#include "compiler/session/jit/TraceFile.h"

#include "runtime/include/tensorc/runtime.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace tensorc::jit {

static std::FILE *file = nullptr;
static std::mutex mutex;

int64_t monotonicNanoseconds() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

int64_t threadNanoseconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * int64_t(1'000'000'000) + time.tv_nsec;
}

TraceFile &TraceFile::get() {
  // Never destroyed, because launches may happen until the process ends.
  static auto *trace = new TraceFile;
  return *trace;
}

TraceFile::TraceFile() {
  const char *path = secure_getenv("TENSORC_TRACE");
  if (!path || !*path)
    return;
  file = std::fopen(path, "w");
  if (!file) {
    std::fprintf(stderr, "tensorc: cannot write TENSORC_TRACE=%s\n", path);
    return;
  }
  isOpen = true;
  // The format allows the closing bracket to be missing, so that the file is
  // readable at any time.
  std::fputs("[", file);
  tensorc_rt_set_launch_hook(
      [](void *user, const tensorc_rt_launch_record *record) {
        static_cast<TraceFile *>(user)->event("launch", record->kernel,
                                              record->begin_ns, record->end_ns);
      },
      this);
}

[[gnu::destructor]] static void closeFile() {
  std::scoped_lock lock(mutex);
  if (!file)
    return;
  std::fputs("\n]\n", file);
  std::fclose(std::exchange(file, nullptr));
}

void TraceFile::lock() { mutex.lock(); }
void TraceFile::unlock() { mutex.unlock(); }

void TraceFile::event(llvm::StringRef category, llvm::StringRef name,
                      int64_t begin, int64_t end) {
  if (!isOpen)
    return;
  std::string line;
  llvm::raw_string_ostream os(line);
  static bool first = true;
  os << "\n{\"ph\":\"X\",\"cat\":" << llvm::json::Value(category)
     << ",\"name\":" << llvm::json::Value(name) << ",\"pid\":" << getpid()
     << ",\"tid\":" << syscall(SYS_gettid)
     << ",\"ts\":" << llvm::format("%.3f", begin / 1e3)
     << ",\"dur\":" << llvm::format("%.3f", (end - begin) / 1e3) << "}";
  std::scoped_lock lock(mutex);
  if (!file)
    return;
  std::fputs(std::exchange(first, false) ? "" : ",", file);
  std::fputs(line.c_str(), file);
}

} // namespace tensorc::jit
