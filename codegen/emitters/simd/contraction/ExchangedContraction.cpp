//===- ExchangedContraction.cpp - x times a transposed matrix, turned -----===//
//
// As in Contraction.cpp, with the operands exchanged: y's columns are the rows
// of tiles, and x's rows are the lanes.
//
// for each block of x's rows:
//   panel[k][row] = x(row, k)
//   for each group of columns:
//     for each tile of them, one below the other:
//       for k: accumulators[column][row] += y(column, k) * panel[k][row]
//     turn the group's sums; for each row: epilogue, store
//
// Memory holds y along k, so lanes of columns are turned before they are
// multiplied, whole panels of them, and few rows of x do not pay for that. As
// rows of a tile they are read as they lie, one element at a time. x is turned
// once for all of them, and so are the sums. Those of several tiles are turned
// together, so that vectors of the result are whole ones.
//
// A product and its sum do not depend on which operand is called x: the bits
// are those of the other skeletons.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/Sweep.h"
#include "codegen/emitters/simd/contraction/ContractionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tensorc::codegen::simd {

namespace {
/// What a tile of y's columns pays for turning y, in rows of x, and where the
/// columns push each other out of the nearest cache, or come from memory. A
/// panel of x costs as much for each of its elements, and to turn a sum half as
/// much.
constexpr int64_t turnCost = 8, farTurnCost = 24;
/// Fewer sums of a tile wait for each other.
constexpr int64_t fewestSums = 8;
/// More read a large y from memory too often.
constexpr int64_t mostLanes = 512;
/// A shorter sum does not pay for its loops.
constexpr int64_t fewestSteps = 64;
/// Rows of a tile: as many lines as the nearest cache holds of those that share
/// a place in it.
constexpr int64_t mostRows = 8;

class ExchangedContraction : public ContractionSkeleton {
public:
  explicit ExchangedContraction(KernelBuilder &kernel)
      : ContractionSkeleton(kernel) {
    isSwapped = true;
  }

  bool fits();
  FailureOr<Offers> offerExchanged();
  FailureOr<KernelSpec> emitExchanged();

private:
  /// A work item's, one below the other. `rows` are those of all.
  int64_t tiles = 0;

  int64_t vectorsFor(int64_t count);
  int64_t rowsFor(int64_t vectors, int64_t most);
  bool pays();
  LogicalResult sumTile(const Values &dims, const Tile &place) override;
};
} // namespace

bool ExchangedContraction::fits() {
  if (failed(planNest()))
    return false;
  tiling.splitOuterLoops();
  auto matrix = dyn_cast<BlockArgument>(operandX());
  if (!matrix || kernel.isScalar(matrix) || !isa<FloatType>(accumulator) ||
      kernelType(getElementTypeOrSelf(matrix)) != accumulator)
    return false;
  bool isOther = llvm::any_of(outerLoops, [&](unsigned loop) {
    return roles[loops.innermost[loop]] != Role::Batch;
  });
  bool isKnown = llvm::all_of(loops.sizes, [](AffineExpr size) {
    return constantOf(size).has_value();
  });
  if (isOther || !isKnown || sumLoops.size() != 1 || !resultIsAlongRows(*this))
    return false;
  // Memory holds the matrix along the sum.
  return findRowsOfX() == false && pays();
}

/// Side by side: as many as leave the fewest lanes empty.
int64_t ExchangedContraction::vectorsFor(int64_t count) {
  int64_t lanes = kernel.target.getLanes(accumulator);
  if (count <= lanes)
    return 1;
  return kernel.target.getNumVectorRegisters() >= 32 &&
                 llvm::alignTo(count, 3 * lanes) <
                     llvm::alignTo(count, 2 * lanes)
             ? 3
             : 2;
}

int64_t ExchangedContraction::rowsFor(int64_t vectors, int64_t most) {
  int64_t fit = (kernel.target.getNumVectorRegisters() - vectors - 2) / vectors;
  return std::min<int64_t>(llvm::bit_floor<uint64_t>(fit), most);
}

