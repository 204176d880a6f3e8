//===- Coverage.h - Which ops the random programs had ---------------------===//
#ifndef TENSORC_TESTS_FUZZ_COVERAGE_H
#define TENSORC_TESTS_FUZZ_COVERAGE_H

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <set>

namespace tensorc::fuzz {

/// Counts the ops of the dialect and the dtypes of their results.
class Coverage {
public:
  void add(mlir::ModuleOp module);

  /// Prints the fraction of ops that occurred, and the missing ones. Returns
  /// false if an op is missing without a listed reason.
  bool report(llvm::raw_ostream &os) const;

private:
  /// All ops of the dialect; empty before the first program.
  std::map<std::string, std::set<std::string>> seen;
};

} // namespace tensorc::fuzz

#endif // TENSORC_TESTS_FUZZ_COVERAGE_H
