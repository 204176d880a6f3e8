//===- Vmap.h - Recorded functions for a batch ----------------------------===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_VMAP_H
#define TENSORC_COMPILER_SESSION_DERIVE_VMAP_H

#include "compiler/session/derive/ControlFlow.h"

namespace tensorc::derive {

/// Where the batch is; none: all examples share the tensor.
using BatchAxis = std::optional<int64_t>;

struct VmapRequest {
  /// Recorded of one example.
  Body body;
  /// What takes the places of the arguments, and where the batch is in it.
  /// Negative axes count from the end.
  llvm::ArrayRef<graph::NodeRef> values;
  llvm::ArrayRef<BatchAxis> axes, resultAxes;
};

/// The results for all examples; none after an error, which names the op and
/// its place.
llvm::SmallVector<graph::NodeRef> vmap(graph::Recorder &r,
                                       const VmapRequest &request);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_VMAP_H
