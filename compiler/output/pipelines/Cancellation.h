//===- Cancellation.h - Cancel a compilation --------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_CANCELLATION_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_CANCELLATION_H

#include "mlir/IR/MLIRContext.h"

#include <functional>

namespace tensorc::compiler {

/// While it exists, calls `poll` at each pass over the context's modules, and
/// at each action within a pass that MLIR reports. Once cancelled, passes do
/// nothing.
class Cancellation {
public:
  Cancellation(mlir::MLIRContext *context, std::function<bool()> poll);
  ~Cancellation();
  Cancellation(const Cancellation &) = delete;

  /// True if `poll` has ever requested cancellation; calls it.
  bool isCancelled() { return cancelled || (poll && (cancelled = poll())); }

private:
  mlir::MLIRContext *context;
  std::function<bool()> poll;
  bool cancelled = false;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_CANCELLATION_H
