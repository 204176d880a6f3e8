//===- Passes.td - Passes that compile programs to C functions ------------===//
#ifndef TENSORC_COMPILER_OBJECT_PASSES_TD
#define TENSORC_COMPILER_OBJECT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertProgramsToLLVMPass : Pass<"txp-convert-programs-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Turn lowered kernels and their programs into one llvm module with a C interface";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"stem", "stem", "std::string", "\"model\"",
           "What the functions' names begin with">];
}

def OutlineLoopsPass : Pass<"txp-outline-loops", "::mlir::ModuleOp"> {
  let summary = "Turn loops over small kernels of the CPU into kernels";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::tensorc::txp::TxpDialect"];
}

#endif // TENSORC_COMPILER_OBJECT_PASSES_TD
