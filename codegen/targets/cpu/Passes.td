#ifndef TENSORC_CODEGEN_TARGETS_CPU_PASSES
#define TENSORC_CODEGEN_TARGETS_CPU_PASSES

include "mlir/Pass/PassBase.td"

def ConvertKernelsToLLVMPass
    : Pass<"cpu-convert-kernels-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Turn kernels in upstream dialects into LLVM functions";
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::vector::VectorDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect"];
}

#endif // TENSORC_CODEGEN_TARGETS_CPU_PASSES
