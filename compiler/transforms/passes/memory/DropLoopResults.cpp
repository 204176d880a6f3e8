//===- DropLoopResults.cpp - Removes unused results of loops --------------===//
//
//   %y:3 = tx.scan <[8]> carried = 2 scanned = 0 (%a, %b) { ... }  (%y#0 is used)
// ->
//   %y = tx.scan <[8]> carried = 1 scanned = 0 (%a) { ... }
//
// A carried value that no iteration changes becomes an input that is the same in
// all of them, and its result is what goes into the loop.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/memory/DropLoopResults.h"
#include "ir/tx/Control.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tensorc::compiler {

namespace {
/// The live results and inputs of a loop.
struct LiveParts {
  /// True for a result that is used, and for a carried value on which another
  /// live result or the condition depends.
  BitVector results;
  /// Per input.
  BitVector inputs;
};

/// Collects the block arguments from which values are computed.
class Needs {
public:
  explicit Needs(BitVector &arguments) : arguments(arguments) {}

  void add(Value value) {
    SmallVector<Value> pending{value};
    while (!pending.empty()) {
      Value next = pending.pop_back_val();
      if (auto argument = dyn_cast<BlockArgument>(next)) {
        arguments.set(argument.getArgNumber());
      } else if (seen.insert(next.getDefiningOp()).second) {
        llvm::append_range(pending, next.getDefiningOp()->getOperands());
      }
    }
  }

private:
  BitVector &arguments;
  DenseSet<Operation *> seen;
};
} // namespace

/// The blocks of a scan have an additional first argument: the number of the
/// iteration.
static unsigned firstInput(Operation *loop) {
  return isa<tx::ScanOp>(loop) ? 1 : 0;
}

static unsigned carriedOf(Operation *loop) {
  auto scan = dyn_cast<tx::ScanOp>(loop);
  return scan ? scan.getCarried() : loop->getNumResults();
}

static LiveParts findLiveParts(Operation *loop) {
  unsigned carried = carriedOf(loop), first = firstInput(loop);
  Operation *terminator = loop->getRegions().back().front().getTerminator();
  BitVector arguments(first + loop->getNumOperands());
  LiveParts live{BitVector(loop->getNumResults()),
                 BitVector(loop->getNumOperands())};
  Needs needs(arguments);
  if (auto op = dyn_cast<tx::WhileOp>(loop))
    needs.add(op.getCondition().front().getTerminator()->getOperand(0));
  for (bool changes = true; changes;) {
    changes = false;
    for (auto [i, result] : llvm::enumerate(loop->getResults())) {
      bool isNeeded =
          !result.use_empty() || (i < carried && arguments.test(first + i));
      if (live.results.test(i) || !isNeeded)
        continue;
      live.results.set(i);
      needs.add(terminator->getOperand(i));
      changes = true;
    }
  }
  for (unsigned i = 0; i < loop->getNumOperands(); ++i)
    if (i < carried ? live.results.test(i) : arguments.test(first + i))
      live.inputs.set(i);
  return live;
}

/// Erases ops without a use, then the block arguments of dead inputs.
static void shrinkBlock(Block &block, const LiveParts &live, unsigned first,
                        PatternRewriter &rewriter) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  BitVector dead(block.getNumArguments());
  for (unsigned i = 0; i < live.inputs.size(); ++i)
    if (!live.inputs.test(i))
      dead.set(first + i);
  block.eraseArguments(dead);
}

