//===- PackedContraction.cpp - Contraction with x packed by a kernel ------===//
//
// first kernel, for each block of x:
//   pack tiles of rows, widened, as packed[tile][k][row] or [tile][row][k]
// second kernel: that of TiledContraction.cpp, reading packed x
//
// All tiles of columns read the same rows of x. If tiles cannot read them
// efficiently in place, a first kernel packs them once for all tiles and
// threads. This is the case if x is contiguous along its rows (a tile then uses
// only one or two cache lines per K step), or if x is narrower than the type in
// which it is multiplied. The packed layout keeps the contiguous dim innermost,
// so packing needs no transpose and reads whole lines.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/contraction/TiledContraction.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

namespace {

class PackedContraction {
public:
  explicit PackedContraction(KernelBuilder &kernel)
      : plan(kernel), kernel(kernel), b(kernel.b) {}

  bool matches();
  static FailureOr<EmittedKernels> emit(KernelBuilder &to);

private:
  LogicalResult packAlongRows(Values dims, Value firstStep, Value firstTile);
  LogicalResult packAlongK(Values dims, Value row);
  FailureOr<KernelSpec> emitPacking();

  ContractionPlan plan;
  Tiling tiling{plan};
  RowPanel x{plan, tiling};
  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
};

} // namespace

bool PackedContraction::matches() {
  const CpuCosts &costs = kernel.costs();
  if (failed(plan.planNest()))
    return false;
  tiling.splitOuterLoops();
  if (plan.kLoops.size() != 1 || !tiling.sharedLoops.empty() ||
      !isa<FloatType>(plan.accumulator))
    return false;
  for (AffineExpr size : plan.loops.sizes)
    if (!constantOf(size))
      return false;
  auto sizeOf = [&](unsigned loop) {
    return *constantOf(plan.loops.sizes[loop]);
  };
  std::optional<bool> alongRows = isXContiguousAlongRows(plan);
  if (sizeOf(plan.laneLoop) < costs.minPackedColumns ||
      sizeOf(plan.rowLoop) < costs.minPackedRows ||
      sizeOf(plan.kLoops.front()) < costs.minPackedSteps || !alongRows)
    return false;
  int64_t bytes = plan.accumulator.getIntOrFloatBitWidth() / 8 *
                  sizeOf(plan.rowLoop) * sizeOf(plan.kLoops.front());
  for (unsigned loop : tiling.batchLoopsOfX())
    bytes *= sizeOf(loop);
  return bytes <= costs.maxPackedBytes &&
         (widensRows(plan, tiling.outer) ||
          (*alongRows && bytes >= costs.minPackedBytes));
}

/// Packs a block of an x that is contiguous along its rows: for each of several
/// steps from `firstStep` on, the rows of several tiles from `firstTile` on.
LogicalResult PackedContraction::packAlongRows(Values dims, Value firstStep,
                                               Value firstTile) {
  unsigned sum = plan.kLoops.front();
  Value count = kernel.size(plan.loops.sizes[plan.rowLoop]);
  auto endOf = [&](Value begin, int64_t size, int64_t all) {
    return b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(begin, indexConstant(kernel, size)),
        indexConstant(kernel, all));
  };
  int64_t numRows = *constantOf(plan.loops.sizes[plan.rowLoop]);
  int64_t vectors = llvm::divideCeil(tiling.rows, tiling.width);
  // Number of tiles whose vectors lie within the rows of x although the last
  // vector of a tile may exceed the tile.
  int64_t numFullTiles =
      std::max<int64_t>(0, numRows - vectors * tiling.width + tiling.rows) /
      tiling.rows;
  Value endTile = endOf(firstTile, kernel.costs().packingTiles,
                        llvm::divideCeil(numRows, tiling.rows));
  Value endFull = b.createOrFold<arith::MinUIOp>(
      endTile, indexConstant(kernel, numFullTiles));
  auto ofTile = [&](Value tileNumber, bool isFull) -> FailureOr<Values> {
    Value row = b.createOrFold<arith::MulIOp>(
        tileNumber, indexConstant(kernel, tiling.rows));
    Value to = b.createOrFold<arith::AddIOp>(
        x.packedOffset(dims, row),
        b.createOrFold<arith::MulIOp>(dims[sum], kernel.size(x.stepStride)));
    for (int64_t v = 0; v < vectors; ++v) {
      Values at = dims;
      at[plan.rowLoop] = b.createOrFold<arith::AddIOp>(
          row, indexConstant(kernel, v * tiling.width));
      Value mask =
          isFull ? Value()
                 : laneMask(kernel, at[plan.rowLoop], count, tiling.width);
      FailureOr<Value> lanes =
          x.loadLanes(at, {plan.rowLoop, tiling.width}, mask);
      if (failed(lanes))
        return failure();
      vector::StoreOp::create(b, *lanes, x.memory,
                              b.createOrFold<arith::AddIOp>(
                                  to, indexConstant(kernel, v * tiling.width)));
    }
    return Values();
  };
  return success(succeeded(forRange(
      kernel, firstStep,
      endOf(firstStep, kernel.costs().packingSteps,
            *constantOf(plan.loops.sizes[sum])),
      1, {}, [&](Value step, ValueRange) -> FailureOr<Values> {
        dims[sum] = step;
        if (failed(
                forRange(kernel, firstTile, endFull, 1, {},
                         [&](Value t, ValueRange) { return ofTile(t, true); })))
          return failure();
        return forRange(
            kernel, b.createOrFold<arith::MaxUIOp>(firstTile, endFull), endTile,
            1, {}, [&](Value t, ValueRange) { return ofTile(t, false); });
      })));
}

