//===- Limits.h - How much a tool's process may take ----------------------===//
#ifndef TENSORC_TOOLS_PROCESS_LIMITS_H
#define TENSORC_TOOLS_PROCESS_LIMITS_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"

#include <optional>
#include <string>

namespace tensorc::tool {

/// As the options say them; empty: no limit.
struct Limits {
  /// `2G`: all memory that the process writes to and shares with nobody.
  std::string memory;
  /// Seconds by the clock, `0.5` say.
  std::string time;
  /// Operations of the program as it is read, those in regions included.
  std::string ops;
};

/// What is wrong with one of them; empty: nothing.
std::string whyNoLimits(const Limits &limits);

/// From now on the process ends with `TOOL: error: ...` and status 1 where
/// memory runs out, within the limit or without one, on whichever thread, and
/// when its time is over; unfinished outputs and processes that it started are
/// removed. What is wrong with the system's answer; empty: nothing.
std::string applyLimits(llvm::StringRef tool, const Limits &limits);

/// Refuses a program of more operations, at the first that is too many.
mlir::LogicalResult checkOps(mlir::Operation *program, const Limits &limits);

/// Ends the process as a limit does.
[[noreturn]] void endProcess(llvm::StringRef message);

} // namespace tensorc::tool

#endif // TENSORC_TOOLS_PROCESS_LIMITS_H
