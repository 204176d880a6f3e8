//===- Threshold.h - Upper bound on the k-th key of a row -------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_THRESHOLD_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_THRESHOLD_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"

namespace tensorc::codegen::simd {

/// Finds a key that at least k elements of a row do not come after, as a filter
/// for a top-k. The row's first elements are divided into classes by lane and
/// vector, and the result is the k-th of the classes' first keys. Then k
/// classes have an element that does not come after it.
class Threshold : IndexCode {
public:
  /// `lanes` is the number of elements of a row that are loaded as a vector.
  Threshold(KernelBuilder &kernel, const AxisNest &nest, SortOrder &order,
            int64_t lanes);

  /// Returns a key that at least k elements of the row at `dims` do not come
  /// after. If a pass over the row does not pay off, returns the key that sorts
  /// last.
  mlir::FailureOr<mlir::Value> find(const llvm::SmallVector<mlir::Value> &dims);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  const AxisNest &nest;
  SortOrder &order;
  analysis::IterationSpace space;
  int64_t lanes, classes;

  int64_t vectorsPerStep() const;
  mlir::Value isWorthIt();
  mlir::Value firstOf(mlir::Value x, mlir::Value y);
  mlir::FailureOr<Values> load(Values dims, mlir::Value from);
  mlir::FailureOr<Values> firstOfClasses(const Values &dims);
  mlir::Value firstLane(mlir::Value x);
  mlir::FailureOr<mlir::Value> nth(Values keys, mlir::Value count);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_THRESHOLD_H
