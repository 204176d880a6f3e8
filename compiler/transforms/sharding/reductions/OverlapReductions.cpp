//===- OverlapReductions.cpp - Runs reductions next to kernels ------------===//
//
//   %g = tx.fusion ...               // the gradient of the last layer
//   %s = tx.custom_call "collective" (%g) config "all_reduce sum ranks=2"
//   %w = tx.fusion (%v, %s)          // the update of its weights
//   %h = tx.fusion ...               // the gradient of the layer before
// becomes
//   %g = tx.fusion ...
//   %s = tx.custom_call "collective" (%g) ... {txp.queue = 1 : i32}
//   %h = tx.fusion ...
//   %w = tx.fusion (%v, %s)
//
// The second queue performs the call while the first one computes %h.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/TensorProgram.h"
#include "compiler/transforms/sharding/Passes.h"
#include "compiler/transforms/sharding/reductions/Reductions.h"
#include "ir/tx/Kernel.h"
#include "ir/tx/ops/Work.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_OVERLAPREDUCTIONSPASS
#include "compiler/transforms/sharding/Passes.h.inc"

using namespace sharding;

/// The queue of reductions. It is also that of copies to the host, but a
/// program with such copies has no overlapping reductions.
static constexpr int32_t reductionQueue = 1;

namespace {
struct OverlapReductions : impl::OverlapReductionsPassBase<OverlapReductions> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function.getBody().hasOneBlock() || hasPlans(function))
      return;
    Block &block = function.getBody().front();
    SmallVector<Operation *> reductions;
    for (Operation &op : block)
      if (isReduction(&op))
        reductions.push_back(&op);
    if (reductions.empty())
      return;
    for (Operation &op : block)
      work[&op] = workOf(op);
    for (Operation *op : reductions)
      deferUsers(op);
    for (Operation *op : reductions)
      if (overlaps(op))
        op->setAttr(
            queueAttr,
            Builder(op->getContext()).getI32IntegerAttr(reductionQueue));
  }

private:
  /// The arithmetic operations of each op, with those of its regions.
  DenseMap<Operation *, double> work;

  static double workOf(Operation &op) {
    double flops = 0;
    op.walk([&](Operation *inner) {
      flops += shape::magnitude(tx::flopsOf(inner));
    });
    return flops;
  }

  /// Moves the ops that depend on the reduction behind all others, if the others
  /// are at least as much work. Collectives keep their order: work depends on
  /// sizes, which may differ between ranks.
  void deferUsers(Operation *reduction) {
    DenseSet<Operation *> dependent = {reduction};
    SmallVector<Operation *> users;
    double ofUsers = 0, ofOthers = 0;
    bool defersCollective = false;
    for (Operation *op = reduction->getNextNode();
         op && !op->hasTrait<OpTrait::IsTerminator>(); op = op->getNextNode()) {
      bool needsSum = false;
      forEachOperand(op, [&](Value operand) {
        Operation *by = operand.getDefiningOp();
        needsSum = needsSum || (by && dependent.contains(by));
      });
      if (communicates(op) && !needsSum && defersCollective)
        return;
      defersCollective |= needsSum && communicates(op);
      (needsSum ? ofUsers : ofOthers) += work.lookup(op);
      if (!needsSum)
        continue;
      dependent.insert(op);
      users.push_back(op);
    }
    if (ofOthers == 0 || ofUsers > ofOthers)
      return;
    Operation *end = reduction->getBlock()->getTerminator();
    for (Operation *op : users)
      op->moveBefore(end);
  }

  /// True if a kernel runs between the reduction and the first use of its
  /// result.
  bool overlaps(Operation *reduction) {
    for (Operation *op = reduction->getNextNode(); op; op = op->getNextNode()) {
      bool needsSum = false;
      forEachOperand(op, [&](Value operand) {
        needsSum = needsSum || operand.getDefiningOp() == reduction;
      });
      if (needsSum || op->hasTrait<OpTrait::IsTerminator>())
        return false;
      if (op->getNumRegions() || isa<tx::KernelCallOp>(op))
        return true;
    }
    return false;
  }
};
} // namespace

} // namespace tensorc::compiler
