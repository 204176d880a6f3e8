//===- Collectives.h - What ranks exchange, and why -----------------------===//
#ifndef TENSORC_COMPILER_SESSION_REPORT_COLLECTIVES_H
#define TENSORC_COMPILER_SESSION_REPORT_COLLECTIVES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace tensorc::report {

/// A collective that the compiler inserted.
struct CollectiveFacts {
  /// `all_reduce sum`, and the axes of the mesh that it runs along.
  std::string kind, axes;
  /// The op's operand on each rank, and the number of bytes that a rank sends.
  std::string operand;
  int64_t bytes;
  /// Why it is there, and which annotation would remove it.
  std::string reason, remedy;
  /// The source line that needs it; empty if unknown.
  std::string line;
};

/// Explains a function after the stage tensor.
std::vector<CollectiveFacts> explainCollectives(mlir::func::FuncOp function);
llvm::json::Object toJson(const CollectiveFacts &facts);
void print(llvm::raw_ostream &os, llvm::ArrayRef<CollectiveFacts> collectives);

} // namespace tensorc::report

#endif // TENSORC_COMPILER_SESSION_REPORT_COLLECTIVES_H
