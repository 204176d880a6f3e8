//===- InlineComposites.cpp - Replace composites by their bodies ----------===//
//
//   %0 = tx.composite "relu" (%x) : ... { ... tx.yield %m }
// becomes the body's ops, each with tx.from = "relu", which names the kernel
// that they become.
//
//===----------------------------------------------------------------------===//

#include "compiler/passes/Passes.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_INLINECOMPOSITESPASS
#include "compiler/passes/Passes.h.inc"

namespace {
struct InlineComposites : impl::InlineCompositesPassBase<InlineComposites> {
  void runOnOperation() override {
    // Outermost first, so that the outermost name stays.
    SmallVector<tx::CompositeOp> worklist;
    getOperation().walk<WalkOrder::PreOrder>([&](tx::CompositeOp composite) {
      worklist.push_back(composite);
      return WalkResult::skip();
    });
    while (!worklist.empty()) {
      tx::CompositeOp composite = worklist.pop_back_val();
      auto from = composite->getAttr(tx::fromAttr);
      Attribute name = from ? from : composite.getNameAttr();
      Block &body = composite.getBody().front();
      for (auto [argument, input] :
           llvm::zip(body.getArguments(), composite.getInputs()))
        argument.replaceAllUsesWith(input);
      // Moved, not cloned: each level would clone all levels inside it.
      for (Operation &op :
           llvm::make_early_inc_range(body.without_terminator())) {
        op.moveBefore(composite);
        op.setAttr(tx::fromAttr, name);
        op.walk<WalkOrder::PreOrder>([&](tx::CompositeOp nested) {
          worklist.push_back(nested);
          return WalkResult::skip();
        });
      }
      composite.replaceAllUsesWith(body.getTerminator()->getOperands());
      composite.erase();
    }
  }
};
} // namespace

} // namespace tensorc::compiler
