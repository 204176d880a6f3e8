//===- FuseOps.cpp - Group ops into fusions -------------------------------===//
//
//   %0 = tx.mul %x, %y ; %1 = tx.exp %0 ; return %1
// becomes
//   %0 = tx.fusion "loop" "mul_exp" (%x, %y) { tx.mul; tx.exp; tx.yield }
//
//===----------------------------------------------------------------------===//

#include "codegen/targets/Target.h"
#include "compiler/fusion/Planner.h"
#include "compiler/passes/Passes.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_FUSEOPSPASS
#include "compiler/passes/Passes.h.inc"

/// None if the module does not name one; a later pass then complains.
static std::optional<codegen::TargetInfo> targetOf(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  auto name = module->getAttrOfType<StringAttr>("tx.target");
  if (!name)
    return std::nullopt;
  auto target = codegen::getTargetInfo(name.getValue());
  if (target)
    return *target;
  llvm::consumeError(target.takeError());
  return std::nullopt;
}

namespace {
struct FuseOps : impl::FuseOpsPassBase<FuseOps> {
  void runOnOperation() override {
    std::optional<codegen::TargetInfo> target = targetOf(getOperation());
    Planner planner(getOperation(), target ? &*target : nullptr);
    planner.plan();
    if (failed(planner.rewrite()))
      signalPassFailure();
  }
};
} // namespace

} // namespace tensorc::compiler
