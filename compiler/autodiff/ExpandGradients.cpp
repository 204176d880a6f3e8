//===- ExpandGradients.cpp - What remains where gradients are taken -------===//
//
//   %0 = tx.stop_gradient %x              ->  %x
//   %0 = tx.custom_vjp (%x) { A } gradient { B }  ->  A
//
//===----------------------------------------------------------------------===//

#include "compiler/autodiff/Passes.h"
#include "ir/tx/Control.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_EXPANDGRADIENTSPASS
#include "compiler/autodiff/Passes.h.inc"

static void inlineForward(tx::CustomVjpOp op) {
  OpBuilder b(op);
  IRMapping mapping;
  Block &body = op.getForward().front();
  mapping.map(body.getArguments(), op.getInputs());
  for (Operation &each : body.without_terminator())
    b.clone(each, mapping);
  for (auto [result, value] :
       llvm::zip(op->getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookup(value));
  op.erase();
}

namespace {
struct ExpandGradients : impl::ExpandGradientsPassBase<ExpandGradients> {
  void runOnOperation() override {
    // Blocks before the ops that they are in.
    getOperation().walk<WalkOrder::PostOrder>([](Operation *op) {
      if (auto stop = dyn_cast<tx::StopGradientOp>(op)) {
        stop.getResult().replaceAllUsesWith(stop.getX());
        stop.erase();
      } else if (auto custom = dyn_cast<tx::CustomVjpOp>(op)) {
        inlineForward(custom);
      }
    });
  }
};
} // namespace

} // namespace tensorc::compiler
