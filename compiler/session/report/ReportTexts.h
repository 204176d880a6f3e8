//===- ReportTexts.h - The texts of a report's kernels --------------------===//
#ifndef TENSORC_COMPILER_SESSION_REPORT_REPORTTEXTS_H
#define TENSORC_COMPILER_SESSION_REPORT_REPORTTEXTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace tensorc::report {

/// Texts that the page shows, each stored once.
class TextTable {
public:
  /// Returns the text's number. Lines after the first maxLines are left out.
  int64_t add(llvm::StringRef text);
  llvm::json::Array take() { return std::move(texts); }

private:
  llvm::json::Array texts;
  llvm::StringMap<int64_t> numbers;
};

/// Returns an op of the function as text in which large constants are elided.
std::string printElided(mlir::Operation *op, mlir::Operation *function);

/// Returns the text of one function of an assembly file, without directives;
/// empty if there is none of that name.
std::string assemblyOf(llvm::StringRef assembly, llvm::StringRef function);

/// Returns true if `function` is a kernel of the fusion: it has its name, or
/// its name and a suffix.
bool belongsTo(llvm::StringRef function, llvm::StringRef fusion);

} // namespace tensorc::report

#endif // TENSORC_COMPILER_SESSION_REPORT_REPORTTEXTS_H
