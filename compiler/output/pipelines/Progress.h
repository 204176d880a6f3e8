//===- Progress.h - A line for a compilation that takes long --------------===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_PROGRESS_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_PROGRESS_H

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tensorc::compiler {

/// After a second, while stderr is a terminal: `digits: 3/7 kernels` and a bar,
/// until the compilation ends. TENSORC_PROGRESS is another number of seconds,
/// or "off".
class Progress {
public:
  explicit Progress(std::string name);
  ~Progress();
  Progress(const Progress &) = delete;

  /// How many kernels there will be, all but their machine code done.
  void begin(unsigned kernels);
  /// The machine code of one more kernel is done.
  void advance();

  /// Of the process; on at first.
  static void enable(bool on);

private:
  std::string name;
  std::mutex mutex; // guards what follows
  std::condition_variable changed;
  unsigned done = 0, total = 0;
  bool ended = false;
  /// Runs only where there is a terminal.
  std::thread thread;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_PROGRESS_H
