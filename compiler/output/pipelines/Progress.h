//===- Progress.h - Progress line of a long compilation -------------------===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_PROGRESS_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_PROGRESS_H

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tensorc::compiler {

/// Shows `digits: 3/7 kernels` and a bar from one second after the start until
/// the compilation ends, if stderr is a terminal. TENSORC_PROGRESS sets another
/// number of seconds, or "off".
class Progress {
public:
  explicit Progress(std::string name);
  ~Progress();
  Progress(const Progress &) = delete;

  /// Sets the number of kernels. Called when only their machine code remains to
  /// be generated.
  void begin(unsigned kernels);
  /// Counts one more kernel whose machine code is done.
  void advance();

  /// Enables or disables progress for the process; the default is on.
  static void enable(bool on);

private:
  std::string name;
  std::mutex mutex; // guards the members below
  std::condition_variable changed;
  unsigned done = 0, total = 0;
  bool ended = false;
  /// Runs only if stderr is a terminal.
  std::thread thread;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_PROGRESS_H
