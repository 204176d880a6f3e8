//===- Progress.cpp - A line for a compilation that takes long ------------===//

#include "compiler/pipelines/Progress.h"

#include "llvm/ADT/StringRef.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <unistd.h>

namespace tensorc::compiler {

static std::atomic<bool> enabled{true};

void Progress::enable(bool on) { enabled = on; }

/// After how many seconds; none: never.
static std::optional<double> delay() {
  const char *text = secure_getenv("TENSORC_PROGRESS"),
             *term = secure_getenv("TERM");
  double seconds = 1;
  if (text && (llvm::StringRef(text).getAsDouble(seconds) || seconds < 0))
    return std::nullopt;
  bool capable = term && *term && llvm::StringRef(term) != "dumb";
  if (!enabled || !capable || !isatty(STDERR_FILENO))
    return std::nullopt;
  return seconds;
}

static void print(const std::string &text) {
  // Past the program's own buffers; a lost line is not an error.
  (void)!write(STDERR_FILENO, text.data(), text.size());
}
static constexpr const char *clearLine = "\r\033[K";

/// `3/7 kernels [########            ]`.
static std::string bar(unsigned done, unsigned total) {
  constexpr unsigned width = 20;
  unsigned full = done * width / total;
  return std::to_string(done) + "/" + std::to_string(total) + " kernels [" +
         std::string(full, '#') + std::string(width - full, ' ') + "]";
}

Progress::Progress(std::string title) : name(std::move(title)) {
  std::optional<double> seconds = delay();
  if (!seconds)
    return;
  // The program's signals are for its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread = std::thread([this, seconds = *seconds] {
    std::unique_lock lock(mutex);
    if (changed.wait_for(lock, std::chrono::duration<double>(seconds),
                         [&] { return ended; }))
      return;
    while (!ended) {
      print(clearLine + name + ": " + (total ? bar(done, total) : "compiling"));
      changed.wait(lock);
    }
    print(clearLine);
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Progress::~Progress() {
  if (!thread.joinable())
    return;
  {
    std::scoped_lock lock(mutex);
    ended = true;
  }
  changed.notify_one();
  thread.join();
}

void Progress::begin(unsigned kernels) {
  {
    std::scoped_lock lock(mutex);
    total = kernels;
  }
  changed.notify_one();
}

void Progress::advance() {
  {
    std::scoped_lock lock(mutex);
    ++done;
  }
  changed.notify_one();
}

} // namespace tensorc::compiler
