//===- MemoryLimits.h - Random programs under memory limits ---------------===//
#ifndef TENSORC_TESTS_FUZZ_MEMORYLIMITS_H
#define TENSORC_TESTS_FUZZ_MEMORYLIMITS_H

#include "ir/reference/Array.h"
#include "tools/tensorc/Program.h"

#include <map>

namespace tensorc::fuzz {

/// What became of the programs.
struct LimitCounts {
  /// Programs with a size that only run time knows, which are not planned.
  uint64_t unplanned = 0;
  /// Runs under a limit, and those that moved buffers to the host.
  uint64_t runs = 0, spilled = 0;
  /// Runs of programs for named sizes with plans for less memory, and those that
  /// no plan fitted.
  uint64_t planRuns = 0, planRefusals = 0;
};

/// Compiles the program with plans for the first sizes, and runs it at all sizes
/// without a limit and under random ones. Returns false unless the bits are the
/// same, or no plan fits.
bool checkPlans(tool::Program &program, llvm::StringRef device,
                llvm::ArrayRef<std::map<std::string, int64_t>> sizes,
                llvm::ArrayRef<std::vector<reference::Array>> inputs,
                uint64_t seed, LimitCounts &counts);

/// Specializes the program for the inputs and runs it without a limit and under
/// random ones, planned for a device of random speed. Returns false unless each
/// limit below the smallest one is refused with the same number, and all others
/// give the same bits.
bool checkLimits(tool::Program &program, llvm::StringRef device,
                 llvm::ArrayRef<reference::Array> inputs, uint64_t seed,
                 LimitCounts &counts);

} // namespace tensorc::fuzz

#endif // TENSORC_TESTS_FUZZ_MEMORYLIMITS_H
