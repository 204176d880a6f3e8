//===- TileChoice.cpp - Tile sizes of a contraction -----------------------===//

#include "codegen/emitters/simd/contraction/TileChoice.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/simd/contraction/parts/RowPanel.h"
#include "codegen/kernel/CpuCosts.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Returns the number of rows per tile, at most `maxRows`, that minimizes the
/// cost. For example, 256 rows are 19 tiles of 14 rows, which compute ten rows
/// too many, or 20 tiles of 13 rows.
static int64_t chooseTileRows(KernelBuilder &kernel, int64_t count,
                              int64_t maxRows) {
  int64_t minTiles = llvm::divideCeil(count, maxRows);
  auto costOf = [&](int64_t tiles) {
    return tiles *
           (llvm::divideCeil(count, tiles) * 100 + kernel.costs().tileOverhead);
  };
  int64_t best =
      costOf(minTiles + 1) < costOf(minTiles) ? minTiles + 1 : minTiles;
  return llvm::divideCeil(count, best);
}

/// Returns the number of vectors of a tile for a y that is transposed in
/// blocks; one block fills the registers. With a single row the FMAs form a
/// dependency chain, so two blocks are interleaved, unless their columns map to
/// the same L1 sets.
static int64_t interleavedVectors(ContractionPlan &plan,
                                  const ColumnReads &reads, int64_t rowCount) {
  int64_t apart = reads.laneElements * bytesOfY(plan);
  bool isWide = reads.narrow.reads.empty();
  return rowCount == 1 && isWide && apart % plan.kernel.costs().l1WayBytes != 0
             ? 2
             : 1;
}

Numbers chooseTile(ContractionPlan &plan, const Tiling &tiling) {
  KernelBuilder &kernel = plan.kernel;
  const CpuCosts &costs = kernel.costs();
  // Rows of x that map to one L1 set must fit in its ways, beside one line of
  // the panel.
  int64_t collidingRows = costs.maxCollidingLines - 1;
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t lanes = kernel.target.getLanes(plan.accumulator);
  int64_t vectors = 2, maxRows = (registers - vectors - 2) / vectors;
  int64_t outer = 1, rows = maxRows;
  auto numbers = [&]() -> Numbers {
    return {{"outer", outer},
            {"rows", rows},
            {"vectors", vectors},
            {"lanes", lanes}};
  };
  auto sizeOf = [&](unsigned loop) -> std::optional<int64_t> {
    return constantOf(plan.loops.sizes[loop]);
  };
  auto evenly = [](int64_t count, int64_t maxRows) {
    return llvm::divideCeil(count, llvm::divideCeil(count, maxRows));
  };
  std::optional<int64_t> columnCount = sizeOf(plan.laneLoop);
  auto computed = [&](int64_t n) {
    return llvm::alignTo(columnCount.value_or(0), n * lanes);
  };
  if (columnCount &&
      (computed(2) - computed(1)) * costs.minSavedColumnsPart >= computed(2))
    vectors = 1;
  std::optional<int64_t> count = sizeOf(plan.rowLoop);
  if (!count || *count == 0)
    return numbers();
  if (maxRows > collidingRows && tiling.sharedLoops.empty() &&
      *count > maxRows && !hasPanelLayout(plan, vectors * lanes) &&
      rowsCollide(plan) && !widensRows(plan, tiling.outer)) {
    // Tiles with fewer rows use more vectors of columns, which share the loads
    // of x. Three or four vectors are chosen if they compute at most 5% more
    // columns than two vectors do, including columns past the end.
    vectors = 2;
    for (int64_t wide : {3, 4})
      if (computed(wide) * 20 <= computed(2) * 21 &&
          (vectors == 2 || computed(wide) <= computed(vectors)))
        vectors = wide;
    maxRows = std::min((registers - vectors - 2) / vectors, collidingRows);
  }
  rows = chooseTileRows(kernel, *count, maxRows);
  std::optional<int64_t> all = count;
  for (unsigned loop : tiling.sharedLoops) {
    std::optional<int64_t> size = sizeOf(loop);
    all = all && size ? std::optional(*all * *size) : std::nullopt;
  }
  if (tiling.outerRow && *count * 2 <= maxRows)
    if (std::optional<int64_t> size = sizeOf(*tiling.outerRow);
        size && *size > 0)
      outer = evenly(*size, maxRows / *count);
  if (!all || *all > outer * rows)
    return numbers();
  // If y already has the layout of panels, tiles keep their width.
  if (hasPanelLayout(plan, vectors * lanes))
    return numbers();
  // TransposedWords does not handle a tail of K.
  ColumnReads reads = ColumnReads::inPlace(plan);
  int64_t widest =
      costs.maxTileVectors * std::max<int64_t>(1, 4 / reads.elementBytes);
  // With one row, each vector of y is used once and needs no register of its
  // own.
  int64_t fit = *all == 1 ? registers / 2 : (registers - 2) / (*all + 1);
  auto steps = sizeOf(plan.kLoops.back());
  bool transposesWords = !reads.narrow.reads.empty() && steps &&
                         *steps % reads.narrow.lineSteps == 0;
  if (transposesWords)
    widest = costs.maxTransposedTileVectors;
  vectors = reads.alongK && !transposesWords
                ? interleavedVectors(plan, reads, *all)
                : std::clamp<int64_t>(fit, 1, widest);
  if (!columnCount)
    return numbers();
  AffineExpr work = plan.constant(*columnCount * *all);
  for (unsigned loop : plan.kLoops)
    work = work * plan.loops.sizes[loop];
  auto known = dyn_cast<AffineConstantExpr>(kernel.names.simplify(work));
  bool isLittle = known && known.getValue() < grainFlops(kernel);
  auto wastes = [&](int64_t n) { return *columnCount % (n * lanes) != 0; };
  // Number of batches. Together they must have enough tiles of columns for all
  // threads.
  AffineExpr blocks = plan.constant(1);
  for (unsigned loop : tiling.batchLoops)
    blocks = blocks * plan.loops.sizes[loop];
  auto numBlocks = dyn_cast<AffineConstantExpr>(kernel.names.simplify(blocks));
  auto isFew = [&](int64_t n) {
    return !isLittle && numBlocks &&
           *columnCount * numBlocks.getValue() < n * lanes * costs.minTileItems;
  };
  while (vectors > 1 && (wastes(vectors) || isFew(vectors)))
    --vectors;
  return numbers();
}

