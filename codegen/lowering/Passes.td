#ifndef TENSORC_CODEGEN_LOWERING_PASSES
#define TENSORC_CODEGEN_LOWERING_PASSES

include "mlir/Pass/PassBase.td"

def ExpandNarrowFloatsPass : Pass<"txk-expand-narrow-floats"> {
  let summary = "Compute f16, bf16 and f8 in f32, rounding after every operation";
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
  let options = [
    Option<"f16Converts", "f16-converts", "bool", "false",
           "The target converts between f16 and f32 in hardware">,
    Option<"bf16Rounds", "bf16-rounds", "bool", "false",
           "The target rounds f32 to bf16 in hardware">];
}

def ExpandDoublesPass
    : Pass<"txk-expand-doubles", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Compute f64 by functions on integers";
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def ConvertStorageToBitsPass : Pass<"txk-convert-storage-to-bits"> {
  let summary = "Replace bf16 and f8 types by integers of the same width";
  let options = [Option<"halves", "f16", "bool", "false", "Replace f16 as well">,
                 Option<"doubles", "f64", "bool", "false", "Replace f64 as well">];
}

def LowerIntegerWidthPass : Pass<"txk-lower-integer-width"> {
  let summary = "Narrow index and i64 arithmetic to 32 bits where values are known to fit";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandMathPass : Pass<"txk-expand-math"> {
  let summary = "Expand transcendental functions of f32 and f64 to arith";
  let description = [{
    With `constants`, only functions of constants (of any float type) are
    expanded, and the result is folded. This must run before any other pass that
    folds kernels: MLIR's own folding calls the C library, which rounds
    differently from a kernel.
  }];
  let options = [Option<"constants", "constants", "bool", "false",
                        "Expand and fold functions of constants only">,
                 Option<"hasScalef", "scalef", "bool", "false",
                        "Use AVX-512's vscalef to multiply vectors by powers of two">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandFmaPass : Pass<"txk-expand-fma"> {
  let summary = "Expand fused multiply-add for targets without it";
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandExtremaPass : Pass<"txk-expand-extrema"> {
  let summary = "Expand maxima and minima of vectors of floats to few instructions of x86";
  let options = [Option<"hasRange", "range", "bool", "false",
                        "Use AVX-512DQ's vrangeps">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandProductsPass : Pass<"txk-expand-products"> {
  let summary = "Expand txk.add_products to a processor's dot product instructions";
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def ExpandNibblesPass : Pass<"txk-expand-nibbles"> {
  let summary = "Convert vectors of packed 4-bit integers to floats by table lookup";
  let description = [{
    For processors with AVX-512: its permutation of 16 floats is a table lookup
    by the lowest 4 bits of each lane.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandF8Pass : Pass<"txk-expand-f8"> {
  let summary = "Convert vectors of 64 f8 numbers to floats by table lookup";
  let description = [{
    For processors with AVX-512 VBMI: its permutation of the bytes of two
    registers is a lookup in a table of 128 bytes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandAtomicsPass : Pass<"txk-expand-atomics"> {
  let summary = "Expand atomics that no target supports to compare-and-swap loops";
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ExpandTilesPass : Pass<"txk-expand-tiles"> {
  let summary = "Expand tiles to the registers and instructions of a chip";
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect",
                           "::tensorc::txk::TxkDialect"];
  let options = [
    Option<"unit", "unit", "::tensorc::codegen::MatrixUnit",
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
                        "wmma-half-rows", "wmma with half rows per lane"))}]>];
}

def ExpandShufflesPass : Pass<"txk-expand-shuffles"> {
  let summary = "Expand shuffles of any type to those of i32";
  let description = [{
    With `through-memory`, for targets without shuffle instructions, threads
    store their values to shared memory and load those of others, with a barrier
    after both. All threads of a block must then execute each shuffle.
  }];
  let options = [Option<"throughMemory", "through-memory", "bool", "false",
                        "Exchange values through shared memory">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // TENSORC_CODEGEN_LOWERING_PASSES
