#ifndef TENSORC_CODEGEN_LOWERING_PASSES
#define TENSORC_CODEGEN_LOWERING_PASSES

include "mlir/Pass/PassBase.td"

def ExpandNarrowFloatsPass : Pass<"txk-expand-narrow-floats"> {
  let summary = "Compute f16, bf16 and f8 in f32, rounding after every operation";
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
  let options = [
    Option<"f16Converts", "f16-converts", "bool", "false",
           "The target converts between f16 and f32 in hardware">];
}

def ConvertStorageToBitsPass : Pass<"txk-convert-storage-to-bits"> {
  let summary = "Move bf16 and f8 values as their bits, once nothing computes on them";
  let options = [Option<"halves", "f16", "bool", "false", "And f16">];
}

def LowerIntegerWidthPass : Pass<"txk-lower-integer-width"> {
  let summary = "Compute integers in 32 bits where they are known to fit";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ExpandMathPass : Pass<"txk-expand-math"> {
  let summary = "Expand transcendental functions of f32 and f64 to arith";
  let description = [{
    With `constants`, it expands only functions of constants, of any width, and
    folds the result. MLIR's own folding calls the C library, which rounds
    differently from a kernel; so this runs before anything else folds kernels.
  }];
  let options = [Option<"constants", "constants", "bool", "false",
                        "Expand and fold functions of constants only">,
                 Option<"hasScalef", "scalef", "bool", "false",
                        "Vectors are multiplied by powers of two by AVX-512's instruction">];
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
                        "There is AVX-512DQ's vrangeps">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandProductsPass : Pass<"txk-expand-products"> {
  let summary = "Expand sums of narrow products to the instructions of a processor";
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def ExpandNibblesPass : Pass<"txk-expand-nibbles"> {
  let summary = "Look floats up for the integers of 4 bits that share bytes along the lanes";
  let description = [{
    For processors with AVX-512, whose permutation of 16 floats takes its places from the lowest 4 bits of each lane.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandF8Pass : Pass<"txk-expand-f8"> {
  let summary = "Look floats up for 64 numbers of 8 bits at a time";
  let description = [{
    For processors with AVX-512 VBMI, whose permutation of bytes from two registers is a table of 128.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandAtomicsPass : Pass<"txk-expand-atomics"> {
  let summary = "Expand atomics that no target has to compare-and-swap loops";
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
           "How the chip multiplies matrices", [{::llvm::cl::values(
             clEnumValN(::tensorc::codegen::MatrixUnit::None, "none", "not"),
             clEnumValN(::tensorc::codegen::MatrixUnit::Mma16x8x16,
                        "mma16x8x16", "mma.sync, ldmatrix"),
             clEnumValN(::tensorc::codegen::MatrixUnit::Mfma16x16x16,
                        "mfma16x16x16", "mfma"))}]>];
}

def ExpandShufflesPass : Pass<"txk-expand-shuffles"> {
  let summary = "Expand shuffles of any type to those of i32";
  let description = [{
    With `through-memory`, threads write their values to workgroup memory and read those of others, with a barrier
    after both: for targets whose threads do not read each other's registers. All threads of a block must meet at a
    shuffle.
  }];
  let options = [Option<"throughMemory", "through-memory", "bool", "false",
                        "Through workgroup memory">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // TENSORC_CODEGEN_LOWERING_PASSES