Offers offerBlockTiles(ContractionPlan &plan) {
  KernelBuilder &kernel = plan.kernel;
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t maximumRows = maxBlockTileRows(kernel.target);
  int64_t all = *constantOf(plan.loops.sizes[plan.rowLoop]);
  int64_t few = kernel.costs().blockedSteps,
          many = 2 * kernel.costs().blockedSteps;
  int64_t best = all > maximumRows ? many : few;
  int64_t lanes = kernel.target.getLanes(plan.accumulator);
  int64_t columns = *constantOf(plan.loops.sizes[plan.laneLoop]);
  Offers offers;
  int64_t fewest = 0;
  auto rowsFor = [&](int64_t maximum) {
    return llvm::divideCeil(all, llvm::divideCeil(all, maximum));
  };
  auto offer = [&](int64_t rows, int64_t vectors, int64_t steps) {
    // Lanes that are computed for each row, and the loads of a tile, of which a
    // load takes a third of a product.
    int64_t products =
        llvm::alignTo(all, rows) * llvm::alignTo(columns, vectors * lanes);
    int64_t cost =
        products + products * (rows + vectors) / (3 * rows * vectors);
    bool isBest = offers.empty() || cost * 20 < fewest * 19;
    if (isBest)
      fewest = cost;
    offers.insert(isBest ? offers.begin() : offers.end(), {{"rows", rows},
                                                           {"vectors", vectors},
                                                           {"steps", steps},
                                                           {"lanes", lanes}});
  };
  int64_t maxVectors =
      std::min<int64_t>(kernel.costs().maxTileVectors, columns / lanes);
  for (auto [maximum, steps] :
       {std::pair(maximumRows, best), std::pair(maximumRows, few),
        std::pair(maximumRows, many), std::pair(registers / 8, best)}) {
    int64_t rows = rowsFor(maximum);
    offer(rows,
          std::clamp<int64_t>((registers - 1) / (rows + 1), 1, maxVectors),
          steps);
  }
  if (columns < maxVectors * lanes * kernel.costs().minBlockedRuns)
    // Registers hold the tile's vectors of y, at least one row of as many
    // accumulators, and an element of x.
    for (int64_t vectors = 1;
         vectors <= std::min(maxVectors, (registers - 1) / 2); ++vectors)
      offer(rowsFor((registers - 1) / vectors - 1), vectors, best);
  return offers;
}

} // namespace tensorc::codegen::simd
