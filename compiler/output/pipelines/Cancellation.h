//===- Cancellation.h - Cancelling a compilation ----------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_CANCELLATION_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_CANCELLATION_H

#include "mlir/IR/MLIRContext.h"

#include <functional>

namespace tensorc::compiler {

/// While an object of this class exists, `poll` is called at each pass over the
/// context's modules, and at each action within a pass that MLIR reports. Once
/// the compilation is cancelled, passes do nothing.
class Cancellation {
public:
  Cancellation(mlir::MLIRContext *context, std::function<bool()> poll);
  ~Cancellation();
  Cancellation(const Cancellation &) = delete;

  /// Calls `poll`. Returns true if `poll` has ever requested cancellation.
  bool isCancelled() { return cancelled || (poll && (cancelled = poll())); }

private:
  mlir::MLIRContext *context;
  std::function<bool()> poll;
  bool cancelled = false;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_CANCELLATION_H
