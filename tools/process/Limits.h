//===- Limits.h - Resource limits of a tool's process ---------------------===//
#ifndef TENSORC_TOOLS_PROCESS_LIMITS_H
#define TENSORC_TOOLS_PROCESS_LIMITS_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"

#include <optional>
#include <string>

namespace tensorc::tool {

/// Limits as given by the options. An empty string means no limit.
struct Limits {
  /// Limit of all private writable memory of the process, such as `2G`.
  std::string memory;
  /// Limit in seconds of wall-clock time, such as `0.5`.
  std::string time;
  /// Limit of the number of operations of the program when it is read,
  /// including those in regions.
  std::string ops;
  /// Limit of the device's memory, such as `2G`. It is not a limit of the
  /// process.
  std::string deviceMemory = "";
};

/// Parses a number of bytes, or one with K, M or G.
std::optional<uint64_t> parseBytes(llvm::StringRef text);

/// Returns the error text for an invalid limit, or an empty string.
std::string whyNoLimits(const Limits &limits);

/// Applies limits to this process. From then on the process ends with `TOOL:
/// error: ...` and status 1 when its time is over or memory runs out, on any
/// thread, with or without a memory limit. It then removes unfinished outputs
/// and ends its child processes. Returns an error of the system, or an empty
/// string.
std::string applyLimits(llvm::StringRef tool, const Limits &limits);

/// If the program has more operations than the limit, reports an error at the
/// first operation beyond it.
mlir::LogicalResult checkOps(mlir::Operation *program, const Limits &limits);

/// Prints the message and ends the process in the same way as a limit.
[[noreturn]] void endProcess(llvm::StringRef message);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_PROCESS_LIMITS_H
