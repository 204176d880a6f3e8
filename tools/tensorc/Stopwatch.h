//===- Stopwatch.h - Wall-clock time and CPU time ---------------*- C++ -*-===//
#ifndef TENSORC_TOOLS_TENSORC_STOPWATCH_H
#define TENSORC_TOOLS_TENSORC_STOPWATCH_H

#include "tools/tensorc/Arguments.h"

#include <ctime>

namespace tensorc::tool {

/// Real is wall-clock time. Cpu is the CPU time of all threads of the process,
/// which other processes do not affect.
enum class TimeKind { Real, Cpu };

inline TimeKind timeKindOf(const Arguments &arguments) {
  return arguments.has("cpu-time") ? TimeKind::Cpu : TimeKind::Real;
}
inline llvm::StringRef nameOf(TimeKind kind) {
  return kind == TimeKind::Cpu ? "cpu" : "real";
}

/// Measures the time since its construction.
class Stopwatch {
public:
  explicit Stopwatch(TimeKind kind)
      : id(kind == TimeKind::Cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC),
        start(now()) {}
  double seconds() const { return now() - start; }

private:
  double now() const {
    timespec time;
    clock_gettime(id, &time);
    return static_cast<double>(time.tv_sec) + time.tv_nsec * 1e-9;
  }

  clockid_t id;
  double start;
};

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_STOPWATCH_H
