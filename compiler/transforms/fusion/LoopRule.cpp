//===- LoopRule.cpp - Element-mapped ops join any fusion ------------------===//

#include "compiler/transforms/fusion/ContractionRule.h"

using namespace mlir;

namespace tensorc::compiler {

/// Maximum number of different indices at which a group may read a fused
/// producer. A producer that is read at more indices is computed once and
/// stored, because recomputation would multiply in chained stencils.
static constexpr size_t maxReads = 4;
static constexpr size_t maxReadsOfExpensive = 2;
/// Maximum number of such indices for ops that extend a value at its ends, such
/// as circular padding. A stencil reads each of three dims at three positions (3^3); the
/// kernel selects among the positions without a branch (ElementLocations.cpp).
static constexpr size_t maxReadsOfEnds = 27;

namespace {
/// Ops whose result elements each need one element of every operand. They join
/// groups of any kind; a group of only such ops is a loop.
class LoopKind : public FusionKind {
public:
  LoopKind() : FusionKind(tx::kinds::loop) {}

  /// A loop has room for any op and then becomes a group of the op's kind.
  Refusal checkRoom(const Group &, Operation *) const override { return {}; }
  Refusal check(const Group &group, Operation *op,
                RuleContext &context) const override;
  bool computesOnce(const Group &group, const Index &index) const override {
    return group.usesPairs(index);
  }
  bool join(Group &group, Operation *op, RuleContext &context) const override {
    readOperands(group, op, context);
    return true;
  }
};
} // namespace

const FusionKind &loopKind() {
  static const LoopKind kind;
  return kind;
}

/// True if the op concatenates slices of one value, as reflective or circular
/// padding does, or is a slice that only such concatenations use.
static bool makesEnds(Operation *op) {
  if (isa<tx::SliceOp>(op))
    return llvm::all_of(op->getUsers(), [](Operation *user) {
      return isa<tx::ConcatenateOp>(user) && makesEnds(user);
    });
  auto valueOf = [](Value part) {
    auto slice = part.getDefiningOp<tx::SliceOp>();
    return slice ? slice.getX() : part;
  };
  return isa<tx::ConcatenateOp>(op) &&
         llvm::all_equal(llvm::map_range(op->getOperands(), valueOf));
}

static bool usesAnyDim(const Group &group, const Index &index) {
  return llvm::any_of(llvm::seq<unsigned>(0, group.shape.size()),
                      [&](unsigned d) { return dependsOn(index, d); });
}

/// True if fusing the op would separate it from its packed product, which
/// cannot join the group. The product's own kernel transposes the result in its
/// epilogue; another kernel would read the result with a stride.
static bool leavesProduct(const Group &group, Operation *op,
                          RuleContext &context) {
  if (context.onGrid() || !isEpilogueOfTransposed(op))
    return false;
  SmallVector<AffineExpr> sizes =
      context.names.dims(cast<RankedTensorType>(op->getResult(0).getType()));
  return group.kind != &loopKind() ||
         !std::is_permutation(sizes.begin(), sizes.end(), group.shape.begin(),
                              group.shape.end());
}

/// Returns the number of concatenates of the group that lie on one path from
/// its outputs to the op.
static size_t concatenatesAround(const Group &group, Operation *op) {
  // Depths of the group's ops, counting themselves.
  DenseMap<Operation *, size_t> depths;
  auto around = [&](Operation *producer) {
    size_t depth = 0;
    for (Operation *user : producer->getUsers())
      if (auto it = depths.find(user); it != depths.end())
        depth = std::max(depth, it->second);
    return depth;
  };
  // `ops` lists an op after the ops that read it.
  for (Operation *member : group.ops)
    depths[member] = around(member) + isa<tx::ConcatenateOp>(member);
  return around(op);
}

Refusal LoopKind::check(const Group &group, Operation *op,
                        RuleContext &context) const {
  if (!analysis::isElementMapped(op))
    return "its elements are not computed one by one";
  auto it = group.reads.find(op->getResult(0));
  if (it == group.reads.end())
    return "this kernel does not read it";
  if (leavesProduct(group, op, context))
    return "it is the epilogue of a contraction that is packed";
  ArrayRef<Index> reads = it->second;
  if (group.work() >= maxWork)
    return "this kernel has " + std::to_string(group.ops.size()) +
           " ops already, " + std::to_string(group.costlyOps) +
           " of them costly";
  // Number of values that the kernel would read: those that the group reads but
  // does not compute, and the operands of the op.
  size_t inputs = group.reads.size() + op->getNumOperands() -
                  std::min<size_t>(group.ops.size(), group.reads.size());
  size_t limit = isa<tx::ConcatenateOp>(op) ? maxBranches : maxInputs;
  if (op->getNumOperands() > 1 && inputs > limit)
    return "this kernel would read " + std::to_string(inputs) + " values";
  if (isa<tx::ConcatenateOp>(op) &&
      concatenatesAround(group, op) >= maxNestedConcatenates)
    return "this kernel has " + std::to_string(maxNestedConcatenates) +
           " concatenates around it";
  bool expensive = isExpensive(op);
  if (reads.size() > (expensive       ? maxReadsOfExpensive
                      : makesEnds(op) ? maxReadsOfEnds
                                      : maxReads))
    return "it is read at " + std::to_string(reads.size()) +
           " different indices";
  if (expensive)
    for (const Index &index : reads)
      if (!group.kind->computesOnce(group, index) && usesAnyDim(group, index))
        return "it is costly and would be computed again along a broadcast";
  return group.kind->checkAround(group, op, context);
}

void readOperands(Group &group, Operation *op, RuleContext &context) {
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
