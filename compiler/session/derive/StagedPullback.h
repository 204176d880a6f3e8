//===- StagedPullback.h - Gradients over several devices --------*- C++ -*-===//
//
// A recorded function whose values move between devices (`to`) is no single
// program. It is cut at its transfers into stages, each of which is
// differentiated on its own, the last one first. The cotangent of a transfer
// moves back to the device that it came from. A stage computes its values again
// for its gradient, because the programs of its two passes are separate.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_STAGEDPULLBACK_H
#define TENSORC_COMPILER_SESSION_DERIVE_STAGEDPULLBACK_H

#include "compiler/session/derive/Pullback.h"

namespace tensorc::derive {

/// Pulls back a function with any number of transfers.
PulledBack pullBackInStages(graph::Recorder &r, const PullbackRequest &request);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_STAGEDPULLBACK_H
