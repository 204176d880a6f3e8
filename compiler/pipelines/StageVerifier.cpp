//===- StageVerifier.cpp - What is illegal after each stage ---------------===//

#include "compiler/pipelines/StageVerifier.h"
#include "ir/program/Txp.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tensorc::compiler {

static LogicalResult illegal(Operation *op, Stage stage) {
  return op->emitOpError("must not be here after stage ") << stageName(stage);
}

static bool isFrom(Operation *op, StringRef dialect) {
  return op->getName().getDialectNamespace() == dialect;
}

/// import, tensor: functions over tx.
static LogicalResult verifyTensors(ModuleOp module, Stage stage) {
  WalkResult result = module.walk([&](Operation *op) {
    bool legal =
        isFrom(op, "tx") || isa<func::FuncOp, func::ReturnOp, ModuleOp>(op);
    return legal && !isa<tx::FusionOp>(op)
               ? WalkResult::advance()
               : (failed(illegal(op, stage)), WalkResult::interrupt());
  });
  return failure(result.wasInterrupted());
}

/// fuse: only fusions, buffers and views of them outside of fusions.
static LogicalResult verifyFusions(ModuleOp module, Stage stage) {
  for (auto function : module.getOps<func::FuncOp>())
    for (Operation &op : function.getOps())
      if (!isa<tx::FusionOp, tx::ConstantOp, tx::ReshapeOp, func::ReturnOp>(op))
        return illegal(&op, stage);
  return success();
}

/// emit: no tx ops; lower: kernels in the llvm dialect alone.
static LogicalResult verifyPrograms(ModuleOp module, Stage stage) {
  WalkResult result = module.walk([&](Operation *op) {
    bool inKernels =
        op->getParentOfType<ModuleOp>() != module && !isa<ModuleOp>(op);
    bool legal = !isFrom(op, "tx");
    if (inKernels && stage == Stage::Lower)
      legal = isFrom(op, "llvm");
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
