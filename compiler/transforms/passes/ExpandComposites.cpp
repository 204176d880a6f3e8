//===- ExpandComposites.cpp - Expands composites into simpler ops ---------===//
//
//   %0 = tx.relu %x : tensor<4xf32>
// becomes the ops that its `expand` builds (ir/library), each with
// tx.from = "relu", which names the kernel that they become.
//
// Each composite, also those in the expansion of others, is first offered to
// the kinds of fusions. A claimed composite stays whole, or is replaced by a
// single op. Transforms for which the target's vendor has a library become
// calls of it before that.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/ExpandComposites.h"

#include "codegen/targets/Target.h"
#include "compiler/transforms/fusion/Kind.h"
#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/TargetOf.h"
#include "ir/library/Fourier.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_EXPANDCOMPOSITESPASS
#include "compiler/transforms/passes/Passes.h.inc"

void expandComposites(func::FuncOp function,
                      function_ref<bool(Operation *)> isMeant,
                      Meaning meaning) {
  SmallVector<tx::CompositeOpInterface> worklist;
  auto add = [&](tx::CompositeOpInterface op) {
    if (isMeant(op))
      worklist.push_back(op);
  };
  function.walk(add);
  while (!worklist.empty()) {
    tx::CompositeOpInterface op = worklist.pop_back_val();
    // The ops of the expansion keep the name of the outermost composite.
    Attribute from = op->getAttr(tx::fromAttr);
    if (!from)
      from = StringAttr::get(op.getContext(), op->getName().stripDialect());
    OpBuilder b(op);
    Operation *before = op->getPrevNode();
    Value result = meaning ? meaning(b, op) : op.expand(b);
    if (result == op->getResult(0))
      continue;
    Block *block = op->getBlock();
    for (auto it = before ? std::next(Block::iterator(before)) : block->begin();
         &*it != op; ++it) {
      it->setAttr(tx::fromAttr, from);
      if (auto nested = dyn_cast<tx::CompositeOpInterface>(*it))
        add(nested);
    }
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
}

namespace {
struct ExpandComposites : impl::ExpandCompositesPassBase<ExpandComposites> {
  void runOnOperation() override {
    auto target = targetOf(getOperation());
    bool callsTransforms =
        target && codegen::callsTransforms(target->getName());
    auto claimOrExpand = [&](OpBuilder &b, Operation *op) -> Value {
      if (auto fft = dyn_cast<tx::FftOp>(op);
          fft && callsTransforms && tx::isFftCall(fft))
        return tx::makeFftCall(b, fft);
      if (target)
        if (Value taken = claimComposite(b, op, *target))
          return taken;
      return cast<tx::CompositeOpInterface>(op).expand(b);
    };
    expandComposites(
        getOperation(), [](Operation *) { return true; }, claimOrExpand);
  }
};
} // namespace

} // namespace tensorc::compiler
