//===- ReportGraph.h - The graph of kernels in a report -------------------===//
#ifndef TENSORC_COMPILER_SESSION_REPORT_REPORTGRAPH_H
#define TENSORC_COMPILER_SESSION_REPORT_REPORTGRAPH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/JSON.h"

namespace tensorc::report {

/// Returns the graph of a function after the stage fuse. `nodes` of kind
/// `kernel` number the function's fusions in order. `edges` between nodes have
/// the type and the bytes of the value. Nodes in a branch or loop name its node
/// as `parent`.
llvm::json::Object makeGraph(mlir::func::FuncOp function);

} // namespace tensorc::report

#endif // TENSORC_COMPILER_SESSION_REPORT_REPORTGRAPH_H
