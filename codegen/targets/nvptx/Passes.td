#ifndef TENSORC_CODEGEN_TARGETS_NVPTX_PASSES
#define TENSORC_CODEGEN_TARGETS_NVPTX_PASSES

include "mlir/Pass/PassBase.td"

def ConvertKernelsToNVVMPass
    : Pass<"nvptx-convert-kernels-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn kernels in upstream dialects into functions of llvm and nvvm";
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::vector::VectorDialect",
    "::mlir::arith::ArithDialect"];
}

#endif // TENSORC_CODEGEN_TARGETS_NVPTX_PASSES
