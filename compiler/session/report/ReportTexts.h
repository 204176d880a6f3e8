//===- ReportTexts.h - IR and assembly texts of a report's kernels --------===//
#ifndef TENSORC_COMPILER_SESSION_REPORT_REPORTTEXTS_H
#define TENSORC_COMPILER_SESSION_REPORT_REPORTTEXTS_H

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace tensorc::report {

/// The texts that the page shows. Equal texts are stored once.
class TextTable {
public:
  /// Returns the text's number. Lines after the first maxLines are omitted.
  int64_t add(llvm::StringRef text);
  llvm::json::Array take() { return std::move(texts); }

private:
  llvm::json::Array texts;
  llvm::StringMap<int64_t> numbers;
};

/// Prints ops of a function. A value has the same name in all texts, and large
/// constants are elided.
class ElidedPrinter {
public:
  explicit ElidedPrinter(mlir::Operation *function);
  /// Returns an op of the function as text.
  std::string print(mlir::Operation *op);

private:
  mlir::AsmState names;
};

/// Returns the text of each of these functions in an assembly file, without
/// alignment and call frame information. Before the instructions of each source
/// line it has a comment `# FILE:LINE`.
llvm::StringMap<std::string>
splitAssembly(llvm::StringRef assembly, llvm::ArrayRef<std::string> functions);

/// Returns true if `function` is a kernel of the fusion, that is, if it has the
/// fusion's name, possibly with a suffix that begins with `_` or `.`.
bool belongsTo(llvm::StringRef function, llvm::StringRef fusion);

} // namespace tensorc::report

#endif // TENSORC_COMPILER_SESSION_REPORT_REPORTTEXTS_H
