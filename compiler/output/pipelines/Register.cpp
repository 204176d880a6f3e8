//===- Register.cpp - Registration of all dialects and passes -------------===//
//
// To add a dialect or a set of passes, add a line here.
//
//===----------------------------------------------------------------------===//

#include "compiler/output/pipelines/Register.h"
#include "codegen/kernel/ops/Txk.h"
#include "codegen/lowering/Passes.h"
#include "codegen/targets/Target.h"
#include "compiler/output/object/Object.h"
#include "compiler/transforms/autodiff/Passes.h"
#include "compiler/transforms/batching/Passes.h"
#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/sharding/Passes.h"
#include "ir/program/Txp.h"
#include "ir/tx/TxDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/AllExtensions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Transforms/Passes.h"

namespace tensorc::compiler {

void registerAllTensorcDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                  mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                  mlir::gpu::GPUDialect, mlir::index::IndexDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                  mlir::ub::UBDialect, mlir::vector::VectorDialect,
                  tx::TxDialect, txk::TxkDialect, txp::TxpDialect>();
  mlir::func::registerAllExtensions(registry);
  codegen::registerTargetDialects(registry);
}

void registerAllTensorcPasses() {
  mlir::registerTransformsPasses();
  codegen::registerLoweringPasses();
  codegen::registerTargetPasses();
  registerCompilerPasses();
  registerAutodiffPasses();
  registerBatchingPasses();
  registerShardingPasses();
  registerObjectPasses();
}

} // namespace tensorc::compiler
