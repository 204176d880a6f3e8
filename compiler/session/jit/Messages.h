//===- Messages.h - Collects the errors of a compilation --------*- C++ -*-===//
#ifndef TENSORC_COMPILER_SESSION_JIT_MESSAGES_H
#define TENSORC_COMPILER_SESSION_JIT_MESSAGES_H

#include "mlir/IR/Diagnostics.h"

#include "llvm/Support/raw_ostream.h"

namespace tensorc::jit {

/// Collects the errors of a context during its lifetime instead of printing
/// them. Their format is `message at file:line; message at file:line`.
class Messages {
public:
  explicit Messages(mlir::MLIRContext *context)
      : handler(context,
                [this](mlir::Diagnostic &diagnostic) { add(diagnostic); }) {}

  const std::string &text() const { return all; }

private:
  void add(mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
      return;
    llvm::raw_string_ostream os(all);
    os << (all.empty() ? "" : "; ") << diagnostic;
    if (auto at =
            diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
      os << "  at " << at.getFilename().getValue() << ":" << at.getLine();
  }

  std::string all;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_MESSAGES_H
