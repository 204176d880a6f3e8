//===- SwappedContraction.cpp - Contraction with swapped operands ---------===//
//
// This is TiledContraction.cpp with swapped operands: columns of y are the rows
// of tiles, and rows of x are the lanes.
//
// for each block of x's rows:
//   panel[k][row] = x(row, k)
//   for each group of columns:
//     for each tile of the group:
//       for k: accumulators[column][row] += y(column, k) * panel[k][row]
//     transpose the group's accumulators; for each row: epilogue, store
//
// It is used for a y that is contiguous along K. Other skeletons transpose
// panels of y, which does not pay off for few rows of x. Here columns of y are
// the rows of a tile and are read in place, one element at a time. Instead x is
// transposed, once for all columns, and so are the accumulators. Several tiles
// are transposed together to get whole vectors of the result.
//
// Multiplication commutes and the order of k is kept, so the results are the
// same bits as with other skeletons.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/Sweep.h"
#include "codegen/emitters/simd/contraction/TiledContraction.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tensorc::codegen::simd {

namespace {
class SwappedContraction {
public:
  explicit SwappedContraction(KernelBuilder &kernel)
      : tiles(kernel), kernel(kernel), b(kernel.b) {
    plan.isSwapped = true;
  }

  bool matches();
  FailureOr<Offers> offer();
  FailureOr<KernelSpec> emit();

private:
  int64_t vectorsFor(int64_t count);
  int64_t rowsFor(int64_t vectors, int64_t maxRows);
  bool isProfitable();
  LogicalResult computeTiles(const Values &dims, const Tile &tile);

  TiledContraction tiles;
  ContractionPlan &plan = tiles.plan;
  Tiling &tiling = tiles.tiling;
  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
  /// Number of consecutive tiles in a work item. Outside of computeTiles,
  /// `tiling.rows` is the total number of rows of these tiles.
  int64_t numTiles = 0;
};
} // namespace

bool SwappedContraction::matches() {
  if (failed(plan.planNest()))
    return false;
  tiling.splitOuterLoops();
  auto matrix = dyn_cast<BlockArgument>(plan.operandX());
  if (!matrix || kernel.isScalar(matrix) || !isa<FloatType>(plan.accumulator) ||
      kernelType(getElementTypeOrSelf(matrix)) != plan.accumulator)
    return false;
  bool isOther = llvm::any_of(plan.outerLoops, [&](unsigned loop) {
    return plan.roles[plan.loops.innermost[loop]] !=
           ContractionPlan::Role::Batch;
  });
  bool isKnown = llvm::all_of(plan.loops.sizes, [](AffineExpr size) {
    return constantOf(size).has_value();
  });
  if (isOther || !isKnown || plan.kLoops.size() != 1 ||
      !isResultContiguousAlongRows(plan))
    return false;
  // `operandX` is the dot's y here, and must be contiguous along K.
  return isXContiguousAlongRows(plan) == false && isProfitable();
}

/// Returns the number of vectors of a tile (1 to 3) that leaves the fewest
/// lanes unused.
int64_t SwappedContraction::vectorsFor(int64_t count) {
  int64_t lanes = kernel.target.getLanes(plan.accumulator);
  if (count <= lanes)
    return 1;
  return kernel.target.getNumVectorRegisters() >= 32 &&
                 llvm::alignTo(count, 3 * lanes) <
                     llvm::alignTo(count, 2 * lanes)
             ? 3
             : 2;
}

int64_t SwappedContraction::rowsFor(int64_t vectors, int64_t maxRows) {
  int64_t fit = (kernel.target.getNumVectorRegisters() - vectors - 2) / vectors;
  return std::min<int64_t>(llvm::bit_floor<uint64_t>(fit), maxRows);
}

