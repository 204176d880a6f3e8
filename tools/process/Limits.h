//===- Limits.h - How much a tool's process may take ----------------------===//
#ifndef TENSORC_TOOLS_PROCESS_LIMITS_H
#define TENSORC_TOOLS_PROCESS_LIMITS_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"

#include <optional>
#include <string>

namespace tensorc::tool {

/// Limits as the options give them; empty for no limit.
struct Limits {
  /// Limit of all private writable memory of the process, such as `2G`.
  std::string memory;
  /// Limit in seconds of wall-clock time, such as `0.5`.
  std::string time;
  /// Limit of the number of operations of the program when it is read,
  /// including those in regions.
  std::string ops;
  /// Limit of the device's memory, such as `2G`, which is not a limit of the
  /// process.
  std::string deviceMemory = "";
};

/// Parses a number of bytes, or one with K, M or G.
std::optional<uint64_t> parseBytes(llvm::StringRef text);

/// Returns the error text for an invalid limit, or an empty string.
std::string whyNoLimits(const Limits &limits);

/// Applies limits to this process. From then on it ends with `TOOL: error: ...`
/// and status 1 when it runs out of memory, with or without a limit and on any
/// thread, or when its time is over. It then removes unfinished outputs and
/// ends its child processes. Returns an error of the system, or an empty
/// string.
std::string applyLimits(llvm::StringRef tool, const Limits &limits);

/// Reports an error if the program has more operations than the limit, at the
/// first one beyond it.
mlir::LogicalResult checkOps(mlir::Operation *program, const Limits &limits);

/// Prints the message and ends the process, as a limit does.
[[noreturn]] void endProcess(llvm::StringRef message);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_PROCESS_LIMITS_H
