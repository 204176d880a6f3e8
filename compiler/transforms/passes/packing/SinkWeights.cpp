//===- SinkWeights.cpp - Sinks transposes and dequantization into loops ---===//
//
// `h @ w.T` in a loop is recorded with the invariant transpose outside of it:
//   %t = tx.transpose %w
//   tx.scan (..., %t) { tx.dot_general %h, %t contracting [1] x [0] }
// A contraction reads w in either layout, so the transpose would only copy it:
//   tx.scan (..., %w) { %t = tx.transpose %w ; tx.dot_general %h, %t ... }
//
// Dequantization is moved into the loop as well if each contraction has a
// single row: it reads every byte once, and outside of the loop the weights
// would take the memory of floats. With several rows the values are reused and
// stay outside.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/fusion/Group.h"
#include "compiler/transforms/passes/Passes.h"
#include "compiler/transforms/passes/TargetOf.h"
#include "ir/library/Library.h"
#include "ir/tx/Control.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_SINKWEIGHTSPASS
#include "compiler/transforms/passes/Passes.h.inc"

namespace {

/// Returns the number of the loop's first invariant operand.
unsigned firstInvariant(Operation *loop) {
  if (auto scan = dyn_cast<tx::ScanOp>(loop))
    return scan.getCarried() + scan.getScanned();
  return loop->getNumResults();
}

/// Returns the argument of a loop's block for an operand. The first argument of
/// a scan is the iteration number.
BlockArgument argumentFor(Block &block, unsigned operand) {
  bool isScan = isa<tx::ScanOp>(block.getParentOp());
  return block.getArgument(operand + isScan);
}

bool hasOneRow(tx::DotGeneralOp dot) {
  RankedTensorType type = dot.getX().getType();
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(dot.getXContracting(), d) &&
        (type.isDynamicDim(d) || type.getDimSize(d) != 1))
      return false;
  return true;
}

/// Collects the contractions that read the loop's operand, also in nested
/// loops. Returns false if any other op reads it.
bool findProducts(OpOperand &operand, SmallVectorImpl<tx::DotGeneralOp> &dots) {
  Operation *loop = operand.getOwner();
  for (Region &region : loop->getRegions())
    for (OpOperand &use :
         argumentFor(region.front(), operand.getOperandNumber()).getUses()) {
      Operation *user = use.getOwner();
      if (auto dot = dyn_cast<tx::DotGeneralOp>(user))
        dots.push_back(dot);
      else if (!isa<tx::ScanOp, tx::WhileOp>(user) ||
               use.getOperandNumber() < firstInvariant(user) ||
               !findProducts(use, dots))
        return false;
    }
  return true;
}

/// True for ops that can be fused into a contraction's operand.
bool isFused(Operation *op) {
  return op->hasTrait<tx::Elementwise>() ||
         isa<tx::TransposeOp, tx::BroadcastOp, tx::ReshapeOp, tx::DequantizeOp>(
             op);
}

unsigned bitsOf(Value v) {
  Type element = cast<RankedTensorType>(v.getType()).getElementType();
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
}

using Ops = llvm::SetVector<Operation *>;

/// Returns the chain of transposes that computes the value.
Ops transposesOf(Value v) {
  Ops ops;
  while (auto transpose = v.getDefiningOp<tx::TransposeOp>()) {
    ops.insert(transpose);
    v = transpose.getX();
  }
  return ops;
}

/// Returns the ops that compute the value from narrower elements for this use
/// alone. Returns an empty set if there are none, or if they are expensive.
Ops wideningOf(Value v) {
  static constexpr size_t maxOps = 32;
  Ops ops;
  bool readsNarrow = false;
  SmallVector<Value> open = {v};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    Operation *op = next.getDefiningOp();
    bool isNarrow = bitsOf(next) < bitsOf(v);
    readsNarrow |= isNarrow;
    if (isNarrow || !op || !isFused(op) || op->getNumResults() != 1 ||
        !next.hasOneUse())
      continue;
    if (ops.size() == maxOps || isExpensive(op))
      return {};
    ops.insert(op);
    llvm::append_range(open, op->getOperands());
  }
  return readsNarrow ? ops : Ops();
}

/// Moves the ops that compute a loop's operand into its blocks.
void sink(Operation *loop, unsigned operand, const Ops &ops) {
  Value sunk = loop->getOperand(operand);
  SmallVector<Operation *> inOrder(ops.begin(), ops.end());
  llvm::sort(inOrder,
             [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  llvm::SetVector<Value> sources;
  for (Operation *op : inOrder)
    for (Value v : op->getOperands())
      if (!ops.contains(v.getDefiningOp()))
        sources.insert(v);
  unsigned first = loop->getNumOperands();
  loop->insertOperands(first, sources.getArrayRef());
  for (Region &region : loop->getRegions()) {
    Block &block = region.front();
    IRMapping inside;
    for (auto [i, source] : llvm::enumerate(sources))
      inside.map(source, block.addArgument(source.getType(), source.getLoc()));
    BlockArgument argument = argumentFor(block, operand);
    if (argument.use_empty())
      continue;
    OpBuilder b = OpBuilder::atBlockBegin(&block);
    for (Operation *op : inOrder)
      b.clone(*op, inside);
    argument.replaceAllUsesWith(inside.lookup(sunk));
  }
  for (Region &region : loop->getRegions()) {
    Block &block = region.front();
    block.eraseArgument(argumentFor(block, operand).getArgNumber());
  }
  loop->eraseOperand(operand);
  for (Operation *op : llvm::reverse(inOrder))
    if (op->use_empty())
      op->erase();
}

struct SinkWeights : impl::SinkWeightsPassBase<SinkWeights> {
  void runOnOperation() override {
    auto target = targetOf(getOperation());
    if (!target || target->isSimt())
      return;
    // Outer loops are visited first, because sinking into them gives inner
    // loops their operands.
    getOperation().walk<WalkOrder::PreOrder>([](Operation *loop) {
      if (!isa<tx::ScanOp, tx::WhileOp>(loop))
        return;
      for (unsigned i = firstInvariant(loop); i < loop->getNumOperands();) {
        SmallVector<tx::DotGeneralOp> dots;
        Ops ops;
        if (findProducts(loop->getOpOperand(i), dots) && !dots.empty()) {
          if (llvm::all_of(dots, hasOneRow))
            ops = wideningOf(loop->getOperand(i));
          if (ops.empty())
            ops = transposesOf(loop->getOperand(i));
        }
        if (ops.empty())
          ++i;
        else
          sink(loop, i, ops);
      }
    });
  }
};
} // namespace

} // namespace tensorc::compiler
