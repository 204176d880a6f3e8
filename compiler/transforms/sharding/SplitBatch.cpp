//===- SplitBatch.cpp - Computes a batch in parts to save memory ----------===//
//
//   %h = tx.fusion "contraction" (%x, %w)       : 512x64 -> 512x8192
//   %y = tx.fusion "contraction" (%h, %v)       : 512x8192 -> 512x10
// becomes, with two parts,
//   %x0 = tx.slice %x offsets = [0, 0]          : 512x64 -> 256x64
//   %h0 = tx.fusion "contraction" (%x0, %w)     : 256x64 -> 256x8192
//   %y0 = tx.fusion "contraction" (%h0, %v)     : 256x8192 -> 256x10
//   %x1 = tx.slice %x offsets = [256, 0]
//   %h1, %y1 = ...
//   %y = tx.concatenate %y0, %y1 dim = 0        : 256x10, 256x10 -> 512x10
// The slices and the concatenation copy nothing: tx-emit-program makes them
// views of the whole buffers. If the parts are not contiguous, each of these ops
// is a fusion that copies. Fusions keep their order, so that the results have
// the same bits. Ops between those of the region move after it if it does not
// need them, so custom calls keep their order only if values connect them. The
// bodies of loops are split in the same way.
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/TensorProgram.h"
#include "compiler/transforms/sharding/Passes.h"
#include "compiler/transforms/sharding/ShardingRule.h"
#include "compiler/transforms/sharding/SplitRegion.h"
#include "ir/tx/Control.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Structure.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

#include <cmath>

using namespace mlir;

