//===- TraceFile.h - The Chrome trace written for TENSORC_TRACE=f.json ----===//
#ifndef TENSORC_COMPILER_SESSION_JIT_TRACEFILE_H
#define TENSORC_COMPILER_SESSION_JIT_TRACEFILE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tensorc::jit {

/// A Chrome trace (chrome://tracing, Perfetto) of compilations, stages and
/// launches, written while the process runs. Does nothing unless TENSORC_TRACE
/// names a file.
class TraceFile {
public:
  /// Opens the file at the first call and registers for the runtime's launch
  /// reports.
  static TraceFile &get();
  bool isOn() const { return isOpen; }
  /// Records an event. Times are in CLOCK_MONOTONIC nanoseconds.
  void event(llvm::StringRef category, llvm::StringRef name, int64_t begin,
             int64_t end);

  /// Lock and unlock the mutex around a fork.
  void lock();
  void unlock();

private:
  TraceFile();
  bool isOpen = false;
};

int64_t monotonicNanoseconds();
/// Returns the CPU time of the calling thread.
int64_t threadNanoseconds();

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_TRACEFILE_H
