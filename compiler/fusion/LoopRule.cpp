//===- LoopRule.cpp - Element-mapped ops join any fusion ------------------===//

#include "compiler/fusion/Group.h"

using namespace mlir;

namespace tensorc::compiler {

/// A producer read through more maps than this is computed once and stored:
/// chained stencils would multiply it.
static constexpr size_t maxReads = 4;
static constexpr size_t maxReadsOfExpensive = 2;
/// Ops of one kernel: beyond, registers spill and compile time grows.
static constexpr size_t maxOps = 96;
/// Ops between memory and a contraction's operand, each repeated per tile.
static constexpr size_t maxPrologue = 4;

static bool dependsOn(const Index &index, unsigned dim) {
  return llvm::any_of(index,
                      [&](AffineExpr e) { return e.isFunctionOfDim(dim); });
}

static bool isOne(AffineExpr e) {
  auto c = dyn_cast<AffineConstantExpr>(e);
  return c && c.getValue() == 1;
}

/// Whether the loops compute an element once: its index uses every dim that
/// has more than one step. `kept` only asks for dims that are not reduced.
static bool coversSpace(const Group &group, const Index &index) {
  auto covers = [&](bool kept, unsigned begin, unsigned end) {
    for (unsigned d = begin; d < end; ++d)
      if (!isOne(group.shape[d]) && !dependsOn(index, d) &&
          !(kept && group.reduced[d]))
        return false;
    return true;
  };
  unsigned rank = group.shape.size();
  // x, and the updates, each in their own loops.
  if (group.kind == FusionKind::Scatter)
    return covers(false, 0, group.resultRank) ||
           covers(false, group.resultRank, rank);
  return covers(false, 0, rank) ||
         (!group.reduced.empty() && covers(true, 0, rank));
}

static bool usesAnyDim(const Group &group, const Index &index) {
  for (unsigned d = 0; d < group.shape.size(); ++d)
    if (dependsOn(index, d))
      return true;
  return false;
}

/// Whether the value is read below a contraction's sum; of an attention, as k
/// or v or what computes them. Its scores and q are computed once.
static bool isPrologue(const Group &group, ArrayRef<Index> reads) {
  if (group.kind == FusionKind::Attention)
    return llvm::any_of(reads, [&](const Index &index) {
      unsigned key = group.resultRank;
      return dependsOn(index, key) &&
             (dependsOn(index, key - 1) || dependsOn(index, key + 1));
    });
  if (group.kind != FusionKind::Contraction)
    return false;
  return llvm::any_of(reads, [&](const Index &index) {
    for (unsigned d = group.resultRank; d < group.shape.size(); ++d)
      if (dependsOn(index, d))
        return true;
    return false;
  });
}

/// Whether the op ends in a contraction's result, whose epilogue it can be.
static bool isEpilogue(Operation *op) {
  static constexpr int depth = 8;
  SmallVector<Operation *> level{op};
  for (int i = 0; i < depth && !level.empty(); ++i) {
    SmallVector<Operation *> next;
    for (Operation *user : level)
      for (Value operand : user->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (isa_and_nonnull<tx::DotGeneralOp>(producer))
          return true;
        if (producer && producer->hasTrait<tx::Elementwise>())
          next.push_back(producer);
      }
    level = std::move(next);
  }
  return false;
}

static Refusal checkPrologue(const Group &group, Operation *op,
                             const RuleContext &context) {
  bool branches =
      isa<tx::ConcatenateOp, tx::DynamicUpdateSliceOp, tx::DivOp>(op) ||
      (isa<tx::PadOp>(op) && !context.onGrid());
  if (isExpensive(op) || branches)
    return "it would be computed again for every tile of the contraction";
  if (op->hasTrait<tx::Elementwise>() && isEpilogue(op))
    return "it is the epilogue of another contraction";
  size_t prologue = llvm::count_if(group.ops, [&](Operation *other) {
    auto it = group.reads.find(other->getResult(0));
    return it != group.reads.end() && isPrologue(group, it->second);
  });
  if (prologue >= maxPrologue)
    return "the contraction's operand is computed by " +
           std::to_string(maxPrologue) + " ops already";
  // y must stay contiguous along its last dim; an attention takes either.
  auto transpose = dyn_cast<tx::TransposeOp>(op);
  if (transpose && group.kind == FusionKind::Contraction && !context.onGrid() &&
      !transpose.getPermutation().empty() &&
      transpose.getPermutation().back() != transpose.getType().getRank() - 1)
    return "a contraction reads its operand along rows";
  return {};
}

Refusal checkLoop(const Group &group, Operation *op, RuleContext &context) {
  if (!analysis::isElementMapped(op))
    return "its elements are not computed one by one";
  auto it = group.reads.find(op->getResult(0));
  if (it == group.reads.end())
    return "this kernel does not read it";
  ArrayRef<Index> reads = it->second;
  if (group.ops.size() >= maxOps)
    return "this kernel has " + std::to_string(maxOps) + " ops already";
  // What is read and not computed here, with what the op reads.
  size_t inputs = group.reads.size() + op->getNumOperands() -
                  std::min<size_t>(group.ops.size(), group.reads.size());
  size_t limit = isa<tx::ConcatenateOp>(op) ? maxBranches : maxInputs;
  if (op->getNumOperands() > 1 && inputs > limit)
    return "this kernel would read " + std::to_string(inputs) + " values";
  bool expensive = isExpensive(op);
  if (reads.size() > (expensive ? maxReadsOfExpensive : maxReads))
    return "it is read at " + std::to_string(reads.size()) +
           " different indices";
  if (expensive)
    for (const Index &index : reads)
      if (!coversSpace(group, index) && usesAnyDim(group, index))
        return "it is costly and would be computed again along a broadcast";
  if (isPrologue(group, reads))
    return checkPrologue(group, op, context);
  return {};
}

void joinLoop(Group &group, Operation *op, RuleContext &context) {
  analysis::IterationSpace space = group.space(context.names);
  SmallVector<Index, 2> reads = group.reads[op->getResult(0)];
  for (const Index &index : reads) {
    auto operands =
        analysis::operandIndexing(op, index, space, context.symbolOf);
    for (auto [operand, indexing] : llvm::zip(op->getOpOperands(), operands)) {
      group.addRead(operand.get(), indexing.index);
      if (analysis::isReadAnywhere(operand))
        group.readAnywhere.insert(operand.get());
    }
  }
}

} // namespace tensorc::compiler
