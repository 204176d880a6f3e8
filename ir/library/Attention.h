//===- Attention.h - What attention computes on its way -------------------===//
#ifndef TENSORC_IR_LIBRARY_ATTENTION_H
#define TENSORC_IR_LIBRARY_ATTENTION_H

#include "ir/builder/TensorBuilder.h"
#include "ir/library/Library.h"

namespace tensorc::tx {

struct AttentionParts {
  /// The queries, in which those of heads that share keys are rows of one
  /// product.
  mlir::Value q;
  /// The attention weight of each key for each query, per head; f32 for f16 and
  /// bf16.
  mlir::Value weights;
  /// Their dims as the products have them.
  llvm::SmallVector<shape::Dim> joined;
};

AttentionParts attentionParts(builder::TensorBuilder &b, AttentionOp op);

} // namespace tensorc::tx

#endif // TENSORC_IR_LIBRARY_ATTENTION_H
