#ifndef TENSORC_CODEGEN_TARGETS_SIM_PASSES
#define TENSORC_CODEGEN_TARGETS_SIM_PASSES

include "mlir/Pass/PassBase.td"

def ConvertSimtToHostPass
    : Pass<"sim-convert-simt-to-host", "::mlir::ModuleOp"> {
  let summary = "Turn kernels for one thread of a block into host functions";
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::vector::VectorDialect", "::tensorc::txk::TxkDialect"];
  let options = [
    Option<"subgroupSize", "subgroup-size", "unsigned", "32",
           "Threads of a subgroup">,
    Option<"matrixUnit", "matrix-unit", "::tensorc::codegen::MatrixUnit",
           "::tensorc::codegen::MatrixUnit::None",
           "How the chip multiplies matrices", [{::llvm::cl::values(
             clEnumValN(::tensorc::codegen::MatrixUnit::None, "none", "not"),
             clEnumValN(::tensorc::codegen::MatrixUnit::Mma16x8x16,
                        "mma16x8x16", "mma.sync, ldmatrix"),
             clEnumValN(::tensorc::codegen::MatrixUnit::Mfma16x16x16,
                        "mfma16x16x16", "mfma"))}]>,
    Option<"sharedMemoryBytes", "shared-memory-bytes", "int64_t", "49152",
           "What a kernel's workgroup memory may take">,
    Option<"maxSharedMemoryBytes", "max-shared-memory-bytes", "int64_t",
           "49152", "The same, where the launch gives it">];
}

def ConvertHostToLLVMPass
    : Pass<"sim-convert-host-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Turn host functions in upstream dialects into LLVM functions";
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::vector::VectorDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect"];
}

def LowerAccessesPass : Pass<"sim-lower-accesses", "::mlir::ModuleOp"> {
  let summary = "Put the simulator's callback in front of every access";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TENSORC_CODEGEN_TARGETS_SIM_PASSES
