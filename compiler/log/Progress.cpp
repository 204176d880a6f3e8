//===- Progress.cpp - Progress line of long work --------------------------===//

#include "compiler/log/Progress.h"

#include "compiler/log/Environment.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <unistd.h>

namespace tensorc {

using Clock = std::chrono::steady_clock;

static std::atomic<bool> enabled{true};
static std::atomic<int> givenFile{-1};
/// True while an object exists that may show its line. Others show none, so that
/// a search hides the lines of its compilations.
static std::atomic<bool> isTaken{false};

void Progress::enable(bool on) { enabled = on; }
void Progress::setFile(int descriptor) { givenFile = descriptor; }

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

/// Returns the file descriptor for lines, or nullopt if nobody would see them.
static std::optional<int> findFile() {
  if (!enabled)
    return std::nullopt;
  if (int file = givenFile; file >= 0)
    return file;
  llvm::StringRef term = readVariable("TERM");
  if (term.empty() || term == "dumb" || !isatty(STDERR_FILENO))
    return std::nullopt;
  return STDERR_FILENO;
}

static void print(int file, const std::string &text) {
  // Writes without buffering. It does not matter if a line is lost.
  (void)!write(file, text.data(), text.size());
}
static constexpr const char *clearLine = "\r\033[K";

static std::string bar(unsigned done, unsigned total) {
  constexpr unsigned width = 20;
  unsigned full = uint64_t(std::min(done, total)) * width / total;
  return "[" + std::string(full, '#') + std::string(width - full, ' ') + "]";
}

Progress::Progress(std::string name, std::string phase, std::string unit)
    : name(std::move(name)), phase(std::move(phase)), unit(std::move(unit)) {
  static const std::optional<double> delay = secondsOfEnvironment();
  std::optional<int> file = findFile();
  if (!delay || !file || isTaken.exchange(true))
    return;
  // Blocks all signals in the thread, because they are for the program's own
  // threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread = std::thread([this, file] { show(*delay, *file); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Progress::show(double delay, int file) {
  std::unique_lock lock(mutex);
  if (changed.wait_for(lock, std::chrono::duration<double>(delay),
                       [&] { return ended; }))
    return;
  while (!ended) {
    print(file, clearLine + line());
    // The remaining time changes although nothing is done.
    changed.wait_for(lock, std::chrono::seconds(1));
  }
  print(file, clearLine);
}

std::string Progress::line() const {
  if (total == 0)
    return name + ": " + phase;
  std::string text = name + ": " + std::to_string(done) + "/" +
                     std::to_string(total) + " " + unit + " " +
                     bar(done, total);
  double spent = std::chrono::duration<double>(Clock::now() - begun).count();
  double left = 0;
  if (duration)
    left = *duration - spent;
  else if (done && done < total)
    left = spent * (total - done) / done;
  if (left <= 0)
    return text;
  return text + " " + std::to_string(std::llround(std::ceil(left))) + " s left";
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
  isTaken = false;
}

void Progress::begin(unsigned units, std::optional<double> seconds) {
  {
    std::scoped_lock lock(mutex);
    if (total == 0)
      begun = Clock::now();
    total = units;
    duration = seconds;
  }
  changed.notify_one();
}

void Progress::advance() {
  std::scoped_lock lock(mutex);
  setDone(done + 1);
}

void Progress::advanceTo(unsigned units) {
  std::scoped_lock lock(mutex);
  setDone(units);
}

void Progress::setDone(unsigned units) {
  // A model may have thousands of nodes, but a percent is enough.
  auto percent = [&] { return total ? uint64_t(done) * 100 / total : done; };
  uint64_t before = percent();
  done = total ? std::min(units, total) : units;
  if (percent() != before)
    changed.notify_one();
}

} // namespace tensorc
