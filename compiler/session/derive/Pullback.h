//===- Pullback.h - Gradients of recorded functions -----------------------===//
//
// A recorded function is converted to a tx module, differentiated there, and
// recorded again: gradients are ordinary expressions that can be evaluated,
// traced, saved and differentiated.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_PULLBACK_H
#define TENSORC_COMPILER_SESSION_DERIVE_PULLBACK_H

#include "compiler/graph/Recorder.h"

namespace tensorc::derive {

struct PullbackRequest {
  /// The placeholders and copies to other devices (`transfer` nodes) from which
  /// the results were recorded, and the values that replace them.
  llvm::ArrayRef<graph::NodeRef> arguments, values;
  /// Whether the gradient of each argument is needed.
  llvm::ArrayRef<bool> wanted;
  llvm::ArrayRef<graph::NodeRef> results;
  /// The cotangent of each result; null means 0. If the list is empty, the
  /// cotangent of the first result, which must have one element, is 1.
  llvm::ArrayRef<graph::NodeRef> cotangents;
  /// For each result, a node with its value or null. Gradients read these nodes
  /// instead of computing the results again. May be empty.
  llvm::ArrayRef<graph::NodeRef> known = {};
};

struct PulledBack {
  llvm::SmallVector<graph::NodeRef> results;
  /// The gradient of each argument; null if it is not needed.
  llvm::SmallVector<graph::NodeRef> gradients;
};

/// Pulls back a function on one device: copies to other devices occur only
/// among its arguments.
/// Errors are reported in the recorder. They name the op that has no gradient
/// and its source line.
PulledBack pullBack(graph::Recorder &r, const PullbackRequest &request);

/// Reports an error and returns false if arguments and values do not fit.
bool checkArguments(graph::Recorder &r, const PullbackRequest &request);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_PULLBACK_H
