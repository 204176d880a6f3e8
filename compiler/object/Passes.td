//===- Passes.td - Programs as C functions --------------------------------===//
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

#endif // TENSORC_COMPILER_OBJECT_PASSES_TD
