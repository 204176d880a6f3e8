//===- RegionCalls.h - Branches and loops as nodes ------------------------===//
//
// A branch or a loop is a custom call that says it is an op. It has the op's
// name, and the op as text for its configuration: a key compares it like any
// text. Sizes in the text other than 0 and 1 are names, r0, r1, ..., and what
// these are is beside it: so a loop has one text for all sizes.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_GRAPH_REGIONCALLS_H
#define TENSORC_COMPILER_GRAPH_REGIONCALLS_H

#include "compiler/graph/ops/CustomCalls.h"

#include "mlir/IR/Builders.h"

namespace tensorc::graph {

/// Whether ops of this name are recorded so: those that hold blocks, and
/// tx.stop_gradient.
bool hasRegions(llvm::StringRef name);
inline bool isRegionCall(const Node &node) {
  return node.op() == OpKind::CustomCall && node.attributes<CustomCall>().isOp;
}

//===----------------------------------------------------------------------===//
// Making one
//===----------------------------------------------------------------------===//

/// A function that was recorded of placeholders.
struct Body {
  llvm::ArrayRef<NodeRef> arguments, results;
};

/// What an op with blocks says beside them.
struct RegionOp {
  enum Kind { If, Switch, While, Scan, CustomVjp, StopGradient } kind;
  /// Scan only.
  int64_t carried = 0, scanned = 0, length = 0;
  bool reverse = false;
  /// While only: maximum number of iterations; 0: no limit.
  int64_t most = 0;
  /// CustomVjp only.
  int64_t arguments = 0, returned = 0;
};

/// One node per result of the op; none after an error. What the bodies read
/// beside their arguments becomes further inputs. The types fit.
llvm::SmallVector<NodeRef> regionCall(Recorder &r, mlir::MLIRContext &context,
                                      const RegionOp &op,
                                      llvm::ArrayRef<NodeRef> inputs,
                                      llvm::ArrayRef<Body> bodies);

//===----------------------------------------------------------------------===//
// Reading its text
//===----------------------------------------------------------------------===//

/// The name of the size with this number.
std::string nameInRegion(unsigned number);
/// Returns the function type from the operands' to the results' types.
mlir::FunctionType regionType(mlir::MLIRContext &context, llvm::StringRef text);
/// Puts a kernel of the user's into a module, once, and gives its symbol.
using AddKernel = llvm::function_ref<mlir::StringAttr(const kernels::Kernel &)>;
/// The op of such a text with these operands and sizes, all of it at one place.
mlir::Operation *regionFromText(mlir::OpBuilder &b, mlir::Location loc,
                                llvm::StringRef text, mlir::ValueRange inputs,
                                llvm::ArrayRef<shape::Dim> sizes,
                                AddKernel addKernel);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_REGIONCALLS_H
