//===- QueueRanges.h - When work of other queues may run ------------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_QUEUERANGES_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_QUEUERANGES_H

#include "mlir/IR/Operation.h"

namespace tensorc::compiler {

/// True if the op is executed by another queue than 0.
bool isOnOtherQueue(mlir::Operation *op);

/// Returns the range of ops of the block during which an op of another queue
/// may run: from the last record of queue 0 that its queue has waited for, to
/// the first wait of queue 0 for the queue after the op. A missing bound is
/// null.
std::pair<mlir::Operation *, mlir::Operation *> queueRange(mlir::Operation *op);

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_MEMORY_QUEUERANGES_H
