//===- Vmap.h - Applying recorded functions to a batch --------------------===//
#ifndef TENSORC_COMPILER_SESSION_DERIVE_VMAP_H
#define TENSORC_COMPILER_SESSION_DERIVE_VMAP_H

#include "compiler/session/derive/ControlFlow.h"

namespace tensorc::derive {

/// The axis of the batch, or nullopt if all examples share the tensor.
using BatchAxis = std::optional<int64_t>;

struct VmapRequest {
  /// The body, recorded for one example.
  Body body;
  /// The batched values for the body's arguments, and the batch axis of each.
  /// Negative axes count from the end.
  llvm::ArrayRef<graph::NodeRef> values;
  llvm::ArrayRef<BatchAxis> axes, resultAxes;
};

/// Returns the results for all examples. After an error, returns none; the
/// error names the op that cannot be batched and its source line.
llvm::SmallVector<graph::NodeRef> vmap(graph::Recorder &r,
                                       const VmapRequest &request);

} // namespace tensorc::derive

#endif // TENSORC_COMPILER_SESSION_DERIVE_VMAP_H
