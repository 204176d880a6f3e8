//===- SplitRegion.cpp - Ops that can compute a batch in parts ------------===//

#include "compiler/transforms/sharding/SplitRegion.h"

#include "compiler/transforms/sharding/ShardingRule.h"
#include "ir/tx/Structure.h"

using namespace mlir;

namespace tensorc::compiler::sharding {

/// Alignment of buffers, on which kernels rely. Parts begin at multiples of it.
static constexpr int64_t partAlignment = 64;
/// Minimum size of a part. Dims of size 1 have other kernels.
static constexpr int64_t minPartSize = 2;
/// Maximum number of parts that are copied. Each copy is a kernel of its own.
static constexpr int64_t maxCopiedParts = 8;

static int64_t dimOf(const SplitDims &dims, Value value) {
  auto found = dims.find(value);
  return found == dims.end() ? -1 : found->second;
}

/// Finds the loop of the op that the dims of its values split. Returns nullopt
/// if they split a dim without a loop, or several loops.
static std::optional<int64_t>
splitLoopOf(Operation *op, const ShardingRule &rule, const SplitDims &dims) {
  int64_t loop = -1;
  auto find = [&](ValueRange values, ArrayRef<SmallVector<int64_t>> loops) {
    for (auto [value, list] : llvm::zip_equal(values, loops)) {
      int64_t dim = dimOf(dims, value);
      if (dim < 0)
        continue;
      if (list[dim] < 0 || (loop >= 0 && loop != list[dim]))
        return false;
      loop = list[dim];
    }
    return true;
  };
  if (!find(op->getOperands(), rule.operands) ||
      !find(op->getResults(), rule.results))
    return std::nullopt;
  return loop;
}

/// Adds the dims of the op's values that the known dims imply. Returns false if
/// the op cannot be split so.
static bool extend(Operation *op, const ShardingRule &rule, int64_t parts,
                   SplitDims &dims, bool &changes) {
  std::optional<int64_t> loop = splitLoopOf(op, rule, dims);
  if (!loop)
    return false;
  if (*loop < 0)
    return true;
  const ShardingRule::Loop &split = rule.loops[*loop];
  if (split.combiner || split.size % parts != 0 ||
      split.size / parts < minPartSize)
    return false;
  auto add = [&](ValueRange values, ArrayRef<SmallVector<int64_t>> loops) {
    for (auto [value, list] : llvm::zip_equal(values, loops)) {
      int64_t dim = ShardingRule::dimOf(list, *loop);
      if (dim != dimOf(dims, value)) {
        if (dims.contains(value))
          return false;
        dims[value] = dim;
        changes = true;
      }
    }
    return true;
  };
  return add(op->getOperands(), rule.operands) &&
         add(op->getResults(), rule.results);
}

/// Adds the dims of all values of the ops that the known dims imply. Returns
/// false if an op cannot be split so.
static bool extendAll(ArrayRef<Operation *> ops, int64_t parts,
                      SplitDims &dims) {
  auto rules = llvm::map_to_vector(ops, shardingRuleOf);
  for (bool changes = true; changes;) {
    changes = false;
    for (auto [op, rule] : llvm::zip_equal(ops, rules))
      if (!extend(op, rule, parts, dims, changes))
        return false;
  }
  return true;
}

static SplitDims extendInside(tx::FusionOp fusion, const SplitOp &known,
                              int64_t parts, bool &isPossible) {
  Block &body = fusion.getBody().front();
  SplitDims dims;
  isPossible = true;
  auto seed = [&](ValueRange values, ArrayRef<int64_t> split) {
    for (auto [value, dim] : llvm::zip_equal(values, split))
      if (dim >= 0)
        isPossible &= dims.try_emplace(value, dim).first->second == dim;
  };
  seed(body.getArguments(), known.operands);
  seed(body.getTerminator()->getOperands(), known.results);
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  isPossible = isPossible && extendAll(ops, parts, dims);
  return dims;
}

/// Returns how the op is split if its values are split along the known dims.
/// Returns nullopt if it cannot be split, or if a part of it would compute a
/// result as a whole.
static std::optional<SplitOp> splitOf(Operation *op, const SplitDims &known,
                                      int64_t parts) {
  auto dimsOf = [](ValueRange values, const SplitDims &dims) {
    return llvm::map_to_vector(values,
                               [&](Value value) { return dimOf(dims, value); });
  };
  SplitOp split{dimsOf(op->getOperands(), known),
                dimsOf(op->getResults(), known)};
  if (auto fusion = dyn_cast<tx::FusionOp>(op)) {
    // Fusions that were split before have no schedule yet.
    if (!fusion.getSchedule())
      return std::nullopt;
    bool isPossible = false;
    SplitDims dims = extendInside(fusion, split, parts, isPossible);
    if (!isPossible)
      return std::nullopt;
    Block &body = fusion.getBody().front();
    split = {dimsOf(body.getArguments(), dims),
             dimsOf(body.getTerminator()->getOperands(), dims)};
  } else if (isa<tx::ReshapeOp>(op)) {
    SplitDims dims = known;
    if (!extendAll(op, parts, dims))
      return std::nullopt;
    split = {dimsOf(op->getOperands(), dims), dimsOf(op->getResults(), dims)};
  } else {
    return std::nullopt;
  }
  if (llvm::is_contained(split.results, -1))
    return std::nullopt;
  return split;
}

bool SplitRegion::isUsedOutside(Value value) const {
  return llvm::any_of(value.getUsers(),
                      [&](Operation *user) { return !contains(user); });
}

SmallVector<Operation *> SplitRegion::ops() const {
  SmallVector<Operation *> list;
  for (Operation &op : *block)
    if (contains(&op))
      list.push_back(&op);
  return list;
}

SplitDims SplitRegion::dimsInside(Operation *fusion) const {
  bool isPossible = false;
  return extendInside(cast<tx::FusionOp>(fusion), split(fusion), numParts,
                      isPossible);
}

/// Adds all ops that are connected with the value by split values.
void SplitRegion::grow(Value value, int64_t dim) {
  SplitDims dims;
  SmallVector<Operation *> pending;
  auto add = [&](Value value, int64_t dim) {
    if (dim < 0 || !dims.try_emplace(value, dim).second)
      return;
    if (Operation *op = value.getDefiningOp())
      pending.push_back(op);
    llvm::append_range(pending, value.getUsers());
  };
  add(value, dim);
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (contains(op) || op->getBlock() != block)
      continue;
    std::optional<SplitOp> split = splitOf(op, dims, numParts);
    if (!split)
      continue;
    members[op] = *split;
    for (auto [operand, dim] :
         llvm::zip_equal(op->getOperands(), split->operands))
      add(operand, dim);
    for (auto [result, dim] : llvm::zip_equal(op->getResults(), split->results))
      add(result, dim);
  }
}

