//===- Rules.h - Shape rules of recorded ops ------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_OPS_RULES_H
#define TENSORC_COMPILER_GRAPH_OPS_RULES_H

#include "compiler/graph/ops/Builders.h"
#include "ir/shape/Rules.h"

namespace tensorc::graph {

inline shape::Dims sizesOf(Ints shape) { return shape::dimsOf(shape); }
inline shape::Dims dimsOf(const NodeRef &x) { return sizesOf(x->shape()); }

/// Sets the shape to the result of the op's rule. If the rule refuses the
/// operands, reports an error and returns false.
bool follow(Recorder &r, const char *op, const shape::InferredShape &rule,
            Shape &shape);

/// Makes a node. The op's shape rule determines its shape, or checks the
/// requested one. Absent operands are null.
NodeRef nodeOf(Recorder &r, OpKind op, DType dtype,
               llvm::ArrayRef<NodeRef> operands, Ints words, Ints asked = {});

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPS_RULES_H
