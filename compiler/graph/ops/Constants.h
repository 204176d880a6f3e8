//===- Constants.h - Weights that are packed once -------------------------===//
//
// A value that the user said to be constant keeps its packed forms: in blocks
// of columns, each of which lies step by step of the sum, as kernels read it.
// They are made when a product first asks for them, and live as long as the
// value.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_OPS_CONSTANTS_H
#define TENSORC_COMPILER_GRAPH_OPS_CONSTANTS_H

#include "compiler/graph/Recorder.h"

namespace tensorc::graph {

/// Computes a node's value; false: it failed.
using EvaluateFn = bool (*)(Node *node);

/// Says that the node, which has a value, will be a factor often. Thread-safe,
/// as all of these.
void declareConstant(const Node &node, EvaluateFn evaluate);

/// Whether declareConstant() said so. Others may then hold packed forms of it,
/// so that nothing may stand for it.
bool isConstant(const Node &node);

/// x times y by y's packed form; null where y is not a constant, or has none
/// that fits, and on a thread whose tape records: gradients would not reach y.
NodeRef dotOfConstant(Recorder &r, const NodeRef &x, const NodeRef &y,
                      const tx::DotGeneralAttributes &attributes);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPS_CONSTANTS_H
