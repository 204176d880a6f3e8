//===- Constants.h - Weights that are packed once -------------------------===//
//
// A tensor that the user declared constant keeps its packed forms. They consist
// of blocks of columns in which the elements of each reduction step are
// contiguous, or of 32-bit words if kernels multiply those (ColumnBlocks.h). A
// form is made when a product first needs it, and lives as long as the value.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_OPS_CONSTANTS_H
#define TENSORC_COMPILER_GRAPH_OPS_CONSTANTS_H

#include "compiler/graph/Recorder.h"

namespace tensorc::graph {

/// Functions of the session that the packing of constants calls. The graph must
/// not depend on the session.
struct PackingHooks {
  /// Computes a node's value; returns false after an error.
  bool (*evaluate)(Node *node);
  /// True if kernels of the node's device multiply tiles of this dtype, bf16 or
  /// bytes, whose words they read in place.
  bool (*multipliesTiles)(const Node &node, DType dtype);
};

/// Declares that the node, which must have a value, will be a factor of many
/// products. Thread-safe, like all functions in this file.
void declareConstant(const Node &node, const PackingHooks &hooks);

/// True if the node was declared a constant. Packed copies of it may exist, so
/// its value must not be replaced.
bool isConstant(const Node &node);

/// Multiplies x by the packed form of y. Returns null if y is not a constant or
/// has no suitable packed form, or if a tape of this thread records, because
/// gradients would not reach y.
NodeRef dotOfConstant(Recorder &r, const NodeRef &x, const NodeRef &y,
                      const tx::DotGeneralAttributes &attributes);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_OPS_CONSTANTS_H
