//===- AttentionPattern.h - Matches softmax(q kT) v -----------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONPATTERN_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONPATTERN_H

#include "ir/analysis/Indexing.h"
#include "ir/tx/Tx.h"

#include "llvm/ADT/SetVector.h"

namespace tensorc::codegen {

/// The sizes and dtypes that determine the order of an attention.
struct AttentionSizes {
  /// `rows`: number of queries per batch, `lastRows`: size of their last dim,
  /// along which blocks are tiled on GPUs. `keys`: number of keys. `depth` and
  /// `columns`: last dims of q and of v. Nullopt if the size is symbolic.
  std::optional<int64_t> rows, lastRows, keys, depth, columns;
  /// Dtype of q and k, and of the result.
  mlir::Type operands, result;
  /// f32 or f64: type of the accumulators of both products and of the softmax.
  mlir::Type accumulator;
};

/// An attention, as ops of any frontend. Reshapes may stand in between:
///   products = dot_general(q, k), in f32 for f16 and bf16 too
///   score    = element-wise ops on products and other values
///   weight   = exp(score - shift(max(score)))
///   result   = dot_general(weight * factor(max(score), sum(weight)), v)
/// The last multiplication may be a division, by `factor`.
struct AttentionPattern {
  tx::DotGeneralOp products, result;
  mlir::Value score, weight;
  /// `shift` is subtracted from the scores. `factor` multiplies the weights, or
  /// divides them if `divides` is set. Both are broadcast over the keys.
  mlir::Value shift, factor;
  bool divides = false;
  /// Reductions over the keys: the maximum of the scores, and the sum of the
  /// weights.
  mlir::Operation *max = nullptr, *sum = nullptr;
  tx::SubOp difference;
  /// The ops of the pattern except `result`. Only ops of the pattern read their
  /// values.
  llvm::SetVector<mlir::Operation *> ops;
  /// f32 or f64: type of the accumulators of both products and of the softmax.
  mlir::Type accumulator;

  /// Returns the sizes of the iteration space: the result's dims (batches,
  /// query, column), then the keys, then the dim that q and k are contracted
  /// over.
  llvm::SmallVector<mlir::AffineExpr> shape(tx::DimSpace &names) const;
  unsigned keyDim() const;
  unsigned depthDim() const { return keyDim() + 1; }
  /// Indices at which the operands and the weights are read for a point of the
  /// iteration space.
  struct Indices {
    analysis::Index q, k, v, weights;
  };
  Indices indices(llvm::ArrayRef<mlir::AffineExpr> all) const;
  /// Returns the index at which the scores, and other values of their shape,
  /// are computed.
  analysis::Index
  scoreIndex(const Indices &indices, const analysis::IterationSpace &space,
             llvm::function_ref<mlir::AffineExpr(mlir::Value)> symbolOf) const;

  AttentionSizes sizes() const;
};

/// Returns the attention whose last op is the contraction `result`, if there is
/// one that consists only of ops for which `isPart` returns true.
std::optional<AttentionPattern>
matchAttention(tx::DotGeneralOp result, tx::DimSpace &names,
               llvm::function_ref<bool(mlir::Operation *)> isPart);

/// Returns the attention whose last op is the fusion's last contraction, if
/// there is one.
std::optional<AttentionPattern> findAttention(tx::FusionOp fusion,
                                              tx::DimSpace &names);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONPATTERN_H
