//===- Lsp.cpp - The main function of tensorc-lsp-server ------------------===//

#include "compiler/output/pipelines/Register.h"
#include "tools/opt/Opt.h"

#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/InitLLVM.h"

namespace tensorc::tool {

int lspMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  prepareOptions("tensorc-lsp-server");
  mlir::DialectRegistry registry;
  compiler::registerAllTensorcDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}

} // namespace tensorc::tool
