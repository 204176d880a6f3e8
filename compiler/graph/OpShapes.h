//===- OpShapes.h - The shape rule of a node's op -------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_OPSHAPES_H
#define TENSORC_COMPILER_GRAPH_OPSHAPES_H

#include "compiler/graph/Node.h"
#include "ir/shape/Rules.h"

#include <vector>

namespace tensorc::graph {

/// Infers the shape of an op with these attributes as words and, for some ops,
/// a requested result. Nullopt if the op has no rule.
std::optional<shape::InferredShape> inferShape(OpKind op,
                                               shape::Operands operands,
                                               llvm::ArrayRef<int64_t> words,
                                               shape::Dims result = {});

/// Returns pairs of slices in a trace that take the same part of tensors of one
/// shape: the later one, and the first. Empty if there are few. Needs
/// graphMutex().
std::vector<std::pair<Node *, Node *>>
alikeSlices(llvm::ArrayRef<Node *> order);

/// The dims of x over which the op's windows slide; none of other ops.
llvm::SmallVector<int64_t> windowDimsOf(const Node &node);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPSHAPES_H
