//===- Memory.h - Memory use of a program ---------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_REPORT_MEMORY_H
#define TENSORC_COMPILER_SESSION_REPORT_MEMORY_H

#include "ir/program/Txp.h"
#include "ir/shape/Dim.h"

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace tensorc::report {

/// Memory use of a program. Bytes are numbers, or formulas over the program's
/// named sizes, or "?" if they are known only at run time.
struct MemoryFacts {
  std::string inputs, outputs, constants, arena, peak;
  /// A buffer: a temporary at an offset in the arena, or a result.
  struct Slot {
    std::string offset, bytes;
    /// The first kernel that writes the buffer.
    std::string kernel;
    /// The steps of its first and last use; 0 where `steps` is empty.
    unsigned first = 0, last = 0;
  };
  std::vector<Slot> slots, results;
  /// The program's kernels, copies and calls, in order; empty if unknown.
  std::vector<std::string> steps;
  /// A memory limit and the device bytes that a run needs, with and without the
  /// decisions below. Absent if there is no limit or sizes are unknown.
  struct Fit {
    int64_t limit = 0, natural = 0, fitted = 0, moved = 0;
  };
  std::optional<Fit> fit;
  /// A decision that reduces the memory use to fit the limit.
  struct Decision {
    std::string decision, kernel, line;
    int64_t bytes = 0;
    double microseconds = 0;
    /// Number of parts of a batch; 1 unless it is split.
    int64_t parts = 1;
  };
  std::vector<Decision> decisions;
};

/// Returns x & mask where the mask rounds down to a multiple of a power of two,
/// and Dim::none() elsewhere.
shape::Dim alignDown(shape::Dim x, shape::Dim mask);

/// Returns a JSON number, or a string for an expression.
llvm::json::Value quantity(llvm::StringRef text);
llvm::json::Object toJson(const MemoryFacts &memory);
/// Prints one line each, indented by two columns.
void print(llvm::raw_ostream &os, const MemoryFacts &memory);

/// Explains a program after the stage lower, whose memory is planned.
MemoryFacts explainMemory(txp::FuncOp program);

} // namespace tensorc::report

#endif // TENSORC_COMPILER_SESSION_REPORT_MEMORY_H