/// Rows of x, columns and steps: lanes that are empty, a panel of x and sums
/// that are turned, instead of a y that is turned. One tile that holds all rows
/// of x has no panel of y.
bool ExchangedContraction::pays() {
  int64_t lanes = kernel.target.getLanes(accumulator);
  int64_t count = *constantOf(loops.sizes[laneLoop]),
          columns = *constantOf(loops.sizes[rowLoop]),
          steps = *constantOf(loops.sizes[sumLoops.front()]);
  if (count < lanes || count > mostLanes || columns < count ||
      steps < fewestSteps)
    return false;
  int64_t bytes = columns * steps * accumulator.getIntOrFloatBitWidth() / 8;
  bool isFar = rowsCollide() || comeFromMemory(bytes, kernel.target);
  int64_t each = isFar ? farTurnCost : turnCost;
  // The last tile may have one vector, if that is sums enough.
  int64_t vectors = vectorsFor(count);
  int64_t least = rowsFor(vectors, mostRows) >= fewestSums ? 1 : vectors;
  int64_t empty = llvm::alignTo(count, least * lanes) - count;
  return empty * columns * steps + each * count * steps +
             each * count * columns / 2 <
         each * columns * steps;
}

FailureOr<Offers> ExchangedContraction::offerExchanged() {
  if (failed(planNest()))
    return failure();
  int64_t lanes = kernel.target.getLanes(accumulator);
  int64_t count = *constantOf(loops.sizes[laneLoop]);
  Offers offers;
  auto offer = [&](int64_t vectors, int64_t most) {
    int64_t rows = rowsFor(vectors, most);
    offers.push_back({{"rows", rows},
                      {"tiles", std::max<int64_t>(1, lanes / rows)},
                      {"vectors", vectors},
                      {"lanes", lanes}});
  };
  offer(vectorsFor(count), mostRows);
  for (int64_t vectors : {2, 1})
    for (int64_t most : {mostRows, mostRows / 2})
      offer(vectors, most);
  return offers;
}

/// Those of the item's tiles, one after the other.
LogicalResult ExchangedContraction::sumTile(const Values &dims,
                                            const Tile &place) {
  int64_t ofTile = tiling.rows / tiles;
  auto type = VectorType::get({tiling.width}, accumulator);
  int64_t vectors = place.laneAt.size();
  llvm::SaveAndRestore<int64_t> part(tiling.rows, ofTile);
  auto times = [&](Value v, int64_t by) {
    return b.createOrFold<arith::MulIOp>(v, indexConstant(kernel, by));
  };
  return success(succeeded(forRange(
      kernel, indexConstant(kernel, 0), indexConstant(kernel, tiles), 1, {},
      [&](Value number, ValueRange) -> FailureOr<Values> {
        Tile here = place;
        tiling.placeRows({{},
                          b.createOrFold<arith::AddIOp>(place.firstRow,
                                                        times(number, ofTile))},
                         here);
        Values zeros(ofTile * vectors, constantOf(b, b.getLoc(), type, 0));
        FailureOr<Values> sums = sumBlocks(
            dims, here, zeros, [&](const Values &at, ValueRange carried) {
              return step(at, here, carried);
            });
        if (failed(sums))
          return failure();
        Value begin = times(number, ofTile * vectors * tiling.width);
        for (auto [i, sum] : llvm::enumerate(*sums))
          vector::StoreOp::create(
              b, sum, epilogue.accumulators,
              b.createOrFold<arith::AddIOp>(
                  begin, indexConstant(kernel, i * tiling.width)));
        return Values();
      })));
}

FailureOr<KernelSpec> ExchangedContraction::emitExchanged() {
  if (failed(planNest()))
    return failure();
  tiles = kernel.scheduled("tiles");
  tiling.readSchedule();
  tiling.rows *= tiles;
  bool inPlace = isInPlace();
  planReadLoops(inPlace);
  epilogue.allocate();
  AffineExpr scratch = planPanel(inPlace);
  planRowsAhead();
  return emitItems(scratch);
}

const Skeleton contractionExchanged = {
    .name = "exchanged",
    .kind = tx::kinds::contraction,
    .match = [](KernelBuilder &fusion,
                tx::OrderAttr) { return ExchangedContraction(fusion).fits(); },
    .schedules =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return ExchangedContraction(fusion).offerExchanged();
        },
    .emit =
        [](KernelBuilder &kernel) {
          return single(ExchangedContraction(kernel).emitExchanged());
        },
    .order = contractionOrder,
    // The epilogue visits each element once, when its sum is complete.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
