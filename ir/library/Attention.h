//===- Attention.h - Intermediate results of attention --------------------===//
#ifndef TENSORC_IR_LIBRARY_ATTENTION_H
#define TENSORC_IR_LIBRARY_ATTENTION_H

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"

namespace tensorc::tx {

struct AttentionParts {
  /// The queries. Queries of heads that share keys form the rows of one
  /// product.
  mlir::Value q;
  /// The weights of each query's keys, per head; in f32 if the operands are f16
  /// or bf16.
  mlir::Value weights;
  /// The dims of the queries in the products.
  llvm::SmallVector<shape::Dim> joined;
};

AttentionParts attentionParts(builder::TensorBuilder &b, AttentionOp op);

} // namespace tensorc::tx

#endif // TENSORC_IR_LIBRARY_ATTENTION_H