/// Removes the ops that depend on the op `kept` by way of an op outside the
/// region, or on which it depends so.
void SplitRegion::keepLevelOf(Operation *kept) {
  DenseMap<Operation *, unsigned> levels;
  for (Operation &op : block->without_terminator()) {
    unsigned level = 0;
    for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
      Operation *source = operand.getDefiningOp();
      if (!source)
        continue;
      unsigned number = cast<OpResult>(operand).getResultNumber();
      bool isSplitAlike =
          contains(&op) && contains(source) &&
          split(&op).operands[i] == split(source).results[number];
      bool leaves = contains(source) && !isSplitAlike;
      level = std::max(level, levels.lookup(source) + (leaves ? 1 : 0));
    }
    levels[&op] = level;
  }
  for (Operation *op : ops())
    if (levels.lookup(op) != levels.lookup(kept))
      members.erase(op);
}

/// True if the value has elements, they have addresses, and their number is known.
static bool hasWholeElements(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Type element = type.getElementType();
  if (!element.isIntOrFloat() || !type.hasStaticShape() ||
      type.getNumElements() == 0)
    return false;
  unsigned width = element.getIntOrFloatBitWidth();
  return width == 1 || width % 8 == 0;
}

bool SplitRegion::copiesParts(Value value, int64_t dim) const {
  auto type = cast<RankedTensorType>(value.getType());
  bool isOutermost = llvm::all_of(type.getShape().take_front(dim),
                                  [](int64_t size) { return size == 1; });
  unsigned width = type.getElementType().getIntOrFloatBitWidth();
  int64_t bytes = type.getNumElements() * llvm::divideCeil(width, 8) / numParts;
  return !isOutermost || bytes % partAlignment != 0;
}

/// True if the op can exchange its parts with ops outside the region. The
/// result of a reshape is not used outside, because only a kernel can write its
/// result to a part of a buffer.
bool SplitRegion::hasValidBorder(Operation *op) const {
  auto isValid = [&](Value value, int64_t dim) {
    return hasWholeElements(value) &&
           (numParts <= maxCopiedParts || !copiesParts(value, dim));
  };
  const SplitOp &own = split(op);
  for (auto [operand, dim] : llvm::zip_equal(op->getOperands(), own.operands))
    if (dim >= 0 && !contains(operand.getDefiningOp()) &&
        !isValid(operand, dim))
      return false;
  for (auto [result, dim] : llvm::zip_equal(op->getResults(), own.results))
    if (isUsedOutside(result) &&
        (isa<tx::ReshapeOp>(op) || !isValid(result, dim)))
      return false;
  return true;
}

/// Removes ops until the region is valid. Returns false if it loses the op `kept`.
bool SplitRegion::narrow(Operation *kept) {
  for (bool changes = true; changes;) {
    if (!contains(kept))
      return false;
    keepLevelOf(kept);
    changes = false;
    for (Operation *op : ops())
      if (!hasValidBorder(op)) {
        members.erase(op);
        changes = true;
      }
  }
  return true;
}

std::optional<SplitRegion> SplitRegion::find(Value value, int64_t dim,
                                             int64_t parts) {
  Operation *source = value.getDefiningOp();
  SplitRegion region(*source->getBlock(), parts);
  region.grow(value, dim);
  if (!region.narrow(source))
    return std::nullopt;
  return region;
}

std::optional<SplitRegion> SplitRegion::upTo(Operation *last,
                                             Value value) const {
  SplitRegion region(*this);
  for (Operation *op : ops())
    if (last->isBeforeInBlock(op))
      region.members.erase(op);
  if (!region.narrow(value.getDefiningOp()))
    return std::nullopt;
  return region;
}

} // namespace tensorc::compiler::sharding
