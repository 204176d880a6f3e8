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
           "Number of threads per subgroup">,
    Option<"matrixUnit", "matrix-unit", "::tensorc::codegen::MatrixUnit",
           "::tensorc::codegen::MatrixUnit::None",
           "Matrix instructions of the chip", [{::llvm::cl::values(
             clEnumValN(::tensorc::codegen::MatrixUnit::None, "none", "no matrix instructions"),
             clEnumValN(::tensorc::codegen::MatrixUnit::Mma16x8x16,
                        "mma16x8x16", "mma.sync, ldmatrix"),
             clEnumValN(::tensorc::codegen::MatrixUnit::Mfma16x16x16,
                        "mfma16x16x16", "mfma"),
             clEnumValN(::tensorc::codegen::MatrixUnit::WmmaRows,
                        "wmma-rows", "wmma with whole rows per lane"),
             clEnumValN(::tensorc::codegen::MatrixUnit::WmmaHalfRows,
                        "wmma-half-rows", "wmma with half rows per lane"))}]>,
    Option<"sharedMemoryBytes", "shared-memory-bytes", "int64_t", "49152",
           "Maximum shared memory of a kernel in bytes">,
    Option<"maxSharedMemoryBytes", "max-shared-memory-bytes", "int64_t",
           "49152", "Maximum if the launch requests more than the default">];
}

def CountInstructionsPass
    : Pass<"sim-count-instructions", "::mlir::ModuleOp"> {
  let summary = "Count the instructions of kernels with the attribute sim.profile";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect"];
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
  let summary = "Call the simulator before every memory access";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TENSORC_CODEGEN_TARGETS_SIM_PASSES
