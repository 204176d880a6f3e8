//===- InlineComposites.cpp - Replace composites by their bodies ----------===//
//
//   %0 = tx.composite "relu" (%x) : ... { ... tx.yield %m }
// becomes the body's ops, each with tx.from = "relu", which names the kernel
// that they become.
//
//===----------------------------------------------------------------------===//

#include "compiler/passes/Passes.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_INLINECOMPOSITESPASS
#include "compiler/passes/Passes.h.inc"

namespace {
struct InlineComposites : impl::InlineCompositesPassBase<InlineComposites> {
  void runOnOperation() override {
    // Outermost first, so that the outermost name stays.
    SmallVector<tx::CompositeOp> worklist(
        getOperation().getOps<tx::CompositeOp>());
    while (!worklist.empty()) {
      tx::CompositeOp composite = worklist.pop_back_val();
      auto from = composite->getAttr(tx::fromAttr);
      Attribute name = from ? from : composite.getNameAttr();
      OpBuilder b(composite);
      IRMapping mapping;
      Block &body = composite.getBody().front();
      mapping.map(body.getArguments(), composite.getInputs());
      for (Operation &op : body.without_terminator()) {
        Operation *copy = b.clone(op, mapping);
        copy->setAttr(tx::fromAttr, name);
        if (auto nested = dyn_cast<tx::CompositeOp>(copy))
          worklist.push_back(nested);
      }
      for (auto [result, value] : llvm::zip(
               composite.getResults(), body.getTerminator()->getOperands()))
        result.replaceAllUsesWith(mapping.lookupOrDefault(value));
      composite.erase();
    }
  }
};
} // namespace

} // namespace tensorc::compiler
