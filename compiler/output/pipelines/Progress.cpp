//===- Progress.cpp - Progress line of a long compilation -----------------===//

#include "compiler/output/pipelines/Progress.h"

#include "compiler/log/Environment.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <unistd.h>

namespace tensorc::compiler {

static std::atomic<bool> enabled{true};

void Progress::enable(bool on) { enabled = on; }

static std::optional<double> secondsOfEnvironment() {
  constexpr double usual = 1;
  llvm::StringRef text = readVariable("TENSORC_PROGRESS");
  if (text.empty())
    return usual;
  if (text == "off")
    return std::nullopt;
  double seconds;
  if (!text.getAsDouble(seconds) && seconds >= 0)
    return seconds;
  tellIgnored("TENSORC_PROGRESS", text, "off or a number of seconds");
  return usual;
}

/// Returns the delay in seconds, or nullopt if progress is off.
static std::optional<double> delay() {
  static const std::optional<double> asked = secondsOfEnvironment();
  llvm::StringRef term = readVariable("TERM");
  if (!enabled || term.empty() || term == "dumb" || !isatty(STDERR_FILENO))
    return std::nullopt;
  return asked;
}

static void print(const std::string &text) {
  // Writes without buffering. It does not matter if a line is lost.
  (void)!write(STDERR_FILENO, text.data(), text.size());
}
static constexpr const char *clearLine = "\r\033[K";

/// Returns a text such as `3/7 kernels [########            ]`.
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
  // Blocks all signals in the thread, because they are for the program's own
  // threads.
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
