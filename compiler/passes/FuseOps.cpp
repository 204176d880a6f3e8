//===- FuseOps.cpp - Group ops into fusions -------------------------------===//
//
//   %0 = tx.mul %x, %y ; %1 = tx.exp %0 ; return %1
// becomes
//   %0 = tx.fusion "loop" "mul_exp" (%x, %y) { tx.mul; tx.exp; tx.yield }
//
//===----------------------------------------------------------------------===//

#include "compiler/fusion/Planner.h"
#include "compiler/passes/Passes.h"
#include "compiler/passes/TargetOf.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_FUSEOPSPASS
#include "compiler/passes/Passes.h.inc"

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