namespace tensorc::compiler {

#define GEN_PASS_DEF_SPLITBATCHPASS
#include "compiler/transforms/sharding/Passes.h.inc"

using sharding::SplitDims;
using sharding::SplitRegion;

/// Maximum number of regions that are split. Each was at the peak when it was
/// split.
static constexpr unsigned maxRegions = 8;
/// Number of values at the peak from which a region is searched, largest first.
static constexpr size_t maxTriedValues = 4;
/// A region is also tried without its last eighth, two eighths and so on.
static constexpr size_t triedEnds = 8;
/// Maximum number of ops of all parts of a region, which bounds the time to
/// compile them.
static constexpr size_t maxOpsOfRegion = 2000;

namespace {
/// The order of a block's ops: those before a region, the region, and those
/// after it.
struct SplitOrder {
  SmallVector<Operation *> before, inside, after;
};

/// The maximum number of bytes that are in use at once, without arguments,
/// results and constants, and the values in use at that point.
struct Peak {
  int64_t bytes = 0;
  SmallVector<Value> values;
};
} // namespace

/// Ops that the region does not need stay after it, because packed weights of
/// later layers would be live during the region.
static SplitOrder orderAround(Block &block, const SplitRegion &region) {
  DenseSet<Operation *> needed;
  for (Operation &op : llvm::reverse(block.without_terminator()))
    if (region.contains(&op) || needed.contains(&op))
      for (Value operand : op.getOperands())
        needed.insert(operand.getDefiningOp());
  SplitOrder order;
  for (Operation &op : block.without_terminator()) {
    if (region.contains(&op))
      order.inside.push_back(&op);
    else if (order.inside.empty() || needed.contains(&op))
      order.before.push_back(&op);
    else
      order.after.push_back(&op);
  }
  return order;
}

/// Appends the users of a value and of the views of it.
static void collectUsers(Value value, SmallVectorImpl<Operation *> &users) {
  for (Operation *user : value.getUsers()) {
    users.push_back(user);
    if (isa<tx::ReshapeOp, tx::ReinterpretOp>(user))
      collectUsers(user->getResult(0), users);
  }
}

static int64_t bytesOf(Value value) {
  return tx::bytesOf(cast<RankedTensorType>(value.getType())).constant();
}

/// Returns the maximum number of bytes of copied parts that are in use at once
/// in the region.
static int64_t copiedBytes(const SplitRegion &region) {
  int64_t bytes = 0;
  DenseSet<std::pair<Value, int64_t>> slices;
  for (Operation *op : region.ops()) {
    const sharding::SplitOp &split = region.split(op);
    for (auto [operand, dim] :
         llvm::zip_equal(op->getOperands(), split.operands))
      if (dim >= 0 && !region.contains(operand.getDefiningOp()) &&
          region.copiesParts(operand, dim) &&
          slices.insert({operand, dim}).second)
        bytes += bytesOf(operand) / region.parts();
    for (auto [result, dim] : llvm::zip_equal(op->getResults(), split.results))
      if (region.isUsedOutside(result) && region.copiesParts(result, dim))
        bytes += bytesOf(result);
  }
  return bytes;
}

/// Returns the peak of the block if the region, if any, is computed in parts.
static Peak peakOf(Block &block, const SplitRegion *region) {
  SplitOrder order;
  if (region)
    order = orderAround(block, *region);
  else
    for (Operation &op : block.without_terminator())
      order.before.push_back(&op);
  DenseMap<Operation *, unsigned> positions;
  for (auto *list : {&order.before, &order.inside, &order.after})
    for (Operation *op : *list)
      positions.insert({op, positions.size()});
  auto firstInside = static_cast<unsigned>(order.before.size());
  unsigned lastInside = firstInside + order.inside.size() - 1;
  struct Use {
    Value value;
    int64_t bytes;
    unsigned begin, end;
  };
  SmallVector<Use> uses;
  std::vector<int64_t> live(positions.size() + 1);
  auto inOrder =
      llvm::concat<Operation *>(order.before, order.inside, order.after);
  for (Operation *op : inOrder) {
    unsigned position = positions.lookup(op);
    if (isa<tx::ReshapeOp, tx::ReinterpretOp, tx::ConstantOp>(op))
      continue;
    for (Value value : op->getResults()) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      SmallVector<Operation *> users;
      collectUsers(value, users);
      if (!type || !tx::bytesOf(type).isNumber() ||
          llvm::is_contained(users, block.getTerminator()))
        continue;
      Use use{value, tx::bytesOf(type).constant(), position, position};
      bool isInside = region && region->contains(op);
      bool staysInside = isInside;
      for (Operation *user : users) {
        use.end = std::max(use.end, positions.lookup(user));
        staysInside = staysInside && region->contains(user);
      }
      if (staysInside)
        use.bytes /= region->parts();
      else if (isInside)
        use.begin = firstInside;
      if (region && !staysInside && use.begin <= lastInside &&
          use.end >= firstInside)
        use.end = std::max(use.end, lastInside);
      live[use.begin] += use.bytes;
      live[use.end + 1] -= use.bytes;
      uses.push_back(use);
    }
  }
  if (region) {
    int64_t copied = copiedBytes(*region);
    live[firstInside] += copied;
    live[lastInside + 1] -= copied;
  }
  for (size_t i = 1; i < live.size(); ++i)
    live[i] += live[i - 1];
  auto at = static_cast<unsigned>(llvm::max_element(live) - live.begin());
  llvm::sort(uses, [](const Use &a, const Use &b) {
    return std::tuple(-a.bytes, a.begin, a.end) <
           std::tuple(-b.bytes, b.begin, b.end);
  });
  Peak peak{live[at], {}};
  for (const Use &use : uses)
    if (use.begin <= at && use.end >= at)
      peak.values.push_back(use.value);
  return peak;
}

static RankedTensorType partType(Value value, int64_t dim, int64_t parts) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> sizes(type.getShape());
  sizes[dim] /= parts;
  return type.clone(sizes);
}

namespace {
/// Replaces the ops of a region by one copy for each part.
class RegionSplitter {
public:
  explicit RegionSplitter(const SplitRegion &region)
      : region(region), ops(region.ops()), b(ops.back()->getContext()) {}

  /// Returns the first fusion of the first part.
  tx::FusionOp run();

private:
  Operation *copy(Operation *op, int64_t part);
  Value copied(Operation *op);
  void shrink(tx::FusionOp fusion, tx::FusionOp whole);
  Value slice(Value value, int64_t dim, int64_t part);

