//===- ContractionRule.cpp - A dot_general with prologue and epilogue -----===//

#include "compiler/transforms/fusion/ContractionRule.h"

#include "ir/shape/ColumnBlocks.h"
#include "ir/tx/ops/Rounding.h"

using namespace mlir;

namespace tensorc::compiler {

/// Maximum number of arithmetic ops that are fused into the operands of a
/// contraction. The same limit applies to ops that move elements. These ops are
/// recomputed for every tile that reads the operand.
static constexpr size_t maxPrologueOps = 4;
/// Minimum length of the innermost reduction dim for fusing ops that do not
/// depend on it. They are computed once per tile, and the cost of a few ops is
/// negligible over this many K steps.
static constexpr int64_t minStepsForPrologue = 16;
/// Number of columns of a tile on a CPU. The kernel reads x again for each tile
/// of columns.
static constexpr int64_t tileColumns = 32;

const FusionKind &contractionKind() {
  static const ContractionKind kind(tx::kinds::contraction);
  return kind;
}

//===----------------------------------------------------------------------===//
// The product, and the order in which its result is stored
//===----------------------------------------------------------------------===//

/// Returns, for each dim of the value, the group's dim that indexes it. Returns
/// nullopt if the group reads the value at several indices, only partly, or at
/// indices that are not plain dims.
static std::optional<SmallVector<unsigned>>
findOrder(const Group &group, Value value, RuleContext &context) {
  auto it = group.reads.find(value);
  if (it == group.reads.end() || it->second.size() != 1 ||
      it->second[0].size() != group.shape.size())
    return std::nullopt;
  SmallVector<AffineExpr> sizes =
      context.names.dims(cast<RankedTensorType>(value.getType()));
  SmallVector<unsigned> order;
  for (auto [e, size] : llvm::zip(it->second[0], sizes)) {
    auto dim = dyn_cast<AffineDimExpr>(e);
    if (!dim || llvm::is_contained(order, dim.getPosition()) ||
        group.shape[dim.getPosition()] != size)
      return std::nullopt;
    order.push_back(dim.getPosition());
  }
  return order;
}

/// Returns the range [first, last) of the result's dims that are rows.
static std::pair<size_t, size_t> rowDims(tx::DotGeneralOp dot) {
  size_t batch = dot.getXBatch().size();
  return {batch, dot.getX().getType().getRank() - dot.getXContracting().size()};
}

std::optional<int64_t> countFree(Value operand, ArrayRef<int64_t> batch,
                                 ArrayRef<int64_t> summed) {
  auto type = cast<RankedTensorType>(operand.getType());
  int64_t count = 1;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (llvm::is_contained(batch, d) || llvm::is_contained(summed, d))
      continue;
    if (type.isDynamicDim(d))
      return std::nullopt;
    count *= type.getDimSize(d);
  }
  return count;
}

bool isOfColumnBlocks(tx::DotGeneralOp dot) {
  RankedTensorType y = dot.getY().getType();
  if (shape::areColumnWords(y.getShape(), dot.getYBatch(),
                            dot.getYContracting()))
    return true;
  int64_t last = y.getRank() - 1;
  return dot.getYBatch().empty() && last >= 2 && !y.isDynamicDim(last) &&
         llvm::is_contained({8, 16, 32, 64}, y.getDimSize(last)) &&
         llvm::equal(dot.getYContracting(), llvm::seq<int64_t>(1, last));
}

/// Rejects the fusion unless stores in this order are contiguous along rows or
/// columns. On a CPU they must be contiguous along the innermost columns, which
/// are the vector lanes, unless y is packed in blocks of columns.
static Refusal checkOrder(const Group &group, tx::DotGeneralOp dot,
                          ArrayRef<unsigned> order, RuleContext &context) {
  AffineExpr one = context.names.constant(1);
  for (unsigned d = group.shape.size(); d-- > 0;) {
    if (group.shape[d] == one)
      continue;
    size_t i = llvm::find(order, d) - order.begin();
    auto [batch, columns] = rowDims(dot);
    if (i < batch)
      return "its batches are stored innermost";
    bool isLast = i >= columns &&
                  llvm::all_of(order.drop_front(i + 1), [&](unsigned inner) {
                    return group.shape[inner] == one;
                  });
    return context.onGrid() || isLast || isOfColumnBlocks(dot)
               ? ""
               : "its rows are stored innermost";
  }
  return {};
}

Refusal ContractionKind::check(const Group &group, Operation *op,
                               RuleContext &context) const {
  Value result = op->getResult(0);
  Refusal refusal = checkReadElementwise(group, result, context);
  if (refusal.empty())
    return refusal;
  auto order = findOrder(group, result, context);
  return order ? checkOrder(group, cast<tx::DotGeneralOp>(op), *order, context)
               : refusal;
}

