//===- Pullback.h - Gradients of recorded functions -----------------------===//
//
// A recorded function becomes a tx module, is differentiated there, and becomes
// nodes again: gradients are expressions like others, which are evaluated,
// traced, saved and differentiated.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_PULLBACK_H
#define TENSORC_COMPILER_SESSION_DERIVE_PULLBACK_H

#include "compiler/graph/Recorder.h"

namespace tensorc::derive {

struct PullbackRequest {
  /// Placeholders that the results were recorded of, and what takes their
  /// places.
  llvm::ArrayRef<graph::NodeRef> arguments, values;
  /// Per argument whether its gradient is asked for.
  llvm::ArrayRef<bool> wanted;
  llvm::ArrayRef<graph::NodeRef> results;
  /// Per result; null: 0. None at all: 1 for the first result, which has one
  /// element.
  llvm::ArrayRef<graph::NodeRef> cotangents;
  /// Per result, or none at all: a node of its type that has its value, for
  /// gradients to read in place of computing it again; null: there is none.
  llvm::ArrayRef<graph::NodeRef> known = {};
};

struct PulledBack {
  llvm::SmallVector<graph::NodeRef> results;
  /// Per argument; null where none is asked for.
  llvm::SmallVector<graph::NodeRef> gradients;
};

/// Errors are in the recorder: they name the op that has no gradient and its
/// place.
PulledBack pullBack(graph::Recorder &r, const PullbackRequest &request);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_PULLBACK_H
