//===- StoredScores.h - Attention scores in shared memory -------*- C++ -*-===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_STOREDSCORES_H
#define TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_STOREDSCORES_H

#include "codegen/emitters/simt/attention/AttentionTile.h"

namespace tensorc::codegen::simt {

/// Base class of attentions that store scores in shared memory. A few threads
/// share a row of scores. A derived class adds the products.
class StoredScores : public AttentionTile {
protected:
  StoredScores(KernelBuilder &kernel, AttentionPattern pattern);

  /// Buffers in shared memory. `scores`: products, scores and then (without
  /// matrix instructions) weights. `rowFactors`: a factor per row.
  mlir::Value scores, rowFactors;
  int64_t scoreStride;

  // To be implemented by a skeleton.
  virtual void multiplyScores() = 0;
  /// Stores the weights of contiguous keys in the element type in which they
  /// are multiplied with v.
  virtual void storeWeights(mlir::Value row, mlir::Value key,
                            mlir::Value weights) = 0;
  virtual Values zeroSums() = 0;
  /// Returns the accumulators times the row factors, plus weights times v.
  virtual mlir::FailureOr<Values> multiplyValues(mlir::ValueRange sums) = 0;
  virtual void storeSums(mlir::ValueRange sums) = 0;

private:
  /// Number of threads that share a row of scores.
  int64_t perRow;
  mlir::Value row, slot;

  mlir::FailureOr<Values> begin(const Values &dims) override;
  mlir::FailureOr<Values> step(const Values &dims,
                               mlir::ValueRange carried) override;
  mlir::LogicalResult finish(const Values &dims,
                             mlir::ValueRange carried) override;
  mlir::Value resultsOf(mlir::Value sums, mlir::Value from) override;

  mlir::LogicalResult storeFactor(mlir::Value factor);
  mlir::FailureOr<mlir::Value> scoreRow(const Values &dims);
  mlir::Value computeRowWeights(mlir::Value shift, mlir::Value sum);
  mlir::FailureOr<Values>
  forKeys(mlir::Value carried,
          llvm::function_ref<mlir::FailureOr<mlir::Value>(
              mlir::Value key, mlir::Value index, mlir::Value carried)>
              body);
};

} // namespace tensorc::codegen::simt

#endif // TENSORC_CODEGEN_EMITTERS_SIMT_ATTENTION_STOREDSCORES_H
