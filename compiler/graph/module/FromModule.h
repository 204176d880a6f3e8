//===- FromModule.h - From a function of tx back to nodes -----------------===//
#ifndef TENSORC_COMPILER_GRAPH_MODULE_FROMMODULE_H
#define TENSORC_COMPILER_GRAPH_MODULE_FROMMODULE_H

#include "compiler/graph/Recorder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::graph {

/// Records the ops of a function whose sizes are numbers: what toModule() made
/// of `order`, and what was made of that. An op's place is that of the node
/// that its location names, else the recorder's. One node per result of the
/// function; none, and an error, for an op that no node stands for.
llvm::SmallVector<NodeRef> fromModule(Recorder &r, mlir::func::FuncOp function,
                                      llvm::ArrayRef<Node *> order,
                                      llvm::ArrayRef<NodeRef> arguments);

/// The node whose op is at this place; null: none.
Node *nodeAt(mlir::Location loc, llvm::ArrayRef<Node *> order);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_MODULE_FROMMODULE_H