/// Recreates the loop with only its live parts.
static void shrink(Operation *loop, const LiveParts &live,
                   PatternRewriter &rewriter) {
  auto kept = [](auto range, const BitVector &bits) {
    SmallVector<std::decay_t<decltype(*range.begin())>> list;
    for (auto [i, each] : llvm::enumerate(range))
      if (bits.test(i))
        list.push_back(each);
    return list;
  };
  unsigned first = firstInput(loop);
  rewriter.setInsertionPoint(loop);
  OperationState state(loop->getLoc(), loop->getName());
  state.addOperands(kept(loop->getOperands(), live.inputs));
  state.addTypes(kept(loop->getResultTypes(), live.results));
  state.addAttributes(loop->getAttrs());
  for (unsigned i = 0; i < loop->getNumRegions(); ++i)
    state.addRegion();
  Operation *made = rewriter.create(state);
  for (auto [from, to] :
       llvm::zip_equal(loop->getRegions(), made->getRegions()))
    rewriter.inlineRegionBefore(from, to, to.begin());
  Operation *terminator = made->getRegions().back().front().getTerminator();
  rewriter.modifyOpInPlace(terminator, [&] {
    terminator->setOperands(kept(terminator->getOperands(), live.results));
  });
  for (Region &region : made->getRegions())
    shrinkBlock(region.front(), live, first, rewriter);
  if (auto scan = dyn_cast<tx::ScanOp>(made)) {
    auto count = [&](int64_t begin, int64_t end) {
      int64_t n = 0;
      for (int64_t i = begin; i < end; ++i)
        n += live.inputs.test(i);
      return n;
    };
    int64_t carried = scan.getCarried(), scanned = scan.getScanned();
    scan.setCarried(count(0, carried));
    scan.setScanned(count(carried, carried + scanned));
  }
  unsigned next = 0;
  for (auto [i, result] : llvm::enumerate(loop->getResults()))
    if (live.results.test(i))
      rewriter.replaceAllUsesWith(result, made->getResult(next++));
  rewriter.eraseOp(loop);
}

namespace {
template <typename Op> struct DropResults : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    LiveParts live = findLiveParts(op);
    // A loop without results is dead.
    if (live.results.none() || (live.results.all() && live.inputs.all()))
      return failure();
    shrink(op, live, rewriter);
    return success();
  }
};

/// Converts carried values that the body returns unchanged to loop-invariant
/// inputs.
template <typename Op> struct KeepUnchanged : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    unsigned carried = carriedOf(op), first = firstInput(op);
    Block &body = op->getRegions().back().front();
    Operation *terminator = body.getTerminator();
    BitVector unchanged(op->getNumOperands());
    for (unsigned i = 0; i < carried; ++i)
      if (terminator->getOperand(i) == body.getArgument(first + i))
        unchanged.set(i);
    // A loop must have results, and it ends only if a value changes.
    if (unchanged.none() || unchanged.count() == op->getNumResults())
      return failure();
    rewriter.setInsertionPoint(op);
    OperationState state(op.getLoc(), op->getName());
    SmallVector<Value> last;
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (unchanged.test(i))
        last.push_back(operand);
      else
        state.operands.push_back(operand);
    state.addOperands(last);
    for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
      if (i >= carried || !unchanged.test(i))
        state.addTypes(type);
    state.addAttributes(op->getAttrs());
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      state.addRegion();
    Operation *made = rewriter.create(state);
    for (auto [from, to] :
         llvm::zip_equal(op->getRegions(), made->getRegions()))
      rewriter.inlineRegionBefore(from, to, to.begin());
    rewriter.modifyOpInPlace(terminator, [&] {
      for (unsigned i = carried; i-- > 0;)
        if (unchanged.test(i))
          terminator->eraseOperand(i);
    });
    for (Region &region : made->getRegions())
      moveArguments(region.front(), unchanged, first);
    if (auto scan = dyn_cast<tx::ScanOp>(made))
      scan.setCarried(carried - unchanged.count());
    unsigned next = 0;
    for (auto [i, result] : llvm::enumerate(op->getResults()))
      rewriter.replaceAllUsesWith(result, i < carried && unchanged.test(i)
                                              ? op->getOperand(i)
                                              : made->getResult(next++));
    rewriter.eraseOp(op);
    return success();
  }

  /// Moves the arguments for these inputs to the end.
  static void moveArguments(Block &block, const BitVector &inputs,
                            unsigned first) {
    BitVector moved(block.getNumArguments());
    for (unsigned i : inputs.set_bits()) {
      BlockArgument from = block.getArgument(first + i);
      from.replaceAllUsesWith(block.addArgument(from.getType(), from.getLoc()));
      moved.set(first + i);
    }
    moved.resize(block.getNumArguments());
    block.eraseArguments(moved);
  }
};
} // namespace

void populateDropLoopResults(RewritePatternSet &patterns) {
  patterns.add<DropResults<tx::ScanOp>, DropResults<tx::WhileOp>,
               KeepUnchanged<tx::ScanOp>, KeepUnchanged<tx::WhileOp>>(
      patterns.getContext());
}

} // namespace tensorc::compiler
