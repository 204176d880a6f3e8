//===- LowerIntegerWidth.cpp - Narrows index arithmetic to 32 bits --------===//
//
// %1 = arith.muli %0, %c64 : index      (%0 is below 1024)
// ->
// %a = arith.index_castui %0 : index to i32
// %b = arith.muli %a, %c64_i32 : i32
// %1 = arith.index_castui %b : i32 to index
//
// Like arith-int-range-narrowing, except that shifts are narrowed only if their
// amount is a constant below 32. Upstream only checks the ranges of values, and
// would turn (x : i64) >> 32 into a shift of an i32 by 32, which is poison.
//
//===----------------------------------------------------------------------===//

#include "codegen/lowering/Passes.h"

#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tensorc::codegen {

#define GEN_PASS_DEF_LOWERINTEGERWIDTHPASS
#include "codegen/lowering/Passes.h.inc"

namespace {

constexpr unsigned width = 32;

/// Drops the ranges of erased values, because another value may be allocated at
/// the same address.
class ForgetErased : public RewriterBase::Listener {
public:
  ForgetErased(DataFlowSolver &solver) : solver(solver) {}

protected:
  void notifyOperationErased(Operation *op) override {
    solver.eraseState(solver.getProgramPointAfter(op));
    for (Value result : op->getResults())
      solver.eraseState(result);
  }

private:
  DataFlowSolver &solver;
};

/// Range analysis that also visits two kinds of loops. Upstream leaves constants
/// other than integers without a state, and then all ops in loops that begin with
/// such a constant, too; and it reads the bounds of an affine.for that has none.
class RangeAnalysis : public dataflow::IntegerRangeAnalysis {
public:
  using IntegerRangeAnalysis::IntegerRangeAnalysis;

  LogicalResult visitOperation(
      Operation *op,
      ArrayRef<const dataflow::IntegerValueRangeLattice *> operands,
      ArrayRef<dataflow::IntegerValueRangeLattice *> results) override {
    if (isa<arith::ConstantOp>(op) &&
        !getElementTypeOrSelf(op->getResult(0).getType()).isIntOrIndex()) {
      setAllToEntryStates(results);
      return success();
    }
    return IntegerRangeAnalysis::visitOperation(op, operands, results);
  }

  void visitNonControlFlowArguments(
      Operation *op, const RegionSuccessor &successor,
      ArrayRef<dataflow::IntegerValueRangeLattice *> arguments,
      unsigned firstIndex) override {
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    if (loop && !(loop.getLoopLowerBounds() && loop.getLoopUpperBounds() &&
                  loop.getLoopSteps()))
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(
          op, successor, arguments, firstIndex);
    IntegerRangeAnalysis::visitNonControlFlowArguments(op, successor, arguments,
                                                       firstIndex);
  }
};

/// True if the op has the same result in 32 bits, given that its operands and
/// result fit.
bool mayLower(Operation *op) {
  if (!isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    return true;
  APInt amount;
  return matchPattern(op->getOperand(1), m_ConstantInt(&amount)) &&
         amount.ult(width);
}

struct LowerIntegerWidth : impl::LowerIntegerWidthPassBase<LowerIntegerWidth> {
  void runOnOperation() override {
    DataFlowSolver solver;
    solver.load<dataflow::DeadCodeAnalysis>();
    solver.load<RangeAnalysis>();
    if (failed(solver.initializeAndRun(getOperation())))
      return signalPassFailure();
    ForgetErased listener(solver);
    RewritePatternSet patterns(&getContext());
    arith::populateIntRangeNarrowingPatterns(patterns, solver, width);
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (op != getOperation() && mayLower(op))
        ops.push_back(op);
    });
    // Comparisons use the ranges of their operands, so users are rewritten
    // before the ops that they use.
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(false).setListener(&listener).setStrictness(
        GreedyRewriteStrictness::ExistingAndNewOps);
    (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
  }
};

} // namespace

} // namespace tensorc::codegen