  const SplitRegion &region;
  SmallVector<Operation *> ops;
  OpBuilder b;
  /// The values of the current part, and its slices of values from outside.
  IRMapping mapping;
  DenseMap<std::pair<Value, int64_t>, Value> slices;
};
} // namespace

/// Makes a fusion of an op that was just created, which then copies its
/// operands.
Value RegionSplitter::copied(Operation *op) {
  auto fusion =
      tx::FusionOp::create(b, op->getLoc(), op->getResultTypes(), "loop",
                           op->getName().stripDialect(), op->getOperands(),
                           ArrayAttr(), tx::OrderAttr(), tx::ScheduleAttr());
  Block &body = fusion.getBody().emplaceBlock();
  for (OpOperand &operand : op->getOpOperands())
    operand.set(body.addArgument(operand.get().getType(), op->getLoc()));
  op->moveBefore(&body, body.end());
  OpBuilder inside = OpBuilder::atBlockEnd(&body);
  tx::YieldOp::create(inside, op->getLoc(), op->getResults());
  return fusion.getResult(0);
}

Value RegionSplitter::slice(Value value, int64_t dim, int64_t part) {
  Value &known = slices[{value, dim}];
  if (known)
    return known;
  RankedTensorType type = partType(value, dim, region.parts());
  SmallVector<int64_t> offsets(type.getRank(), 0), strides(type.getRank(), 1);
  offsets[dim] = part * type.getDimSize(dim);
  auto op = tx::SliceOp::create(b, value.getLoc(), type, value, ValueRange(),
                                offsets, strides);
  if (region.copiesParts(value, dim))
    return known = copied(op);
  op->setAttr(splitAttr, b.getUnitAttr());
  return known = op;
}

/// Gives the values inside the fusion the sizes of a part.
void RegionSplitter::shrink(tx::FusionOp fusion, tx::FusionOp whole) {
  SplitDims dims = region.dimsInside(whole);
  auto shrinkEach = [&](auto wholes, auto values) {
    bool shrinks = false;
    for (auto [old, value] : llvm::zip_equal(wholes, values))
      if (auto found = dims.find(old); found != dims.end()) {
        value.setType(partType(value, found->second, region.parts()));
        shrinks = true;
      }
    return shrinks;
  };
  Block &from = whole.getBody().front(), &to = fusion.getBody().front();
  shrinkEach(from.getArguments(), to.getArguments());
  for (auto [old, op] : llvm::zip_equal(from, to))
    if (shrinkEach(old.getResults(), op.getResults()))
      sharding::setLocalSizes(&op);
}

Operation *RegionSplitter::copy(Operation *op, int64_t part) {
  const sharding::SplitOp &split = region.split(op);
  SmallVector<Value> operands;
  for (auto [operand, dim] : llvm::zip_equal(op->getOperands(), split.operands))
    operands.push_back(dim < 0 ? operand
                       : region.contains(operand.getDefiningOp())
                           ? mapping.lookup(operand)
                           : slice(operand, dim, part));
  Operation *made = b.clone(*op, mapping);
  made->setOperands(operands);
  for (auto [result, dim] : llvm::zip_equal(made->getResults(), split.results))
    result.setType(partType(result, dim, region.parts()));
  if (auto fusion = dyn_cast<tx::FusionOp>(made)) {
    shrink(fusion, cast<tx::FusionOp>(op));
    fusion.removeScheduleAttr();
  }
  return made;
}

