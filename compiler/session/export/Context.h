//===- Context.h - MLIR contexts of programs ------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_EXPORT_CONTEXT_H
#define TENSORC_COMPILER_SESSION_EXPORT_CONTEXT_H

#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace tensorc::exporting {

/// An MLIR context. Destroying it releases the captured values to which
/// constants refer.
class Context {
public:
  Context();
  /// Returns a context for a program whose source has this many bytes. Small
  /// programs share one, because loading dialects would take a fifth of their
  /// compile time. Must be called within Session::compileAlone.
  static std::shared_ptr<Context> forProgram(size_t bytes);
  mlir::MLIRContext &get() { return context; }

private:
  mlir::MLIRContext context;
};

} // namespace tensorc::exporting

#endif // TENSORC_COMPILER_SESSION_EXPORT_CONTEXT_H
