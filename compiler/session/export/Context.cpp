//===- Context.cpp - MLIR contexts of programs ----------------------------===//

#include "compiler/session/export/Context.h"

#include "compiler/output/pipelines/Register.h"
#include "ir/tx/TxDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tensorc::exporting {

static mlir::DialectRegistry registry() {
  mlir::DialectRegistry result;
  compiler::registerAllTensorcDialects(result);
  result.insert<tx::TxDialect, mlir::func::FuncDialect>();
  return result;
}

Context::Context()
    : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
  context.disableMultithreading();
  context.loadDialect<tx::TxDialect, mlir::func::FuncDialect>();
}

std::shared_ptr<Context> Context::forProgram(size_t bytes) {
  // Attributes of a program live as long as its context. These limits bound how
  // much of the memory of released programs is kept.
  constexpr size_t maxSharedBytes = 64 << 10;
  constexpr unsigned maxPrograms = 64;
  if (bytes > maxSharedBytes)
    return std::make_shared<Context>();
  struct Shared {
    std::shared_ptr<Context> context;
    unsigned programs = 0;
  };
  static auto &shared = *new Shared; // programs may outlive static objects
  if (!shared.context || shared.programs++ == maxPrograms)
    shared = {std::make_shared<Context>(), 1};
  return shared.context;
}

} // namespace tensorc::exporting
