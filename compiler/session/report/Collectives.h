//===- Collectives.h - Explains the collectives of a program --------------===//
#ifndef TENSORC_COMPILER_SESSION_REPORT_COLLECTIVES_H
#define TENSORC_COMPILER_SESSION_REPORT_COLLECTIVES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace tensorc::report {

/// A collective that the compiler inserted.
struct CollectiveFacts {
  /// The op, such as `all_reduce sum`, and the mesh axes along which it runs.
  std::string kind, axes;
  /// The op's operand on each rank, and the number of bytes that a rank sends;
  /// nullopt if only a run knows it.
  std::string operand;
  std::optional<int64_t> bytes;
  /// The reason for the collective, and the annotation that would remove it.
  std::string reason, remedy;
  /// The source line that requires the collective; empty if unknown.
  std::string line;
};

/// A call that performs several reductions (tx-bucket-reductions).
struct BucketFacts {
  std::string kind;               // such as `all_reduce sum`
  int64_t calls = 0;              // number of reductions
  int64_t bytes = 0;              // of the operands
  bool runsNextToKernels = false; // see tx-overlap-reductions
};

/// Explains the collectives of a function after the stage tensor.
std::vector<CollectiveFacts> explainCollectives(mlir::func::FuncOp function);
llvm::json::Object toJson(const CollectiveFacts &facts);
void print(llvm::raw_ostream &os, llvm::ArrayRef<CollectiveFacts> collectives);
/// Explains the buckets of a function after the stage fuse.
std::vector<BucketFacts> explainBuckets(mlir::func::FuncOp function);
llvm::json::Object toJson(const BucketFacts &facts);
void print(llvm::raw_ostream &os, llvm::ArrayRef<BucketFacts> buckets);

} // namespace tensorc::report

#endif // TENSORC_COMPILER_SESSION_REPORT_COLLECTIVES_H
