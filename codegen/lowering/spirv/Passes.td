#ifndef TENSORC_CODEGEN_LOWERING_SPIRV_PASSES
#define TENSORC_CODEGEN_LOWERING_SPIRV_PASSES

include "mlir/Pass/PassBase.td"

def ConvertKernelsToSpirvPass
    : Pass<"txk-convert-kernels-to-spirv", "::mlir::ModuleOp"> {
  let summary = "Turn gpu.modules of kernels into spirv.modules";
  let options = [
    Option<"flavour", "flavour", "::tensorc::codegen::SpirvFlavour",
           "::tensorc::codegen::SpirvFlavour::Kernel",
           "Which API runs the module", [{::llvm::cl::values(
             clEnumValN(::tensorc::codegen::SpirvFlavour::Kernel, "kernel",
                        "OpenCL"),
             clEnumValN(::tensorc::codegen::SpirvFlavour::Shader, "shader",
                        "Vulkan"))}]>,
    Option<"hasDoubles", "f64", "bool", "true",
           "The device has f64">,
    Option<"hasInt64Atomics", "int64-atomics", "bool", "true",
           "The device has atomics on 64 bits; otherwise they are errors">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::spirv::SPIRVDialect",
    "::mlir::vector::VectorDialect"];
}

#endif // TENSORC_CODEGEN_LOWERING_SPIRV_PASSES
