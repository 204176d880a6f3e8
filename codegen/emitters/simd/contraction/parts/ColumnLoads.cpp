//===- ColumnLoads.cpp - Loads of y at one step of K ----------------------===//

#include "codegen/emitters/simd/contraction/parts/ColumnLoads.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/TransposedBlock.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

/// Returns the size of y in bytes, or 0 if y is computed or its size is
/// symbolic.
static int64_t sizeOfY(ContractionPlan &plan) {
  auto matrix = dyn_cast<BlockArgument>(plan.operandY());
  std::optional<int64_t> count =
      matrix ? constantOf(plan.kernel.names.product(plan.kernel.dims(matrix)))
             : std::nullopt;
  return count ? *count * bytesOf(matrix) : 0;
}

/// Prefetches if K steps are far apart: each step then accesses another page,
/// and the hardware prefetcher stays within a page.
LoadPrefetch LoadPrefetch::choose(ContractionPlan &plan, const Tiling &tiling,
                                  const ColumnReads &y, bool packs) {
  if (tiling.areFull)
    return {};
  const CpuCosts &costs = plan.kernel.costs();
  int64_t bytes = y.stepElements * bytesOfY(plan);
  int64_t columnBytes = y.laneElements * bytesOfY(plan);
  if (y.alongK && !packs && columnBytes > 0 &&
      columnBytes <= costs.columnPrefetchBytes &&
      !costs.prefetchesAcrossPages && sizeOfY(plan) > costs.residentBytes) {
    // The distance along K is past the end of the column, so prefetch the
    // columns of the next tile.
    int64_t tileBytes = tiling.lanes() * columnBytes;
    return {tileBytes, tileBytes <= costs.l1BlockBytes ? 3u : 2u};
  }
  if (y.alongK)
    // Interleaved vectors read so many columns at once that the hardware
    // prefetcher follows them.
    return packs || tiling.vectors == 1
               ? LoadPrefetch{costs.columnPrefetchBytes, 2}
               : LoadPrefetch();
  if (bytes < costs.minPrefetchedStepBytes)
    return {};
  // L1 can hold the lines that are prefetched for a tile of bytes.
  return {costs.yPrefetchSteps * bytes, y.elementBytes == 1 ? 3u : 2u};
}

ColumnLoads::ColumnLoads(ContractionPlan &plan, const Tiling &tiling,
                         const ColumnReads &y, bool packs)
    : prefetch(LoadPrefetch::choose(plan, tiling, y, packs)), plan(plan),
      tiling(tiling), y(y), kernel(plan.kernel), b(plan.b) {
  findGroupReads();
}

void ColumnLoads::findGroupReads() {
  if (y.kLoops.size() < 2)
    return;
  walkMemory(plan, plan.operandY(), y.index, *y.space,
             [&](BlockArgument input, const Index &, AffineExpr position) {
               auto lane = analysis::linearIn(position, y.laneLoop, *y.space);
               auto step =
                   analysis::linearIn(position, y.kLoops.end()[-2], *y.space);
               if (position.isFunctionOfDim(y.kLoops.back()) || !lane ||
                   lane->coefficient != plan.constant(1) || !step)
                 return;
               std::optional<int64_t> elements = constantOf(step->coefficient);
               if (elements && *elements * bytesOf(input) >=
                                   kernel.costs().minPrefetchedStepBytes)
                 groupReads.push_back({input, position, *elements});
             });
}

void ColumnLoads::splitSharedBytes() { inHalves = sharesBytes(); }

/// True if y's innermost K loop reads bytes that hold two columns (4-bit
/// elements), and tiles always contain both columns.
bool ColumnLoads::sharesBytes() {
  auto lanes = dyn_cast<AffineConstantExpr>(y.size(y.laneLoop));
  if (y.alongK || !y.runLoops.empty() || tiling.vectors % 2 != 0 || !lanes ||
      lanes.getValue() % (tiling.lanes()) != 0 ||
      !llvm::isPowerOf2_64(tiling.width))
    return false;
  analysis::IterationSpace halves = spaceOfHalves();
  SmallVector<AffineExpr> positions[2];
  bool fits = true;
  for (int64_t half : {0, 1})
    fits &= walkReadsAlong(
        plan, halves, indexOfHalf(halves, half), y.laneLoop, y.kLoops.back(),
        [&](BlockArgument input, const Index &, AffineExpr position) {
          auto along = analysis::linearIn(position, y.laneLoop, halves);
          fits &=
              along && along->coefficient == plan.constant(1) &&
              kernelType(getElementTypeOrSelf(input.getType())).isInteger(8);
          positions[half].push_back(position);
        });
  return fits && !positions[0].empty() && positions[0] == positions[1];
}

