//===- MemoryLimits.h - Random programs under memory limits ---------------===//
#ifndef TENSORC_TESTS_FUZZ_MEMORYLIMITS_H
#define TENSORC_TESTS_FUZZ_MEMORYLIMITS_H

#include "ir/reference/Array.h"
#include "tools/tensorc/Program.h"

namespace tensorc::fuzz {

/// What became of the programs.
struct LimitCounts {
  /// Programs with a size that only run time knows, which are not planned.
  uint64_t unplanned = 0;
  /// Runs under a limit, and those that moved buffers to the host.
  uint64_t runs = 0, spilled = 0;
};

/// Specializes the program for the inputs and runs it without a limit and under
/// random ones, planned for a device of random speed. Returns false unless each limit below the smallest one is
/// refused with the same number, and all others give the same bits.
bool checkLimits(tool::Program &program, llvm::StringRef device,
                 llvm::ArrayRef<reference::Array> inputs, uint64_t seed,
                 LimitCounts &counts);

} // namespace tensorc::fuzz

#endif // TENSORC_TESTS_FUZZ_MEMORYLIMITS_H