tx::FusionOp RegionSplitter::run() {
  SplitOrder order = orderAround(*ops.back()->getBlock(), region);
  // In this order, no op is moved before one on which it depends.
  Operation *last = ops.back();
  for (Operation *op : order.after)
    if (op->isBeforeInBlock(ops.back())) {
      op->moveAfter(last);
      last = op;
    }
  b.setInsertionPointAfter(ops.back());
  tx::FusionOp first;
  llvm::MapVector<Value, SmallVector<Value>> joined;
  for (int64_t part = 0; part < region.parts(); ++part) {
    mapping.clear();
    slices.clear();
    for (Operation *op : ops) {
      Operation *made = copy(op, part);
      if (!first)
        first = dyn_cast<tx::FusionOp>(made);
      for (auto [result, own] :
           llvm::zip_equal(op->getResults(), made->getResults()))
        if (region.isUsedOutside(result))
          joined[result].push_back(own);
    }
  }
  for (auto &[result, parts] : joined) {
    unsigned number = cast<OpResult>(result).getResultNumber();
    int64_t dim = region.split(result.getDefiningOp()).results[number];
    auto joined = tx::ConcatenateOp::create(b, result.getLoc(),
                                            result.getType(), parts, dim);
    Value whole = joined;
    if (region.copiesParts(result, dim))
      whole = copied(joined);
    else
      joined->setAttr(splitAttr, b.getUnitAttr());
    result.replaceUsesWithIf(whole, [&](OpOperand &use) {
      return !region.contains(use.getOwner());
    });
  }
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  return first;
}

namespace {
struct SplitBatch final : impl::SplitBatchPassBase<SplitBatch> {
  using SplitBatchPassBase::SplitBatchPassBase;

  void runOnOperation() override {
    if (parts < 2 || !getOperation().getBody().hasOneBlock())
      return;
    SmallVector<Block *> blocks = {&getOperation().getBody().front()};
    getOperation().walk([&](Operation *op) {
      if (isa<tx::ScanOp, tx::WhileOp>(op))
        for (Region &region : op->getRegions())
          blocks.push_back(&region.front());
    });
    for (Block *block : blocks)
      for (unsigned i = 0; i < maxRegions && splitAtPeak(*block); ++i) {
      }
  }

private:
  /// Splits the region that makes the peak smallest. Returns false if there is
  /// none.
  bool splitAtPeak(Block &block) {
    Peak peak = peakOf(block, nullptr);
    std::optional<SplitRegion> best;
    int64_t bestBytes = peak.bytes;
    auto consider = [&](SplitRegion region) {
      if (region.ops().size() * parts > maxOpsOfRegion)
        return;
      int64_t bytes = peakOf(block, &region).bytes;
      if (bytes < bestBytes) {
        best = std::move(region);
        bestBytes = bytes;
      }
    };
    SmallVector<std::pair<Value, SplitRegion>> regions;
    for (Value value : ArrayRef(peak.values).take_front(maxTriedValues)) {
      int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
      for (int64_t dim = 0; dim < rank; ++dim)
        if (auto region = SplitRegion::find(value, dim, parts)) {
          consider(*region);
          regions.push_back({value, std::move(*region)});
        }
    }
    // All ops that a region needs move before it. If these are the packed
    // weights of a whole network, a shorter region may save more.
    for (auto &[value, region] : regions) {
      SmallVector<Operation *> ops = region.ops();
      for (size_t i = 1; i < triedEnds; ++i)
        if (auto shorter = region.upTo(ops[ops.size() * i / triedEnds], value))
          consider(std::move(*shorter));
    }
    if (!best)
      return false;
    auto fusions = llvm::count_if(best->ops(), llvm::IsaPred<tx::FusionOp>);
    double microseconds = fusions * (parts - 1) * launchMicroseconds;
    tx::FusionOp first = RegionSplitter(*best).run();
    Builder b(&getContext());
    first->setAttr(
        splitAttr,
        b.getDictionaryAttr(
            {b.getNamedAttr("decision", b.getStringAttr("split")),
             b.getNamedAttr("parts", b.getI64IntegerAttr(parts)),
             b.getNamedAttr("bytes",
                            b.getI64IntegerAttr(peak.bytes - bestBytes)),
             b.getNamedAttr(
                 "microseconds",
                 b.getF64FloatAttr(std::round(microseconds * 10) / 10))}));
    return true;
  }
};
} // namespace

} // namespace tensorc::compiler
