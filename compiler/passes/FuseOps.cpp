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
#include "compiler/passes/TensorProgram.h"
#include "ir/tx/Control.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_FUSEOPSPASS
#include "compiler/passes/Passes.h.inc"

/// More operands than one kernel's become several kernels' whose results are
/// the operands of the next.
static void splitConcatenates(func::FuncOp function) {
  function.walk([](tx::ConcatenateOp op) {
    OpBuilder b(op);
    SmallVector<Value> parts(op.getInputs());
    auto join = [&](ArrayRef<Value> some) -> Value {
      auto first = cast<RankedTensorType>(some.front().getType());
      SmallVector<shape::Dim> dims(tx::dimsOf(first)), along;
      for (Value part : some)
        along.push_back(
            tx::dimsOf(cast<RankedTensorType>(part.getType()))[op.getDim()]);
      dims[op.getDim()] = shape::sum(along);
      return tx::ConcatenateOp::create(
          b, op.getLoc(), tx::tensorType(dims, first.getElementType()), some,
          op.getDim());
    };
    while (parts.size() > maxBranches) {
      size_t count = llvm::divideCeil(parts.size(), maxBranches);
      SmallVector<Value> joined;
      for (size_t i = 0, begin = 0; i < count; ++i) {
        size_t end = parts.size() * (i + 1) / count;
        joined.push_back(join(ArrayRef(parts).slice(begin, end - begin)));
        begin = end;
      }
      parts = std::move(joined);
    }
    op.getInputsMutable().assign(parts);
  });
}

namespace {
struct FuseOps : impl::FuseOpsPassBase<FuseOps> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    if (failed(verifyTensorProgram(getOperation())))
      return signalPassFailure();
    splitConcatenates(getOperation());
    std::optional<codegen::TargetInfo> target = targetOf(getOperation());
    // Branches and loops before the blocks that they are in.
    SmallVector<Block *> blocks;
    getOperation().walk([&](Operation *op) {
      if (isa<tx::IfOp, tx::WhileOp, tx::ScanOp>(op))
        for (Region &body : op->getRegions())
          blocks.push_back(&body.front());
    });
    blocks.push_back(&getOperation().getBody().front());
    llvm::StringSet<> taken;
    for (Block *block : blocks) {
      Planner planner(*block, target ? &*target : nullptr, taken);
      planner.plan();
      planner.rewrite();
    }
  }
};
} // namespace

} // namespace tensorc::compiler
