//===- ColumnReads.cpp - Memory layout of y -------------------------------===//

#include "codegen/emitters/simd/contraction/parts/ColumnReads.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/TransposedBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

int64_t bytesOf(Value v) {
  Type type = kernelType(getElementTypeOrSelf(v.getType()));
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

int64_t bytesOfY(ContractionPlan &plan) { return bytesOf(plan.operandY()); }

bool walkMemory(ContractionPlan &plan, Value v, const Index &index,
                const analysis::IterationSpace &space, MemoryRead onRead) {
  bool isGuarded = false;
  analysis::walkReads(
      v, index, space, [&](Value s) { return plan.kernel.symbolOf(s); },
      [](Value) { return false; },
      [&](Value read, const Index &at) {
        auto input = dyn_cast<BlockArgument>(read);
        if (input && !plan.kernel.isScalar(input))
          onRead(input, at, space.linearize(at, plan.kernel.dims(input)));
      },
      [&](const analysis::Guard &) { isGuarded = true; });
  return !isGuarded;
}

bool walkReadsAlong(ContractionPlan &plan,
                    const analysis::IterationSpace &space, const Index &index,
                    unsigned laneLoop, unsigned kLoop, MemoryRead onRead) {
  return walkMemory(
      plan, plan.operandY(), index, space,
      [&](BlockArgument input, const Index &at, AffineExpr position) {
        if (position.isFunctionOfDim(laneLoop) &&
            position.isFunctionOfDim(kLoop))
          onRead(input, at, position);
      });
}

analysis::IterationSpace
spaceOfBlocks(ContractionPlan &plan, const ColumnReads &reads, int64_t steps) {
  SmallVector<AffineExpr> sizes(reads.space->getSizes());
  AffineExpr &inner = sizes[reads.kLoops.back()];
  inner = plan.kernel.names.simplify(inner.floorDiv(steps));
  return {plan.kernel.names, sizes};
}

Index indexInBlock(const ColumnReads &reads,
                   const analysis::IterationSpace &blocks, int64_t steps,
                   int64_t step) {
  SmallVector<AffineExpr> dims = blocks.identity();
  AffineExpr &inner = dims[reads.kLoops.back()];
  inner = inner * steps + step;
  Index index;
  for (AffineExpr e : reads.index)
    index.push_back(blocks.simplify(e.replaceDims(dims)));
  return index;
}

int64_t BlockRead::bits() const {
  return kernelType(getElementTypeOrSelf(input.getType()))
      .getIntOrFloatBitWidth();
}

int64_t BlockRead::words() const {
  if ((bits() != 8 && bits() != 16) || offsets.empty())
    return 0;
  int64_t bytes = (*llvm::max_element(offsets) + 1) * bits() / 8;
  int64_t words = bytes / wordBytes;
  bool hasFullWords = bytes % wordBytes == 0 && llvm::isPowerOf2_64(words);
  return hasFullWords && words <= static_cast<int64_t>(offsets.size()) ? words
                                                                       : 0;
}

/// Returns the reads of y in a block of `steps` K steps. Returns an empty list
/// if a read that depends on lanes and K is not narrow or not contiguous along
/// K.
static SmallVector<BlockRead>
readsOfBlock(ContractionPlan &plan, const ColumnReads &reads, int64_t steps) {
  analysis::IterationSpace blocks = spaceOfBlocks(plan, reads, steps);
  unsigned inner = reads.kLoops.back();
  SmallVector<BlockRead> found;
  bool fits = true;
  for (int64_t step = 0; fits && step < steps; ++step) {
    size_t next = 0;
    fits &= walkReadsAlong(
        plan, blocks, indexInBlock(reads, blocks, steps, step), reads.laneLoop,
        inner,
        [&](BlockArgument input, const Index &index, AffineExpr position) {
          if (step == 0)
            found.push_back({input, position, {}, {}});
          if (next == found.size() || found[next].input != input) {
            fits = false;
            return;
          }
          BlockRead &read = found[next++];
          auto offset = dyn_cast<AffineConstantExpr>(
              blocks.simplify(position - read.position));
          fits &= offset && offset.getValue() >= 0;
          if (fits)
            read.offsets.push_back(offset.getValue());
          read.indices.push_back(index);
        });
    fits &= next == found.size();
  }
  for (const BlockRead &read : found)
    fits &= read.words() != 0;
  return fits ? found : SmallVector<BlockRead>();
}

/// Returns the number of blocks that are transposed together: those of one
/// cache line if they are contiguous. A tail of K, if any, must be at least a
/// vector long.
static int64_t blocksOfLine(ContractionPlan &plan, const ColumnReads &reads) {
  int64_t lanes = plan.kernel.target.getLanes(plan.accumulator);
  AffineExpr steps = reads.size(reads.kLoops.back());
  auto known = dyn_cast<AffineConstantExpr>(steps);
  analysis::IterationSpace blocks =
      spaceOfBlocks(plan, reads, reads.narrow.steps);
  int64_t maxBlocks = lanes;
  for (const BlockRead &read : reads.narrow.reads) {
    auto linear =
        analysis::linearIn(read.position, reads.kLoops.back(), blocks);
    bool follows =
        linear && linear->coefficient ==
                      plan.constant(read.words() * wordBytes * 8 / read.bits());
    maxBlocks = follows ? std::min(maxBlocks, lanes / read.words()) : 1;
  }
  auto isLeft = [&](int64_t count) {
    return !known || known.getValue() % (count * reads.narrow.steps) >= lanes;
  };
  while (maxBlocks > 1 && maxBlocks * reads.narrow.steps > lanes &&
         isLeft(maxBlocks))
    maxBlocks /= 2;
  return maxBlocks;
}

/// Determines whether blocks of y can be transposed before they are widened,
/// and sets `reads.narrow`.
static void planNarrowBlocks(ContractionPlan &plan, ColumnReads &reads) {
  int64_t lanes = plan.kernel.target.getLanes(plan.accumulator);
  if (!llvm::isPowerOf2_64(lanes))
    return;
  for (int64_t steps = wordBytes; steps <= lanes && reads.narrow.reads.empty();
       steps *= 2) {
    reads.narrow.reads = readsOfBlock(plan, reads, steps);
    reads.narrow.steps = steps;
  }
  if (reads.narrow.reads.empty())
    return;
  reads.alongK = true;
  reads.narrow.lineSteps = reads.narrow.steps * blocksOfLine(plan, reads);
}

/// Determines the layout of y from the reads that depend on the innermost K
/// loop. Reads that do not, such as scales of columns or groups, are cached and
/// do not count.
static void planReads(ContractionPlan &plan, ColumnReads &reads) {
  AffineExpr one = plan.constant(1);
  unsigned inner = reads.kLoops.back();
  auto steps = dyn_cast<AffineConstantExpr>(reads.size(inner));
  bool isShort =
      steps && steps.getValue() < plan.kernel.target.getLanes(plan.accumulator);
  SmallVector<std::pair<AffineExpr, int64_t>> positions;
  auto coefficient = [&](AffineExpr position, unsigned loop) -> AffineExpr {
    auto linear = analysis::linearIn(position, loop, *reads.space);
    return linear ? linear->coefficient : AffineExpr();
  };
  walkMemory(plan, plan.operandY(), reads.index, *reads.space,
             [&](BlockArgument input, const Index &, AffineExpr position) {
               if (position.isFunctionOfDim(reads.laneLoop))
                 positions.push_back({position, bytesOf(input)});
             });
  auto isSummed = [&](const auto &read) {
    return read.first.isFunctionOfDim(inner);
  };
  if (llvm::any_of(positions, isSummed))
    llvm::erase_if(positions, [&](const auto &p) { return !isSummed(p); });
  for (auto [position, bytes] : positions) {
    reads.elementBytes = std::max(reads.elementBytes, bytes);
    AffineExpr step = coefficient(position, inner);
    if (coefficient(position, reads.laneLoop) == one)
      reads.alongLanes = true;
    else if (step == one && !isShort)
      reads.alongK = true;
    if (auto known = dyn_cast_or_null<AffineConstantExpr>(step))
      reads.stepElements = known.getValue();
    if (auto known = dyn_cast_or_null<AffineConstantExpr>(
            coefficient(position, reads.laneLoop)))
      reads.laneElements = known.getValue();
  }
  if (reads.alongLanes)
    reads.alongK = false;
  else if (!isShort)
    planNarrowBlocks(plan, reads);
}

ColumnReads ColumnReads::inPlace(ContractionPlan &plan) {
  ColumnReads reads;
  reads.space.emplace(*plan.space);
  reads.index = plan.yIndex;
  reads.laneLoop = plan.laneLoop;
  reads.kLoops = plan.kLoops;
  planReads(plan, reads);
  return reads;
}

ColumnReads ColumnReads::forPanel(ContractionPlan &plan) {
  // Returns the loop of the contraction that covers dim d, or nullopt if the
  // dim has size 1.
  auto loopOf = [&](unsigned d) {
    std::optional<unsigned> found;
    for (auto [loop, last] : llvm::enumerate(plan.loops.innermost))
      if (last >= d && plan.roles[last] == plan.roles[d] &&
          (!found || last < plan.loops.innermost[*found]))
        found = loop;
    return found;
  };
  Index all =
      analysis::IterationSpace(plan.kernel.names, plan.shape).identity();
  plan.planIndices(all);
  Index index = plan.yIndex;
  plan.planIndices(plan.loops.index);
  CollapsedDims merged = collapseDims(
      plan.kernel, plan.shape, {{plan.operandY(), index}},
      [](Value) { return false; },
      [&](unsigned d) {
        return plan.roles[d] == plan.roles[d + 1] &&
               plan.roles[d] != ContractionPlan::Role::Batch &&
               loopOf(d) == loopOf(d + 1);
      });
  auto isTiled = [&](unsigned d) {
    return plan.roles[d] == ContractionPlan::Role::Lane &&
           loopOf(d) == plan.laneLoop;
  };
  auto isSum = [&](unsigned d) {
    return plan.roles[d] == ContractionPlan::Role::Sum;
  };
  if (llvm::none_of(merged.innermost, isTiled))
    merged.addUnitLoop(plan.loops.innermost[plan.laneLoop], plan.kernel.names);
  if (llvm::none_of(merged.innermost, isSum))
    merged.addUnitLoop(llvm::find(plan.roles, ContractionPlan::Role::Sum) -
                           plan.roles.begin(),
                       plan.kernel.names);
  ColumnReads reads;
  reads.space.emplace(plan.kernel.names, merged.sizes);
  for (AffineExpr e : index)
    reads.index.push_back(reads.space->simplify(e.replaceDims(merged.index)));
  for (auto [loop, d] : llvm::enumerate(merged.innermost)) {
    if (isSum(d)) {
      reads.kLoops.push_back(loop);
    } else if (isTiled(d)) {
      reads.runLoops.push_back(loop);
    } else if (plan.roles[d] != ContractionPlan::Role::Row) {
      unsigned outer = *loopOf(d);
      if (reads.others.empty() || reads.others.back().first != outer)
        reads.others.push_back({outer, {}});
      reads.others.back().second.push_back(loop);
    }
  }
  reads.laneLoop = reads.runLoops.pop_back_val();
  planReads(plan, reads);
  return reads;
}

bool hasPanelLayout(ContractionPlan &plan, int64_t lanes) {
  auto matrix = dyn_cast<BlockArgument>(plan.operandY());
  if (!matrix || plan.loops.sizes[plan.laneLoop] != plan.constant(lanes) ||
      kernelType(getElementTypeOrSelf(plan.operandY())) != plan.accumulator)
    return false;
  AffineExpr position =
      plan.space->linearize(plan.yIndex, plan.kernel.dims(matrix));
  auto moves = [&](unsigned loop, AffineExpr by) {
    auto linear = analysis::linearIn(position, loop, *plan.space);
    return linear && linear->coefficient == by;
  };
  AffineExpr apart = plan.constant(lanes);
  for (unsigned loop : llvm::reverse(plan.kLoops)) {
    if (!moves(loop, apart))
      return false;
    apart = plan.kernel.names.simplify(apart * plan.loops.sizes[loop]);
  }
  return moves(plan.laneLoop, plan.constant(1));
}

} // namespace tensorc::codegen::simd
