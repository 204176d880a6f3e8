//===- Context.cpp - An MLIR context for one program ----------------------===//

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

} // namespace tensorc::exporting
