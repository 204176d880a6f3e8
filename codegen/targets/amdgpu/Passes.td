#ifndef TENSORC_CODEGEN_TARGETS_AMDGPU_PASSES
#define TENSORC_CODEGEN_TARGETS_AMDGPU_PASSES

include "mlir/Pass/PassBase.td"

def ConvertKernelsToROCDLPass
    : Pass<"amdgpu-convert-kernels-to-rocdl", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn kernels in upstream dialects into functions of llvm and rocdl";
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::ROCDL::ROCDLDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::vector::VectorDialect",
    "::mlir::arith::ArithDialect"];
  let options = [Option<"chip", "chip", "std::string", "\"gfx942\"",
                        "Name of the chip">];
}

#endif // TENSORC_CODEGEN_TARGETS_AMDGPU_PASSES
