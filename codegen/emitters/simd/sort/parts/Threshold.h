//===- Threshold.h - A key that enough of a row come before -----*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_THRESHOLD_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_SORT_PARTS_THRESHOLD_H

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"

namespace tensorc::codegen::simd {

/// Of a row's first elements, by lanes, the first key of each class: those in
/// one lane of every so many vectors. The k-th of these keys has k elements of
/// the row that do not come behind it, and hardly more.
class Threshold : IndexCode {
public:
  /// `lanes`: of the row, read at once.
  Threshold(KernelBuilder &kernel, const AxisNest &nest, SortOrder &order,
            int64_t lanes);

  /// A key that at least k elements do not come behind. The last of all keys
  /// where this is not worth a pass over the row.
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
