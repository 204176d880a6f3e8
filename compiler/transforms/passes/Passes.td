//===- Passes.td - Passes on whole programs -------------------------------===//
#ifndef TENSORC_COMPILER_PASSES_PASSES_TD
#define TENSORC_COMPILER_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

def LoopOverImagesPass : Pass<"tx-loop-over-images", "::mlir::func::FuncOp"> {
  let summary = "Compute the convolutions of a large batch image by image, whose values caches hold";
  let dependentDialects = ["::tensorc::tx::TxDialect"];
}

def ExpandCompositesPass : Pass<"tx-expand-composites", "::mlir::func::FuncOp"> {
  let summary = "Replace composites by the ops that they are made of";
  let dependentDialects = ["::tensorc::tx::TxDialect"];
}

def ExpandDegeneratePass : Pass<"tx-expand-degenerate", "::mlir::func::FuncOp"> {
  let summary = "Bring contractions and reductions into the forms that skeletons take";
  let dependentDialects = ["::tensorc::tx::TxDialect"];
}

def ExpandShortReductionsPass : Pass<"tx-expand-short-reductions", "::mlir::func::FuncOp"> {
  let summary = "Combine a few elements one by one, so that lanes run along other dims";
  let dependentDialects = ["::tensorc::tx::TxDialect"];
}

def FoldPackingPass : Pass<"tx-fold-packing", "::mlir::func::FuncOp"> {
  let summary = "Pack what contractions read: kernels, whose channels then are lanes, and constant matrices";
  let dependentDialects = ["::tensorc::tx::TxDialect"];
  let options = [
    // Below this number of steps the transposed store of a tile takes longer
    // than the products.
    Option<"minSteps", "min-steps", "int64_t", "128",
           "Sums of fewer steps stay as they are">
  ];
}

def SinkWeightsPass : Pass<"tx-sink-weights", "::mlir::func::FuncOp"> {
  let summary = "Compute in a loop what its products read as well from its source";
  let dependentDialects = ["::tensorc::tx::TxDialect"];
}

def HoistPackingPass : Pass<"tx-hoist-packing", "::mlir::func::FuncOp"> {
  let summary = "Pack operands of contractions that do not change in a loop before it";
  let dependentDialects = ["::tensorc::tx::TxDialect"];
}

def ExpandComplexPass : Pass<"tx-expand-complex", "::mlir::func::FuncOp"> {
  let summary = "Compute on two real tensors per complex one, interleaved at a program's edges only";
  let dependentDialects = ["::tensorc::tx::TxDialect"];
}

def ExpandPackedIntegersPass : Pass<"tx-expand-packed-integers", "::mlir::func::FuncOp"> {
  let summary = "Compute on a byte per 4-bit integer, packed at a program's edges only";
  let dependentDialects = ["::tensorc::tx::TxDialect"];
}

def SimplifyTensorsPass : Pass<"tx-simplify-tensors", "::mlir::func::FuncOp"> {
  let summary = "Simpler expressions of the same value, bit by bit";
  let dependentDialects = ["::tensorc::tx::TxDialect"];
  let options = [
    Option<"keepsDivisions", "keep-divisions", "bool", "false",
           "Leave x / 4, whose 4 may be a size: another size is no other program then">];
}

def RecomputePass : Pass<"tx-recompute", "::mlir::func::FuncOp"> {
  let summary = "Compute element-wise results again where that saves memory at the peak";
  let dependentDialects = ["::tensorc::tx::TxDialect"];
}

def FuseOpsPass : Pass<"tx-fuse-ops", "::mlir::func::FuncOp"> {
  let summary = "Group ops into fusions, one kernel each";
  let dependentDialects = ["::tensorc::tx::TxDialect"];
}

def ChooseSchedulesPass : Pass<"tx-choose-schedules", "::mlir::ModuleOp"> {
  let summary = "Say of each fusion what fixes its bits, and how the target computes it";
  let dependentDialects = ["::tensorc::tx::TxDialect"];
  let options = [
    ListOption<"overrides", "override", "std::string",
               "KERNEL:NAME=NUMBER,...: a schedule by hand">];
}

def EmitProgramPass : Pass<"tx-emit-program", "::mlir::ModuleOp"> {
  let summary = "Emit a kernel per fusion and the host program that launches them";
  let dependentDialects = [
    "::tensorc::txk::TxkDialect", "::tensorc::txp::TxpDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def CompileSourcesPass : Pass<"txp-compile-sources", "::mlir::ModuleOp"> {
  let summary = "Compile kernels in a GPU's own language to images";
  let dependentDialects = ["::tensorc::txp::TxpDialect"];
}

def FitMemoryPass : Pass<"txp-fit-memory", "::tensorc::txp::FuncOp"> {
  let summary = "Fit a program into the module's txp.memory_limit: write in place, reorder, compute again";
  let dependentDialects = ["::tensorc::txp::TxpDialect", "::mlir::arith::ArithDialect"];
  let options = [
    Option<"copiesConstants", "copies-constants", "bool", "false",
           "whether the device holds a copy of the constants">,
    Option<"threads", "threads", "unsigned", "1", "threads that need scratch memory">,
    Option<"launchMicroseconds", "launch-us", "double", "2", "time of an empty launch">,
    Option<"memoryRate", "memory-gb-s", "double", "10", "10^9 bytes per second">,
    Option<"arithmeticRate", "gflop-s", "double", "100", "10^9 operations per second">];
}

def PlanMemoryPass : Pass<"txp-plan-memory", "::tensorc::txp::FuncOp"> {
  let summary = "Put a program's temporaries into one arena";
  let dependentDialects = ["::tensorc::txp::TxpDialect", "::mlir::arith::ArithDialect"];
}

#endif // TENSORC_COMPILER_PASSES_PASSES_TD
