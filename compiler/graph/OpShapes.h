//===- OpShapes.h - The shape rule of a node's op -------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_OPSHAPES_H
#define TENSORC_COMPILER_GRAPH_OPSHAPES_H

#include "compiler/graph/Node.h"
#include "ir/shape/Rules.h"

#include <vector>

namespace tensorc::graph {

/// Infers the result's shape from the operands, the attribute words and, for
/// some ops, the requested shape. Returns nullopt if the op has no shape rule.
std::optional<shape::InferredShape> inferShape(OpKind op,
                                               shape::Operands operands,
                                               llvm::ArrayRef<int64_t> words,
                                               shape::Dims result = {});

/// Returns pairs of slices in a trace that take the same part of tensors of one
/// shape: a later slice, and the first one. Returns no pairs if there are few
/// slices. The caller must hold graphMutex().
std::vector<std::pair<Node *, Node *>>
alikeSlices(llvm::ArrayRef<Node *> order);

/// Returns the dims of x over which the op's windows slide; none for ops
/// without windows.
llvm::SmallVector<int64_t> windowDimsOf(const Node &node);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPSHAPES_H