/// Returns y's iteration space in which the lane loop counts pairs of columns.
analysis::IterationSpace ColumnLoads::spaceOfHalves() {
  SmallVector<AffineExpr> sizes(y.space->getSizes());
  AffineExpr &lanes = sizes[y.laneLoop];
  lanes = kernel.names.simplify(lanes.floorDiv(2));
  return {kernel.names, sizes};
}

/// Returns y's index at column `half` (0 or 1) of a pair.
Index ColumnLoads::indexOfHalf(const analysis::IterationSpace &halves,
                               int64_t half) {
  SmallVector<AffineExpr> dims = halves.identity();
  AffineExpr &lane = dims[y.laneLoop];
  lane = lane * 2 + half;
  Index index;
  for (AffineExpr e : y.index)
    index.push_back(halves.simplify(e.replaceDims(dims)));
  return index;
}

FailureOr<Values> ColumnLoads::loadHalves(const Values &dims,
                                          const Tile &tile) {
  Values columns;
  analysis::IterationSpace halves = spaceOfHalves();
  for (unsigned v = 0; v < tile.laneAt.size(); v += 2) {
    Values at = dims;
    at[y.laneLoop] = b.createOrFold<arith::DivUIOp>(tile.laneAt[v],
                                                    indexConstant(kernel, 2));
    ExpressionEmitter elements(
        kernel, halves, at, ExpressionEmitter::Lanes{y.laneLoop, tiling.width},
        {});
    if (beginsLine(v / 2, tile.laneAt.size() / 2))
      prefetch.apply(elements, y.kLoops.back());
    for (int64_t half : {0, 1}) {
      FailureOr<Value> column =
          elements.emitLanes(plan.operandY(), indexOfHalf(halves, half));
      if (failed(column))
        return failure();
      columns.push_back(*column);
    }
  }
  return columns;
}

void ColumnLoads::interleave(Values &sums) {
  for (size_t i = 0; i < sums.size(); i += 2) {
    Value even = sums[i], odd = sums[i + 1];
    for (int64_t part : {0, 1}) {
      SmallVector<int64_t> from;
      for (int64_t l = part * tiling.width; l < (part + 1) * tiling.width; ++l)
        from.push_back(l / 2 + l % 2 * tiling.width);
      sums[i + part] = vector::ShuffleOp::create(b, even, odd, from);
    }
  }
}

void ColumnLoads::prefetchNextGroup(Values dims, const Tile &tile) {
  for (auto &[input, position, step] : groupReads)
    for (auto [v, lane] : llvm::enumerate(tile.laneAt)) {
      if (v * tiling.width * bytesOf(input) %
              kernel.target.getCacheLineBytes() !=
          0)
        continue;
      dims[y.laneLoop] = lane;
      ExpressionEmitter elements(kernel, *y.space, dims);
      memref::PrefetchOp::create(
          b, kernel.buffer(input),
          b.createOrFold<arith::AddIOp>(elements.indexValue(position),
                                        indexConstant(kernel, step)),
          /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
    }
}

/// True if this vector should prefetch: it is the first one of a cache line, or
/// the last one, because tiles may be unaligned.
bool ColumnLoads::beginsLine(int64_t vector, int64_t count) {
  int64_t bytes = tiling.width * y.elementBytes;
  return vector * bytes % kernel.target.getCacheLineBytes() < bytes ||
         vector + 1 == count;
}

FailureOr<Values> ColumnLoads::loadNarrow(const Values &dims,
                                          const Tile &tile) {
  Values columns;
  for (auto [v, lane, mask] : llvm::enumerate(tile.laneAt, tile.masks)) {
    Values at = dims;
    at[y.laneLoop] = lane;
    ExpressionEmitter elements(
        kernel, *y.space, at,
        ExpressionEmitter::Lanes{y.laneLoop, tiling.width}, mask);
    elements.beginAtMultiples();
    if (beginsLine(v, tile.laneAt.size()))
      prefetch.apply(elements, y.kLoops.back());
    FailureOr<Value> column = elements.emitLanes(plan.operandY(), y.index);
    if (failed(column))
      return failure();
    columns.push_back(*column);
  }
  return columns;
}

FailureOr<Values> ColumnLoads::load(const Values &dims, const Tile &tile) {
  FailureOr<Values> columns =
      inHalves ? loadHalves(dims, tile) : loadNarrow(dims, tile);
  if (succeeded(columns))
    for (Value &column : *columns)
      column = plan.widen(column);
  return columns;
}

} // namespace tensorc::codegen::simd
