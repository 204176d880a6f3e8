//===- AttentionPattern.h - softmax(q kT) v among tx ops ------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONPATTERN_H
#define TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONPATTERN_H

#include "ir/analysis/Indexing.h"
#include "ir/tx/Tx.h"

#include "llvm/ADT/SetVector.h"

namespace tensorc::codegen {

/// The sizes and dtypes that decide how an attention is computed.
struct AttentionSizes {
  /// Queries per pair of k and v, keys, and the last dims of q and v. Nullopt
  /// for a symbolic size.
  std::optional<int64_t> rows, keys, depth, columns;
  /// Dtype of q and k, and of the result.
  mlir::Type operands, result;
  /// f32, or f64: of both products' sums, and of the softmax.
  mlir::Type accumulator;
};

/// The ops of an attention, whatever recorded them:
///   products = dot_general(q, k), f32 also of f16 and bf16
///   score    = element-wise ops on products, and on what else they read
///   weight   = exp(score - shift(max(score)))
///   result   = dot_general(weight * factor(max(score), sum(weight)), v)
/// (or a quotient instead of the product.) Reshapes may stand between them.
struct AttentionPattern {
  tx::DotGeneralOp products, result;
  mlir::Value score, weight;
  /// Maximum and reciprocal sum of a row, broadcast over its keys.
  mlir::Value shift, factor;
  bool divides = false;
  /// Reductions over the keys: a maximum, and the sum of the weights.
  mlir::Operation *max = nullptr, *sum = nullptr;
  tx::SubOp difference;
  /// All of the above but `result`; nothing else reads them.
  llvm::SetVector<mlir::Operation *> ops;
  /// f32, or f64: of both products' sums, and of the softmax.
  mlir::Type accumulator;

  /// The iteration space: the result's dims (batch, rows, column), the key, the
  /// depth over which q and k are multiplied.
  llvm::SmallVector<mlir::AffineExpr> shape(tx::DimSpace &names) const;
  unsigned keyDim() const;
  unsigned depthDim() const { return keyDim() + 1; }
  /// Indices at which the operands and the weights are read.
  struct Indices {
    analysis::Index q, k, v, weights;
  };
  Indices indices(llvm::ArrayRef<mlir::AffineExpr> all) const;
  /// Index at which the scores, and all values of their shape, are computed.
  analysis::Index
  scoreIndex(const Indices &indices, const analysis::IterationSpace &space,
             llvm::function_ref<mlir::AffineExpr(mlir::Value)> symbolOf) const;

  AttentionSizes sizes() const;
};

/// The attention that ends in this contraction, if it does in one. Its products
/// are looked for among the ops for which `isPart` holds.
std::optional<AttentionPattern>
matchAttention(tx::DotGeneralOp result, tx::DimSpace &names,
               llvm::function_ref<bool(mlir::Operation *)> isPart);

/// The same of a fusion, whose last contraction it ends in.
std::optional<AttentionPattern> findAttention(tx::FusionOp fusion,
                                              tx::DimSpace &names);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_PLANS_ATTENTIONPATTERN_H
