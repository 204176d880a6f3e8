//===- StageVerifier.cpp - Verification of the IR after a stage -----------===//

#include "compiler/output/pipelines/StageVerifier.h"
#include "compiler/transforms/passes/TensorProgram.h"
#include "ir/program/Kernels.h"
#include "ir/program/Txp.h"
#include "ir/tx/Control.h"
#include "ir/tx/Kernel.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace tensorc::compiler {

/// Describes the legal ops, for messages.
static StringRef legalOps(Stage stage) {
  switch (stage) {
  case Stage::Import:
  case Stage::Tensor:
    return "only tx ops and func.return in func.func, and kernels in "
           "gpu.module";
  case Stage::Fuse:
    return "only tx.fusion, tx.if, tx.switch, tx.while, tx.scan, tx.constant, "
           "tx.reshape, tx.reinterpret, tx.custom_call, tx.kernel_call, views "
           "with txp.split and func.return in func.func";
  case Stage::Emit:
    return "only kernels of upstream dialects and programs of txp";
  case Stage::Lower:
    return "only ops of the target's code in kernels, and programs of txp";
  case Stage::Serialize:
    return "nothing";
  }
  llvm_unreachable("all stages are listed");
}

static LogicalResult illegal(Operation *op, Stage stage) {
  return op->emitOpError("must not be here after stage ")
         << stageName(stage) << ": " << legalOps(stage) << " may";
}

static bool isFrom(Operation *op, StringRef dialect) {
  return op->getName().getDialectNamespace() == dialect;
}

/// True if the op computes on complex numbers, which the beginning of the
/// tensor stage splits into two real tensors. Ops that do not access the
/// elements may have complex operands.
static bool computesComplex(Operation *op) {
  auto isComplex = [](Type type) {
    return isa<ComplexType>(getElementTypeOrSelf(type));
  };
  return !isa<func::FuncOp, func::ReturnOp, tx::CustomCallOp, tx::KernelCallOp,
              tx::ReinterpretOp, tx::ReshapeOp, tx::ConstantOp>(op) &&
         (llvm::any_of(op->getOperandTypes(), isComplex) ||
          llvm::any_of(op->getResultTypes(), isComplex));
}

static WalkResult advanceUnlessComplex(Operation *op) {
  if (!computesComplex(op))
    return WalkResult::advance();
  (void)op->emitOpError("computes on complex numbers: after stage tensor their "
                        "parts are real tensors (--tx-expand-complex)");
  return WalkResult::interrupt();
}

/// Checks the stages import and tensor: functions over tx, and user kernels.
static LogicalResult verifyTensors(ModuleOp module, Stage stage) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::GPUModuleOp, txp::KernelSourceOp>(op))
      return WalkResult::skip();
    if (stage == Stage::Tensor && advanceUnlessComplex(op).wasInterrupted())
      return WalkResult::interrupt();
    bool legal =
        isFrom(op, "tx") || isa<func::FuncOp, func::ReturnOp, ModuleOp>(op);
    return legal && !isa<tx::FusionOp>(op)
               ? WalkResult::advance()
               : (failed(illegal(op, stage)), WalkResult::interrupt());
  });
  return failure(result.wasInterrupted());
}

/// Checks the stage fuse: outside of fusions there are only fusions, buffers
/// and views.
static LogicalResult verifyFusions(ModuleOp module, Stage stage) {
  for (auto function : module.getOps<func::FuncOp>()) {
    WalkResult result = function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (advanceUnlessComplex(op).wasInterrupted())
        return WalkResult::interrupt();
      if (isa<tx::FusionOp>(op))
        return op->walk(advanceUnlessComplex).wasInterrupted()
                   ? WalkResult::interrupt()
                   : WalkResult::skip();
      if (auto loop = dyn_cast<tx::WhileOp>(op); loop && loop.getMost())
        return (void)loop.emitOpError("has a bound, which stage tensor counts "
                                      "(--tx-expand-gradients)"),
               WalkResult::interrupt();
      if (isa<func::FuncOp, tx::IfOp, tx::SwitchOp, tx::WhileOp, tx::ScanOp,
              tx::ReturnOp, tx::ConstantOp, tx::ReshapeOp, tx::ReinterpretOp,
              tx::CustomCallOp, tx::KernelCallOp, func::ReturnOp>(op) ||
          (isa<tx::SliceOp, tx::ConcatenateOp>(op) && op->hasAttr(splitAttr)))
        return WalkResult::advance();
      return (void)illegal(op, stage), WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

/// Returns the target that the program was lowered for, or null.
static const codegen::Target *targetOf(ModuleOp module) {
  auto name = module->getAttrOfType<StringAttr>(tx::targetAttr);
  auto target = codegen::findTarget(name ? name.getValue() : "");
  if (target)
    return &*target;
  llvm::consumeError(target.takeError());
  return nullptr;
}

/// Checks the stages emit (no tx ops are left) and lower (kernels are code of
/// the target).
static LogicalResult verifyPrograms(ModuleOp module, Stage stage) {
  Operation *kernels = module.lookupSymbol(codegen::kKernelsName);
  const codegen::Target *target = targetOf(module);
  WalkResult result = module.walk([&](Operation *op) {
    bool legal = !isFrom(op, "tx");
    if (kernels && stage == Stage::Lower && kernels->isProperAncestor(op))
      legal = target && target->isLowered(op);
    return legal ? WalkResult::advance()
                 : (failed(illegal(op, stage)), WalkResult::interrupt());
  });
  return failure(result.wasInterrupted());
}

LogicalResult verifyStage(ModuleOp module, Stage stage) {
  switch (stage) {
  case Stage::Import:
  case Stage::Tensor:
    return verifyTensors(module, stage);
  case Stage::Fuse:
    return verifyFusions(module, stage);
  case Stage::Emit:
  case Stage::Lower:
    return verifyPrograms(module, stage);
  case Stage::Serialize:
    return success();
  }
  llvm_unreachable("all stages are listed");
}

} // namespace tensorc::compiler