/// Packs row `row` of an x that is contiguous along K.
LogicalResult PackedContraction::packAlongK(Values dims, Value row) {
  unsigned sum = plan.kLoops.front();
  AffineExpr steps = plan.loops.sizes[sum];
  Value inTile =
      b.createOrFold<arith::RemUIOp>(row, indexConstant(kernel, tiling.rows));
  Value begin = b.createOrFold<arith::AddIOp>(
      x.packedOffset(dims, b.createOrFold<arith::SubIOp>(row, inTile)),
      b.createOrFold<arith::MulIOp>(inTile, kernel.size(x.rowStride)));
  dims[plan.rowLoop] = row;
  return success(succeeded(forLanes(
      kernel, indexConstant(kernel, 0), kernel.size(steps), tiling.width, steps,
      {}, [&](Value step, Value mask, ValueRange) -> FailureOr<Values> {
        dims[sum] = step;
        FailureOr<Value> lanes = x.loadLanes(dims, {sum, tiling.width}, mask);
        if (failed(lanes))
          return failure();
        vector::StoreOp::create(b, *lanes, x.memory,
                                b.createOrFold<arith::AddIOp>(begin, step));
        return Values();
      })));
}

FailureOr<KernelSpec> PackedContraction::emitPacking() {
  const CpuCosts &costs = kernel.costs();
  SmallVector<AffineExpr> work;
  SmallVector<unsigned> batch = tiling.batchLoopsOfX();
  for (unsigned loop : batch)
    work.push_back(plan.loops.sizes[loop]);
  bool alongRows = !x.stepsAreContiguous();
  unsigned sum = plan.kLoops.front();
  int64_t tileRows = costs.packingTiles * tiling.rows;
  int64_t elements = *constantOf(plan.loops.sizes[sum]);
  if (alongRows) {
    work.push_back(kernel.names.simplify(
        plan.loops.sizes[sum].ceilDiv(costs.packingSteps)));
    work.push_back(kernel.names.simplify(
        plan.loops.sizes[plan.rowLoop].ceilDiv(tileRows)));
    elements = costs.packingSteps * tileRows;
  } else {
    work.push_back(plan.loops.sizes[plan.rowLoop]);
  }
  auto ofItem = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, work);
    Values dims(plan.loops.sizes.size(), indexConstant(kernel, 0));
    Value last = at.pop_back_val();
    Value step = alongRows ? at.pop_back_val() : Value();
    for (auto [loop, value] : llvm::zip_equal(batch, at))
      dims[loop] = value;
    LogicalResult packed =
        alongRows ? packAlongRows(
                        dims,
                        b.createOrFold<arith::MulIOp>(
                            step, indexConstant(kernel, costs.packingSteps)),
                        b.createOrFold<arith::MulIOp>(
                            last, indexConstant(kernel, costs.packingTiles)))
                  : packAlongK(dims, last);
    if (failed(packed))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, ofItem)))
    return failure();
  return kernel.finish(
      kernel.names.product(work),
      plan.constant(llvm::divideCeil(costs.packingGrain, elements)));
}

FailureOr<EmittedKernels> PackedContraction::emit(KernelBuilder &to) {
  EmittedKernels result;
  TiledContraction tiles(to);
  if (failed(tiles.readSchedule()))
    return failure();
  tiles.x.layOutPacked();
  result.temporaries = {
      {tiles.plan.accumulator,
       to.names.simplify(tiles.x.numTiles() * tiles.x.tileStride)}};
  KernelBuilder before(to, "_rows");
  before.addTemporaries(result.temporaries);
  to.addTemporaries(result.temporaries);
  PackedContraction rows(before);
  if (failed(rows.plan.planNest()))
    return failure();
  rows.tiling.readSchedule();
  rows.x.layOutPacked();
  rows.x.memory = before.temporary(0);
  tiles.x.memory = to.temporary(0);
  FailureOr<KernelSpec> packing = rows.emitPacking();
  FailureOr<KernelSpec> products = tiles.emitTiles();
  if (failed(packing) || failed(products))
    return failure();
  result.launches = {*packing, *products};
  return result;
}

const Skeleton contractionPacked = {
    .name = "packed",
    .kind = tx::kinds::contraction,
    .match = [](KernelBuilder &fusion,
                tx::OrderAttr) { return PackedContraction(fusion).matches(); },
    .schedules = [](KernelBuilder &fusion,
                    tx::OrderAttr) { return TiledContraction(fusion).offer(); },
    .emit = PackedContraction::emit,
    .order = contractionOrder,
    // Only the second kernel writes outputs. Its epilogue reads and writes each
    // element once, so an output may alias an input.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
