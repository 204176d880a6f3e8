//===- FromModule.h - Conversion of a tx function to nodes ----------------===//
#ifndef TENSORC_COMPILER_GRAPH_MODULE_FROMMODULE_H
#define TENSORC_COMPILER_GRAPH_MODULE_FROMMODULE_H

#include "compiler/graph/Recorder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::graph {

/// Records the ops of a function whose sizes are numbers: a function that
/// toModule() made from `order`, possibly transformed since. The source
/// location of a node is the location of the node in `order` that the op's MLIR
/// location names, or else the recorder's location. Returns one node per
/// result. If an op cannot be recorded, reports an error and returns none.
llvm::SmallVector<NodeRef> fromModule(Recorder &r, mlir::func::FuncOp function,
                                      llvm::ArrayRef<Node *> order,
                                      llvm::ArrayRef<NodeRef> arguments);

/// Returns the node that the location names, or null.
Node *nodeAt(mlir::Location loc, llvm::ArrayRef<Node *> order);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_MODULE_FROMMODULE_H
