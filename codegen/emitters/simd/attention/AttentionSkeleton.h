//===- AttentionSkeleton.h - Emits softmax(q kT) v ------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_ATTENTION_ATTENTIONSKELETON_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_ATTENTION_ATTENTIONSKELETON_H

#include "codegen/emitters/plans/AttentionPattern.h"
#include "codegen/emitters/plans/ContractionPlan.h"
#include "codegen/emitters/simd/Skeletons.h"

namespace tensorc::codegen::simd {

/// Emits softmax(q k^T) v as an online softmax; see Attention.cpp.
class AttentionSkeleton : ContractionPlan {
public:
  AttentionSkeleton(KernelBuilder &kernel, AttentionPattern pattern);

  Offers offer();
  mlir::FailureOr<KernelSpec> emit();

private:
  AttentionPattern pattern;
  AttentionPattern::Indices operands;
  analysis::Index scoreIndex;
  int64_t keys, depth, columns, width;
  /// Number of queries per block, and of vectors of queries per register tile
  /// of scores.
  int64_t rows = 0, vectors = 0;
  /// Number of keys per register tile of scores, and numbers of rows and of
  /// vectors of columns per register tile of results.
  int64_t tileKeys = 0, tileRows = 0, tileVectors = 0;
  /// Row stride of `results`, in elements.
  int64_t stride = 0;

  /// Buffers in scratch memory. `queries`: q as [depth][row]. `scores`:
  /// products, scores and then weights, as [key][row]. Per row: the `largest`
  /// score, the `sums` of weights (the denominators of the softmax) and the
  /// rescaling `factors`. `results`: accumulators, as [row][column]. `hidden`:
  /// per column, the sum of 0 * v over masked keys.
  mlir::Value queries, scores, largest, sums, factors, results, hidden;
  int64_t scratchBytes = 0;

  /// A causal mask: the score is -inf if row < key, or if row <= key where
  /// `orEqual` is set. If it hides the first key of a block from the last row
  /// of a block of queries, it hides all these keys from all these rows.
  struct Causal {
    bool orEqual;
    /// Number of queries of a head, if rows are the queries of several heads;
    /// null if they are those of one.
    mlir::AffineExpr queries;
  };
  std::optional<Causal> causal;

  /// A block of queries: indices of the outer loops, the first query, and the
  /// number of queries.
  struct Block {
    Values dims;
    mlir::Value first, count;
  };

  mlir::LogicalResult planLoops();
  void planTiles();
  void planMemory();
  std::optional<Causal> findCausal();
  mlir::Value array(int64_t elements);
  mlir::Value isHidden(const Block &block, mlir::Value key);

  mlir::LogicalResult emitBlock(mlir::Value item,
                                llvm::ArrayRef<mlir::AffineExpr> work);
  mlir::LogicalResult emitKeys(const Block &block, mlir::Value key);
  mlir::LogicalResult packQueries(const Block &block);
  mlir::LogicalResult multiplyKeys(const Block &block, mlir::Value key,
                                   mlir::Value count);
  mlir::LogicalResult computeWeights(const Block &block, mlir::Value key,
                                     mlir::Value count);
  mlir::LogicalResult multiplyValues(const Block &block, mlir::Value key,
                                     mlir::Value count);
  mlir::LogicalResult addHidden(const Block &block, mlir::Value key,
                                mlir::Value count);
  mlir::LogicalResult finishRows(const Block &block);
  mlir::LogicalResult store(const Block &block);
  mlir::FailureOr<Values> valuesAt(const Block &block, mlir::Value key,
                                   mlir::Value column);

  ExpressionEmitter lanesOfRows(const Values &dims, mlir::Value mask);
  Values rowsAt(const Block &block, mlir::Value row);
  mlir::Value rowMask(const Block &block, mlir::Value row);
  mlir::Value columnMask(mlir::Value column);
  mlir::LogicalResult
  loop(mlir::Value upper, int64_t step,
       llvm::function_ref<mlir::LogicalResult(mlir::Value)> body);
  void fill(mlir::Value array, int64_t elements, double value);

  mlir::VectorType vectorType() {
    return mlir::VectorType::get({width}, accumulator);
  }
  mlir::Value load(mlir::Value array, mlir::Value at);
  void store(mlir::Value vector, mlir::Value array, mlir::Value at);
  mlir::Value constantVector(double value);
  mlir::Value convert(mlir::Value x, mlir::Type to);
  mlir::Value finite(mlir::Value max);
  mlir::Value index(int64_t value) { return indexConstant(kernel, value); }
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value add(mlir::Value x, int64_t y) { return add(x, index(y)); }
  mlir::Value mul(mlir::Value x, int64_t y);
  mlir::Value smaller(mlir::Value x, mlir::Value y);
  mlir::Value left(mlir::Value begin, mlir::AffineExpr size, int64_t maximum);
};

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_ATTENTION_ATTENTIONSKELETON_H