void ContractionKind::reorder(Group &group, Value result,
                              RuleContext &context) {
  std::optional<SmallVector<unsigned>> order =
      findOrder(group, result, context);
  if (!order)
    return;
  Index dims = group.space(context.names).identity(), moved(dims.size());
  for (auto [i, d] : llvm::enumerate(*order))
    moved[d] = dims[i];
  for (auto &[value, indices] : group.reads)
    for (Index &index : indices)
      for (AffineExpr &e : index)
        e = e.replaceDims(moved);
  group.shape = context.names.dims(cast<RankedTensorType>(result.getType()));
}

bool ContractionKind::join(Group &group, Operation *op,
                           RuleContext &context) const {
  auto dot = cast<tx::DotGeneralOp>(op);
  reorder(group, dot.getResult(), context);
  group.kind = this;
  group.resultRank = group.shape.size();
  SmallVector<AffineExpr> x = context.names.dims(dot.getX().getType());
  for (int64_t d : dot.getXContracting())
    group.shape.push_back(x[d]);
  Index all = group.space(context.names).identity();
  unsigned batch = dot.getXBatch().size();
  unsigned nextFree = batch;
  auto read = [&](Value operand, ArrayRef<int64_t> batchDims,
                  ArrayRef<int64_t> sumDims) {
    Index index(cast<RankedTensorType>(operand.getType()).getRank());
    for (auto [i, d] : llvm::enumerate(batchDims))
      index[d] = all[i];
    for (auto [i, d] : llvm::enumerate(sumDims))
      index[d] = all[group.resultRank + i];
    for (AffineExpr &e : index)
      if (!e)
        e = all[nextFree++];
    group.addRead(operand, index);
  };
  read(dot.getX(), dot.getXBatch(), dot.getXContracting());
  read(dot.getY(), dot.getYBatch(), dot.getYContracting());
  return true;
}

//===----------------------------------------------------------------------===//
// Prologue and epilogue
//===----------------------------------------------------------------------===//

bool ContractionKind::isRepeated(const Group &group, const Index &index) const {
  unsigned rank = group.shape.size();
  return llvm::any_of(llvm::seq(group.resultRank, rank),
                      [&](unsigned d) { return dependsOn(index, d); });
}

/// True if the op is computed from a contraction that satisfies `product`,
/// through ops that satisfy `isPartOfOne`. Searches at most `depth` levels of
/// producers.
static bool isEpilogueOf(Operation *op,
                         llvm::function_ref<bool(tx::DotGeneralOp)> product,
                         llvm::function_ref<bool(Operation *)> isPartOfOne) {
  static constexpr int depth = 8;
  SmallVector<Operation *> level{op};
  for (int i = 0; i < depth && !level.empty(); ++i) {
    SmallVector<Operation *> next;
    for (Operation *user : level)
      for (Value operand : user->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (auto dot = dyn_cast_or_null<tx::DotGeneralOp>(producer);
            dot && product(dot))
          return true;
        if (producer && isPartOfOne(producer))
          next.push_back(producer);
      }
    level = std::move(next);
  }
  return false;
}

bool isEpilogue(Operation *op) {
  return isEpilogueOf(
      op, [](tx::DotGeneralOp) { return true; },
      [](Operation *part) {
        return part->hasTrait<tx::Elementwise>() ||
               isa<tx::TransposeOp, tx::ReshapeOp>(part);
      });
}

bool isEpilogueOfTransposed(Operation *op) {
  auto isPart = [](Operation *part) {
    return part->hasTrait<tx::Elementwise>() || isa<tx::TransposeOp>(part);
  };
  auto isTransposed = [](tx::DotGeneralOp dot) {
    return isOfColumnBlocks(dot) &&
           llvm::any_of(dot->getUsers(), llvm::IsaPred<tx::TransposeOp>);
  };
  return isPart(op) && isEpilogueOf(op, isTransposed, isPart);
}

