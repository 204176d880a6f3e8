//===- Cancellation.h - Compilations that are given up ----------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_PIPELINES_CANCELLATION_H
#define TENSORC_COMPILER_OUTPUT_PIPELINES_CANCELLATION_H

#include "mlir/IR/MLIRContext.h"

#include <functional>

namespace tensorc::compiler {

/// For as long as it lives, asks at each pass over the context's modules and at
/// each step of one that MLIR tells of. Once the answer was to end, passes do
/// nothing.
class Cancellation {
public:
  Cancellation(mlir::MLIRContext *context, std::function<bool()> ask);
  ~Cancellation();
  Cancellation(const Cancellation &) = delete;

  /// Whether the answer is, or was, to end.
  bool isCancelled() { return cancelled || (ask && (cancelled = ask())); }

private:
  mlir::MLIRContext *context;
  std::function<bool()> ask;
  bool cancelled = false;
};

} // namespace tensorc::compiler

#endif // TENSORC_COMPILER_OUTPUT_PIPELINES_CANCELLATION_H
