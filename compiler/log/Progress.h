//===- Progress.h - Progress line of long work ------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_LOG_PROGRESS_H
#define TENSORC_COMPILER_LOG_PROGRESS_H

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace tensorc {

/// Shows `digits: 3/7 kernels [########            ] 2 s left` from one second
/// after the start until the work ends, if stderr is a terminal.
/// TENSORC_PROGRESS sets another number of seconds, or "off". One line is shown
/// at a time: work within other work has none, such as compilations of tuning.
class Progress {
public:
  /// `phase` is shown until begin(), such as "compiling". `unit` names what is
  /// counted, in the plural.
  Progress(std::string name, std::string phase, std::string unit);
  ~Progress();
  Progress(const Progress &) = delete;

  /// Sets the number of units. If the work takes a given time, `seconds` is that
  /// time from now on. Otherwise the remaining time is estimated from the units
  /// that are done since the first call.
  void begin(unsigned units, std::optional<double> seconds = std::nullopt);
  /// Counts one more unit that is done.
  void advance();
  /// Sets the number of units that are done, at most the given total.
  void advanceTo(unsigned units);

  /// Enables or disables progress for the process; the default is on.
  static void enable(bool on);
  /// Writes lines to a file descriptor instead, even if it is no terminal; -1
  /// means stderr.
  static void setFile(int descriptor);

private:
  void show(double delay, int file);
  std::string line() const;
  void setDone(unsigned units);

  std::string name, phase, unit;
  std::mutex mutex; // guards the members below
  std::condition_variable changed;
  unsigned done = 0, total = 0;
  std::optional<double> duration;
  std::chrono::steady_clock::time_point begun;
  bool ended = false;
  /// Runs only if there is a place to write to.
  std::thread thread;
};

} // namespace tensorc

#endif // TENSORC_COMPILER_LOG_PROGRESS_H
