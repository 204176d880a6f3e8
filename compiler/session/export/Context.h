//===- Context.h - An MLIR context for one program ------------------------===//
#ifndef TENSORC_COMPILER_SESSION_EXPORT_CONTEXT_H
#define TENSORC_COMPILER_SESSION_EXPORT_CONTEXT_H

#include "mlir/IR/MLIRContext.h"

namespace tensorc::exporting {

/// An MLIR context for one program. Destroying it releases the captured values
/// to which constants refer.
class Context {
public:
  Context();
  mlir::MLIRContext &get() { return context; }

private:
  mlir::MLIRContext context;
};

} // namespace tensorc::exporting

#endif // TENSORC_COMPILER_SESSION_EXPORT_CONTEXT_H
