//===- tensorc-opt.cpp - Runs passes over text ----------------------------===//

#include "compiler/pipelines/Register.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tensorc::compiler::registerAllTensorcDialects(registry);
  tensorc::compiler::registerAllTensorcPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "tensorc pass driver\n", registry));
}
