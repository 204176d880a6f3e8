//===- RegionCalls.h - Branches and loops as nodes ------------------------===//
//
// A branch or a loop is a custom call that says it is an op. It has the op's
// name, and the op as text for its configuration: a key compares it like any
// text. The sizes in it are numbers.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_REGIONCALLS_H
#define TENSORC_COMPILER_GRAPH_REGIONCALLS_H

#include "compiler/graph/CustomCalls.h"

#include "mlir/IR/Builders.h"

namespace tensorc::graph {

/// Whether ops of this name are recorded so: those that hold blocks, and
/// tx.stop_gradient.
bool hasRegions(llvm::StringRef name);
inline bool isRegionCall(const Node &node) {
  return node.op() == OpKind::CustomCall && node.attributes<CustomCall>().isOp;
}

/// The op in a module of its own, as text.
std::string regionText(mlir::Operation *op);
/// The op of such a text with these operands, all of it at one place.
mlir::Operation *regionFromText(mlir::OpBuilder &b, mlir::Location loc,
                                llvm::StringRef text, mlir::ValueRange inputs);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_REGIONCALLS_H
