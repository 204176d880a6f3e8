//===- QueueEvents.h - Order between the queues of a program --------------===//
#ifndef TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_QUEUEEVENTS_H
#define TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_QUEUEEVENTS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tensorc::compiler {

/// Emits the events between queue 0 and work of other queues.
class QueueEvents {
public:
  explicit QueueEvents(mlir::ImplicitLocOpBuilder &b) : b(b) {}

  /// Emits work of a queue, which begins after the work of queue 0 so far and
  /// writes these buffers.
  void run(int32_t queue, mlir::ValueRange written,
           llvm::function_ref<void()> emitWork);
  /// Makes queue 0 wait for the buffers that an op of the tensor program uses,
  /// and that another queue writes.
  void waitFor(mlir::Operation *user,
               const llvm::DenseMap<mlir::Value, mlir::Value> &buffers);
  /// Makes queue 0 wait for all work.
  void waitForAll();

private:
  /// A buffer that another queue writes, and the event at the end of the work.
  struct Pending {
    mlir::Value buffer, event;
  };
  mlir::ImplicitLocOpBuilder &b;
  llvm::SmallVector<Pending> pending;
  /// The events at the end of calls that queue 0 has not waited for.
  llvm::SmallVector<mlir::Value> inFlight;

  void waitFor(mlir::Value event);
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_TRANSFORMS_PASSES_PROGRAM_QUEUEEVENTS_H
