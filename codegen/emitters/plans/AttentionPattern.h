//===- AttentionPattern.h - softmax(q kT) v among tx ops ------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_ATTENTIONPATTERN_H
#define TENSORC_CODEGEN_EMITTERS_ATTENTIONPATTERN_H

#include "ir/analysis/Indexing.h"
#include "ir/tx/Tx.h"

#include "llvm/ADT/SetVector.h"

namespace tensorc::codegen {

/// The ops of an attention, whatever recorded them:
///   products = dot_general(q, k)
///   score    = element-wise ops on products, and on what else they read
///   weight   = exp(score - shift(max(score)))
///   result   = dot_general(weight * factor(max(score), sum(weight)), v)
/// (or a quotient instead of the product.) Reshapes may stand between them.
struct AttentionPattern {
  tx::DotGeneralOp products, result;
  mlir::Value score, weight;
  /// Of a row, spread over its keys.
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
  /// Where the operands and the weights are read.
  struct Indices {
    analysis::Index q, k, v, weights;
  };
  Indices indices(llvm::ArrayRef<mlir::AffineExpr> all) const;

  /// Sizes, if they have no name.
  std::optional<int64_t> keys() const;
  std::optional<int64_t> depth() const;
  std::optional<int64_t> columns() const;
};

/// The attention that ends in this contraction, if it does in one.
std::optional<AttentionPattern> matchAttention(tx::DotGeneralOp result,
                                               tx::DimSpace &names);

/// The same of a fusion, whose last contraction it ends in.
std::optional<AttentionPattern> findAttention(tx::FusionOp fusion,
                                              tx::DimSpace &names);

} // namespace tensorc::codegen

#endif // TENSORC_CODEGEN_EMITTERS_ATTENTIONPATTERN_H
