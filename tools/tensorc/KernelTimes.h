//===- KernelTimes.h - Measures the times of kernels ------------*- C++ -*-===//
#ifndef TENSORC_TOOLS_TENSORC_KERNELTIMES_H
#define TENSORC_TOOLS_TENSORC_KERNELTIMES_H

#include "tools/tensorc/Stopwatch.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <limits>
#include <string>

namespace tensorc::tool {

struct KernelTime {
  int64_t launches = 0, nanoseconds = 0;
  /// Minimum time of the kernel's launches.
  int64_t least = std::numeric_limits<int64_t>::max();
};

/// Owns the process's launch hook during its lifetime. Kernels are in the order
/// of their first launches.
class KernelTimes {
public:
  explicit KernelTimes(TimeKind kind);
  ~KernelTimes();
  KernelTimes(const KernelTimes &) = delete;

  TimeKind isOf() const { return kind; }
  const auto &get() const { return kernels; }
  void clear() { kernels.clear(); }

private:
  TimeKind kind;
  llvm::MapVector<std::string, KernelTime, llvm::StringMap<unsigned>> kernels;
};

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_TENSORC_KERNELTIMES_H