/// True if swapping pays off. Compares the cost of unused lanes, of the panel
/// of x and of transposing the accumulators with the cost of transposing y, in
/// units of one multiply-add. A single tile with all rows of x would need no
/// panel of y, so at least `lanes` rows are required.
bool SwappedContraction::isProfitable() {
  const CpuCosts &costs = kernel.costs();
  int64_t lanes = kernel.target.getLanes(plan.accumulator);
  int64_t count = *constantOf(plan.loops.sizes[plan.laneLoop]),
          columns = *constantOf(plan.loops.sizes[plan.rowLoop]),
          steps = *constantOf(plan.loops.sizes[plan.kLoops.front()]);
  if (count < lanes || count > costs.maxSwappedRows || columns < count ||
      steps < costs.minSwappedSteps)
    return false;
  int64_t elementBytes = plan.accumulator.getIntOrFloatBitWidth() / 8;
  // Every tile of columns reads the whole panel, so it must stay in cache.
  if (vectorsFor(count) * lanes * steps * elementBytes >= costs.maxPanelBytes)
    return false;
  int64_t bytes = columns * steps * elementBytes;
  bool isSlowToRead = rowsCollide(plan) || comeFromMemory(bytes, kernel.target);
  int64_t each = isSlowToRead ? costs.farTransposeCost : costs.transposeCost;
  // Lanes that do not fill a tile run as tiles of one vector if those have at
  // least `minAccumulators` accumulators, and as a tile of all vectors
  // otherwise.
  int64_t vectors = vectorsFor(count);
  int64_t minVectors =
      rowsFor(vectors, costs.maxCollidingLines) >= costs.minAccumulators
          ? 1
          : vectors;
  int64_t empty = llvm::alignTo(count, minVectors * lanes) - count;
  return empty * columns * steps + each * count * steps +
             each * count * columns / 2 <
         each * columns * steps;
}

FailureOr<Offers> SwappedContraction::offer() {
  if (failed(plan.planNest()))
    return failure();
  int64_t lanes = kernel.target.getLanes(plan.accumulator);
  int64_t count = *constantOf(plan.loops.sizes[plan.laneLoop]);
  Offers offers;
  auto offer = [&](int64_t vectors, int64_t maxRows) {
    int64_t rows = rowsFor(vectors, maxRows);
    offers.push_back({{"rows", rows},
                      {"tiles", std::max<int64_t>(1, lanes / rows)},
                      {"vectors", vectors},
                      {"lanes", lanes}});
  };
  int64_t maxRows = kernel.costs().maxCollidingLines;
  offer(vectorsFor(count), maxRows);
  for (int64_t vectors : {2, 1})
    for (int64_t rows : {maxRows, maxRows / 2})
      offer(vectors, rows);
  return offers;
}

/// Emits the tiles of the work item, one after the other.
LogicalResult SwappedContraction::computeTiles(const Values &dims,
                                               const Tile &tile) {
  int64_t rowsOfTile = tiling.rows / numTiles;
  int64_t vectors = tile.laneAt.size();
  llvm::SaveAndRestore<int64_t> part(tiling.rows, rowsOfTile);
  auto times = [&](Value v, int64_t by) {
    return b.createOrFold<arith::MulIOp>(v, indexConstant(kernel, by));
  };
  auto computeTile = [&](Value number, ValueRange) -> FailureOr<Values> {
    Tile here = tile;
    tiling.placeRows({{},
                      b.createOrFold<arith::AddIOp>(tile.firstRow,
                                                    times(number, rowsOfTile))},
                     here);
    Values zeros(rowsOfTile * vectors,
                 constantOf(b, b.getLoc(), tiling.vectorType(), 0));
    FailureOr<Values> sums =
        tiles.streams.emitSteps(dims, here, zeros,
                                [&](const Values &at, ValueRange carried) {
                                  return tiles.emitStep(at, here, carried);
                                },
                                {});
    if (failed(sums))
      return failure();
    Value begin = times(number, rowsOfTile * vectors * tiling.width);
    for (auto [i, sum] : llvm::enumerate(*sums))
      vector::StoreOp::create(
          b, sum, tiles.epilogue.accumulators,
          b.createOrFold<arith::AddIOp>(
              begin, indexConstant(kernel, i * tiling.width)));
    return Values();
  };
  return success(
      succeeded(forRange(kernel, indexConstant(kernel, 0),
                         indexConstant(kernel, numTiles), 1, {}, computeTile)));
}

FailureOr<KernelSpec> SwappedContraction::emit() {
  if (failed(plan.planNest()))
    return failure();
  numTiles = kernel.scheduled("tiles");
  tiling.readSchedule();
  tiling.rows *= numTiles;
  AffineExpr scratch = tiles.planColumns(/*splitSharedBytes=*/false);
  tiles.streams.addNextRows(tiles.x);
  return tiles.emitItems(scratch, [&](const Values &dims, const Tile &tile) {
    return computeTiles(dims, tile);
  });
}

const Skeleton contractionSwapped = {
    .name = "swapped",
    .kind = tx::kinds::contraction,
    .match =
        [](KernelBuilder &fusion, tx::OrderAttr order) {
          return isFma(order) && SwappedContraction(fusion).matches();
        },
    .schedules =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return SwappedContraction(fusion).offer();
        },
    .emit =
        [](KernelBuilder &kernel) {
          return single(SwappedContraction(kernel).emit());
        },
    .order = contractionOrder,
    // The epilogue reads and writes each element once, so an output may alias
    // an input.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
