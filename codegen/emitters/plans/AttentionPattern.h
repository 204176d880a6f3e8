//===- AttentionPattern.h - Match softmax(q kT) v -------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONPATTERN_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONPATTERN_H

#include "ir/analysis/Indexing.h"
#include "ir/tx/Tx.h"

#include "llvm/ADT/SetVector.h"

namespace tensorc::codegen {

/// The sizes and dtypes on which the order of an attention depends.
struct AttentionSizes {
  /// `rows`: queries per pair of k and v. `keys`: number of keys. `depth` and
  /// `columns`: last dims of q and v. Nullopt for a symbolic size.
  std::optional<int64_t> rows, keys, depth, columns;
  /// Dtype of q and k, and of the result.
  mlir::Type operands, result;
  /// f32 or f64: the type of both products' sums and of the softmax.
  mlir::Type accumulator;
};

/// The ops of an attention, from whichever frontend:
///   products = dot_general(q, k), in f32 also for f16 and bf16
///   score    = element-wise ops on products and other values
///   weight   = exp(score - shift(max(score)))
///   result   = dot_general(weight * factor(max(score), sum(weight)), v)
/// The last product may be a quotient instead. Reshapes may stand in between.
struct AttentionPattern {
  tx::DotGeneralOp products, result;
  mlir::Value score, weight;
  /// `shift`: what is subtracted from scores. `factor`: what multiplies (or
  /// divides) weights. Both are broadcast over the keys.
  mlir::Value shift, factor;
  bool divides = false;
  /// Reductions over the keys: a maximum, and the sum of the weights.
  mlir::Operation *max = nullptr, *sum = nullptr;
  tx::SubOp difference;
  /// The pattern's ops except `result`. Nothing outside the pattern reads their
  /// values.
  llvm::SetVector<mlir::Operation *> ops;
  /// f32 or f64: the type of both products' sums and of the softmax.
  mlir::Type accumulator;

  /// Returns the iteration space: the result's dims (batch, rows, column), the
  /// key, and the depth over which q and k are multiplied.
  llvm::SmallVector<mlir::AffineExpr> shape(tx::DimSpace &names) const;
  unsigned keyDim() const;
  unsigned depthDim() const { return keyDim() + 1; }
  /// Indices at which the operands and the weights are read.
  struct Indices {
    analysis::Index q, k, v, weights;
  };
  Indices indices(llvm::ArrayRef<mlir::AffineExpr> all) const;
  /// Returns the index at which the scores, and all values of their shape, are
  /// computed.
  analysis::Index
  scoreIndex(const Indices &indices, const analysis::IterationSpace &space,
             llvm::function_ref<mlir::AffineExpr(mlir::Value)> symbolOf) const;

  AttentionSizes sizes() const;
};

/// Returns the attention that ends in the contraction `result`, if there is
/// one. Its ops are searched among those for which `isPart` holds.
std::optional<AttentionPattern>
matchAttention(tx::DotGeneralOp result, tx::DimSpace &names,
               llvm::function_ref<bool(mlir::Operation *)> isPart);

/// Returns the attention that ends in the fusion's last contraction.
std::optional<AttentionPattern> findAttention(tx::FusionOp fusion,
                                              tx::DimSpace &names);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONPATTERN_H
