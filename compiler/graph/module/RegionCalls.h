//===- RegionCalls.h - Recording branches and loops -----------------------===//
#ifndef TENSORC_COMPILER_GRAPH_MODULE_REGIONCALLS_H
#define TENSORC_COMPILER_GRAPH_MODULE_REGIONCALLS_H

#include "compiler/graph/Recorder.h"
#include "compiler/graph/module/Regions.h"

namespace tensorc::graph {

/// A function that was recorded on placeholders.
struct Body {
  llvm::ArrayRef<NodeRef> arguments, results;
};

/// The kind and attributes of an op with blocks.
struct RegionOp {
  enum Kind { If, Switch, While, Scan, CustomVjp, StopGradient } kind;
  /// Scan only.
  int64_t carried = 0, scanned = 0, length = 0;
  bool reverse = false;
  /// Only for While: maximum number of iterations; 0 means no limit.
  int64_t most = 0;
  /// Only for CustomVjp: number of inputs that get a gradient, and number of
  /// the first block's results that are the op's results. The first block's
  /// other results are kept for the gradient.
  int64_t arguments = 0, returned = 0;
};

/// Returns one node per result of the op, or none after an error. Values that
/// the bodies read besides their arguments become further inputs. The types of
/// the inputs and of the bodies' arguments must be equal.
llvm::SmallVector<NodeRef> regionCall(Recorder &r, mlir::MLIRContext &context,
                                      const RegionOp &op,
                                      llvm::ArrayRef<NodeRef> inputs,
                                      llvm::ArrayRef<Body> bodies);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_MODULE_REGIONCALLS_H
