//===- TileChoice.cpp - Sizes of a contraction's tiles --------------------===//

#include "codegen/emitters/simd/contraction/ContractionSkeleton.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Fewer items do not occupy threads, where there is work for several.
static constexpr int64_t enoughItems = 8, littleWork = 1 << 19;
/// Vectors of a tile that reads down y's columns.
static constexpr int64_t widestTile = 8;
/// Of a tile whose columns are turned as bytes: their sums take turns. Columns
/// are often a power of two apart, so more of them take each other's places in
/// the nearest cache.
static constexpr int64_t mostTurned = 2;
/// Columns past the end cost as much as others. Tiles of one vector have fewer
/// of them, but pay a load of x per product: that is worth a tenth (0083).
static constexpr int64_t worthOneVector = 10;
/// Lines that the nearest cache holds of those that share a place in it, beside
/// one of the panel.
static constexpr int64_t mostColliding = 7;

/// A tile's own cost, in hundredths of a row.
static constexpr int64_t tileCost = 30;

/// Rows of a tile: 256 in tiles of at most 14 are 19 tiles of 14, which compute
/// ten rows more, or 20 of 13.
static int64_t shareOut(int64_t count, int64_t most) {
  int64_t least = llvm::divideCeil(count, most);
  auto costOf = [&](int64_t tiles) {
    return tiles * (llvm::divideCeil(count, tiles) * 100 + tileCost);
  };
  int64_t best = costOf(least + 1) < costOf(least) ? least + 1 : least;
  return llvm::divideCeil(count, best);
}

/// Vectors of a tile that turns blocks of y, of which one fills the registers.
/// The sums of one row wait for each other, so two blocks take turns, except
/// where their columns would push each other out of the nearest cache.
int64_t ContractionSkeleton::vectorsInTurns(const ColumnReads &reads,
                                            int64_t rowCount) {
  int64_t apart = reads.laneElements * bytesOfY(*this);
  bool isWide = reads.narrow.reads.empty();
  return rowCount == 1 && isWide && apart % collidingBytes != 0 ? 2 : 1;
}

/// Rows are shared out evenly, so that no tile computes many which are not
/// there. Few rows make y's traffic the limit: one tile holds them all, and is
/// as wide as registers allow, so that reads down its columns take more of
/// each row of memory.
Numbers ContractionSkeleton::choose() {
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t lanes = kernel.target.getLanes(accumulator);
  int64_t vectors = 2, most = (registers - vectors - 2) / vectors;
  int64_t outer = 1, rows = most;
  auto numbers = [&]() -> Numbers {
    return {{"outer", outer},
            {"rows", rows},
            {"vectors", vectors},
            {"lanes", lanes}};
  };
  auto sizeOf = [&](unsigned loop) -> std::optional<int64_t> {
    auto size = dyn_cast<AffineConstantExpr>(loops.sizes[loop]);
    return size ? std::optional(size.getValue()) : std::nullopt;
  };
  auto evenly = [](int64_t count, int64_t most) {
    return llvm::divideCeil(count, llvm::divideCeil(count, most));
  };
  std::optional<int64_t> columnCount = sizeOf(laneLoop);
  auto computed = [&](int64_t n) {
    return llvm::alignTo(columnCount.value_or(0), n * lanes);
  };
  if (columnCount &&
      (computed(2) - computed(1)) * worthOneVector >= computed(2))
    vectors = 1;
  std::optional<int64_t> count = sizeOf(rowLoop);
  if (!count || *count == 0)
    return numbers();
  if (most > mostColliding && tiling.sharedLoops.empty() && *count > most &&
      !liesAsPanel(*this, vectors * lanes) && rowsCollide(*this) &&
      !widensRows(*this, tiling.outer)) {
    // Two vectors pay loads of x, which is worth a twentieth.
    vectors = 2;
    for (int64_t wide : {3, 4})
      if (computed(wide) * 20 <= computed(2) * 21 &&
          (vectors == 2 || computed(wide) <= computed(vectors)))
        vectors = wide;
    most = std::min((registers - vectors - 2) / vectors, mostColliding);
  }
  rows = shareOut(*count, most);
  std::optional<int64_t> all = count;
  for (unsigned loop : tiling.sharedLoops) {
    std::optional<int64_t> size = sizeOf(loop);
    all = all && size ? std::optional(*all * *size) : std::nullopt;
  }
  if (tiling.outerRow && *count * 2 <= most)
    if (std::optional<int64_t> size = sizeOf(*tiling.outerRow);
        size && *size > 0)
      outer = evenly(*size, most / *count);
  if (!all || *all > outer * rows)
    return numbers();
  // y was packed for tiles of this width.
  if (liesAsPanel(*this, vectors * lanes))
    return numbers();
  // What is left of a sum of bytes is not turned by a loop.
  ColumnReads reads = ColumnReads::inPlace(*this);
  int64_t widest = widestTile * std::max<int64_t>(1, 4 / reads.elementBytes);
  // One row needs each column once.
  int64_t fit = *all == 1 ? registers / 2 : (registers - 2) / (*all + 1);
  auto steps = sizeOf(sumLoops.back());
  bool turnsInLoop = !reads.narrow.reads.empty() && steps &&
                     *steps % reads.narrow.lineSteps == 0;
  if (turnsInLoop)
    widest = mostTurned;
  vectors = reads.alongSum && !turnsInLoop
                ? vectorsInTurns(reads, *all)
                : std::clamp<int64_t>(fit, 1, widest);
  if (!columnCount)
    return numbers();
  AffineExpr work = constant(*columnCount * *all);
  for (unsigned loop : sumLoops)
    work = work * loops.sizes[loop];
  auto known = dyn_cast<AffineConstantExpr>(kernel.names.simplify(work));
  bool isLittle = known && known.getValue() < littleWork;
  auto wastes = [&](int64_t n) { return *columnCount % (n * lanes) != 0; };
  // Blocks of columns, where y is packed.
  AffineExpr blocks = constant(1);
  for (unsigned loop : tiling.batchLoops)
    blocks = blocks * loops.sizes[loop];
  auto numBlocks = dyn_cast<AffineConstantExpr>(kernel.names.simplify(blocks));
  auto isFew = [&](int64_t n) {
    return !isLittle && numBlocks &&
           *columnCount * numBlocks.getValue() < n * lanes * enoughItems;
  };
  while (vectors > 1 && (wastes(vectors) || isFew(vectors)))
    --vectors;
  return numbers();
}

} // namespace tensorc::codegen::simd
