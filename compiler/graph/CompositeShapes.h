//===- CompositeShapes.h - The shape rule of a node's op ------------------===//
#ifndef TENSORC_COMPILER_GRAPH_COMPOSITESHAPES_H
#define TENSORC_COMPILER_GRAPH_COMPOSITESHAPES_H

#include "compiler/graph/Node.h"
#include "ir/shape/Rules.h"

namespace tensorc::graph {

/// Of a composite with these attributes as words.
shape::InferredShape inferComposite(OpKind op, shape::Operands operands,
                                    llvm::ArrayRef<int64_t> words);

/// The dims of x over which the op's windows slide; none of other ops.
llvm::SmallVector<int64_t> windowDimsOf(const Node &node);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_COMPOSITESHAPES_H