/// True if a CPU kernel would recompute the value that is read at the index for
/// each tile of columns. This is the case for prologues of x, which is read one
/// element at a time. A prologue of y is computed once, when its panel is
/// packed.
static bool isRepeatedPerColumns(const Group &group, const Index &index) {
  auto dot = llvm::find_if(group.ops, llvm::IsaPred<tx::DotGeneralOp>);
  if (dot == group.ops.end())
    return false;
  auto [begin, end] = rowDims(cast<tx::DotGeneralOp>(*dot));
  auto dependsOnAny = [&](unsigned from, unsigned to) {
    return llvm::any_of(llvm::seq(from, to),
                        [&](unsigned d) { return dependsOn(index, d); });
  };
  int64_t columns = 1;
  for (unsigned d = end; d < group.resultRank; ++d) {
    auto size = dyn_cast<AffineConstantExpr>(group.shape[d]);
    columns *= size ? size.getValue() : tileColumns + 1;
  }
  return columns > tileColumns && dependsOnAny(begin, end) &&
         !dependsOnAny(end, group.resultRank);
}

/// True if the op is computed only from constants and indices, by cheap ops.
static bool readsNothing(Operation *op) {
  if (isa<tx::ConstantOp, tx::IotaOp>(op))
    return true;
  return (isa<tx::BroadcastOp>(op) || op->hasTrait<tx::Elementwise>()) &&
         !isExpensive(op) && llvm::all_of(op->getOperands(), [](Value operand) {
           Operation *producer = operand.getDefiningOp();
           return producer && readsNothing(producer);
         });
}

/// True for a contraction of numbers of tf32. If they are in memory, they are
/// copied asynchronously. Rounding takes more ops than fit in a prologue.
static bool isOfTF32(Operation *op) {
  return isa<tx::DotGeneralOp>(op) && op->hasAttr(tx::tf32Attr);
}

/// True if a CPU kernel can reuse the value that is read at the index for many
/// K steps. Such a value does not depend on the innermost reduction dim; the
/// scales of quantized groups are an example.
static bool isAlikeForSteps(const Group &group, const Index &index) {
  unsigned last = group.shape.size() - 1;
  auto steps = dyn_cast<AffineConstantExpr>(group.shape[last]);
  return steps && steps.getValue() >= minStepsForPrologue &&
         !dependsOn(index, last);
}

Refusal ContractionKind::checkAround(const Group &group, Operation *op,
                                     RuleContext &context) const {
  auto isInPrologue = [&](Operation *op) {
    auto it = group.reads.find(op->getResult(0));
    return it != group.reads.end() &&
           llvm::any_of(it->second, [&](const Index &index) {
             return isRepeated(group, index);
           });
  };
  if (!isInPrologue(op))
    return {};
  bool branches =
      isa<tx::ConcatenateOp, tx::DynamicUpdateSliceOp, tx::DivOp>(op) ||
      (isa<tx::PadOp>(op) && !context.onGrid());
  if (isExpensive(op) || branches)
    return "it would be computed again for every tile of the contraction";
  if (op->hasTrait<tx::Elementwise>() && !isa<tx::ConvertOp>(op) &&
      llvm::any_of(group.ops, isOfTF32))
    return "operands that are rounded to tf32 are copied to the contraction";
  if (op->hasTrait<tx::Elementwise>() && isEpilogue(op))
    return "it is the epilogue of another contraction";
  if (op->hasTrait<tx::Elementwise>() && !isFree(op) && !context.onGrid() &&
      llvm::any_of(group.reads.lookup(op->getResult(0)),
                   [&](const Index &index) {
                     return isRepeatedPerColumns(group, index);
                   }))
    return "it would be computed again for every tile of columns";
  // These ops are free: a broadcast only drops indices, and a conversion is
  // part of loading a narrow type.
  auto costsNothing = [&](Operation *op) {
    return isa<tx::BroadcastOp, tx::ConvertOp>(op) || readsNothing(op) ||
           (!context.onGrid() &&
            llvm::all_of(group.reads.lookup(op->getResult(0)),
                         [&](const Index &index) {
                           return isAlikeForSteps(group, index);
                         }));
  };
  bool computes = op->hasTrait<tx::Elementwise>();
  size_t prologue = llvm::count_if(group.ops, [&](Operation *other) {
    return isInPrologue(other) && !costsNothing(other) &&
           other->hasTrait<tx::Elementwise>() == computes;
  });
  if (!costsNothing(op) && prologue >= maxPrologueOps)
    return "the contraction's operand is computed by " +
           std::to_string(maxPrologueOps) + " ops already";
  // Operands must remain contiguous along their last dim.
  auto slice = dyn_cast<tx::SliceOp>(op);
  if (slice && !context.onGrid() && slice.getStrides().back() > 1)
    return "a contraction reads its operand without gaps";
  auto transpose = dyn_cast<tx::TransposeOp>(op);
  if (transpose && !context.onGrid() && !transpose.getPermutation().empty() &&
      transpose.getPermutation().back() != transpose.getType().getRank() - 1)
    return "a contraction reads its operand along rows";
  return {};
}

} // namespace tensorc::compiler
