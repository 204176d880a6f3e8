//===- Coverage.h - Which ops the random programs had ---------------------===//
#ifndef TENSORC_TESTS_FUZZ_COVERAGE_H
#define TENSORC_TESTS_FUZZ_COVERAGE_H

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <set>

namespace tensorc::fuzz {

/// Ops of the dialect and the dtypes of their results.
class Coverage {
public:
  void add(mlir::ModuleOp module);

  /// Prints the share and what is missing; false if an op that has no reason
  /// for it occurred in no program.
  bool report(llvm::raw_ostream &os) const;

private:
  /// All ops of the dialect, from the first program on; empty: not seen yet.
  std::map<std::string, std::set<std::string>> seen;
};

} // namespace tensorc::fuzz

#endif // TENSORC_TESTS_FUZZ_COVERAGE_H
