//===- Opt.cpp - The program tensorc-opt: runs passes over text -----------===//

#include "compiler/pipelines/Register.h"
#include "tools/mains/Mains.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

static constexpr char overview[] =
    "tensorc-opt runs passes over MLIR text\n\n"
    "IN is a file, or - for stdin; the result goes to stdout. Passes run in "
    "the "
    "order in which\nthey are given; --pass-pipeline says which ops each is "
    "for.\n\n"
    "examples:\n"
    "  tensorc-opt y.mlir --tx-inline-composites --canonicalize\n"
    "  tensorc-opt y.mlir --tx-fuse-ops --mlir-print-ir-before-all -o "
    "fused.mlir\n"
    "  tensorc-opt y.mlir "
    "--pass-pipeline='builtin.module(func.func(tx-simplify-tensors))'\n";

int tensorc_private_opt(int argc, char **argv) {
  // So far only LLVM's own options are there, of all its parts: --help would
  // bury the passes under them, --help-hidden still lists them.
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (name != "help" && name != "version")
      option->setHiddenFlag(llvm::cl::Hidden);
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "tensorc-opt " TENSORC_VERSION "\nLLVM " LLVM_VERSION_STRING "\n";
  });
  mlir::DialectRegistry registry;
  tensorc::compiler::registerAllTensorcDialects(registry);
  tensorc::compiler::registerAllTensorcPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, overview, registry));
}
