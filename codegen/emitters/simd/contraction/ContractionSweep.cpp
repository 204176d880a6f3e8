//===- ContractionSweep.cpp - Few rows times a matrix that lies in rows ---===//
//
// for each run of columns, as far as the item's range goes:
//   sums[row][columns] = 0
//   for k, by steps:
//     for each vector of the run: sums[row] += x(row, k..) * y(k.., vector)
//   for each row: epilogue, store
//
// Few rows make reading y the limit, and y's rows are far apart. A tile that
// keeps its sums in registers reads a few lines of each row, which no processor
// sees coming. So sums lie in the nearest cache, and a few rows of y are read
// by long runs. Each sum takes its steps in the order of k, as in a tile.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/Sweep.h"
#include "codegen/emitters/simd/contraction/ContractionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// With more rows products are the limit.
static constexpr int64_t mostRows = 8;
/// Vectors of a work item.
static constexpr int64_t itemVectors = 8;
/// Of a row of y that a thread reads at once. The first is what tiles read
/// worse than, and the second a page, beyond which no processor looks ahead.
static constexpr int64_t shortRunBytes = 1024, longRunBytes = 4096;
/// Runs of a row that threads can share.
static constexpr int64_t enoughRuns = 4;

/// Whether the loops are few rows, times a matrix that is larger than caches
/// and whose rows are long runs through memory. Tiles read bytes faster: a
/// vector takes few of them, and tiles ask for them ahead.
bool ContractionSkeleton::sweeps() {
  if (failed(planNest()))
    return false;
  tiling.splitOuterLoops();
  std::optional<int64_t> count = constantOf(loops.sizes[rowLoop]),
                         columns = constantOf(loops.sizes[laneLoop]),
                         steps = constantOf(loops.sizes[sumLoops.front()]);
  if (!tiling.sharedLoops.empty() || sumLoops.size() != 1 || !count ||
      !columns || !steps || *count < 1 || *count > mostRows)
    return false;
  ReadLoops reads = loopsInPlace();
  int64_t bytes = reads.elementBytes;
  return reads.alongLanes && bytes > 1 &&
         *columns * bytes >= fewestSweptBytes &&
         reads.stepElements * bytes >= fewestSweptBytes &&
         comeFromMemory(*columns * *steps * bytes, kernel.target);
}

FailureOr<Offers> ContractionSkeleton::offerSweeps() {
  if (failed(planNest()))
    return failure();
  int64_t lanes = kernel.target.getLanes(accumulator);
  int64_t count = *constantOf(loops.sizes[rowLoop]);
  int64_t each = accumulator.getIntOrFloatBitWidth() / 8;
  int64_t most = kernel.target.getL1Bytes() / 2 / (count * lanes * each);
  int64_t vectors = std::max<int64_t>(most / itemVectors, 1) * itemVectors;
  Offers offers;
  for (int64_t steps : {8, 4, 16})
    offers.push_back({{"rows", count},
                      {"steps", steps},
                      {"vectors", vectors},
                      {"lanes", lanes}});
  return offers;
}

/// Where the sums of a row are, from a column of the run on.
Value ContractionSkeleton::sweptPlace(Value row, Value column) {
  return b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(
          row,
          indexConstant(kernel, kernel.scheduled("vectors") * tiling.width)),
      column);
}

/// `count` steps of the sum from that in `dims` on, for a run of columns.
LogicalResult ContractionSkeleton::sweepSteps(Values dims, const Run &run,
                                              int64_t count) {
  unsigned sum = sumLoops.front();
  auto type = VectorType::get({tiling.width}, accumulator);
  Values places, factors; // of each step; of each row and step
  for (int64_t s = 0; s < count; ++s)
    places.push_back(
        b.createOrFold<arith::AddIOp>(dims[sum], indexConstant(kernel, s)));
  for (int64_t r = 0; r < tiling.rows; ++r)
    for (Value place : places) {
      dims[rowLoop] = indexConstant(kernel, r);
      dims[sum] = place;
      FailureOr<Value> element = elementOfX(dims, {}, r);
      if (failed(element))
        return failure();
      factors.push_back(vector::BroadcastOp::create(b, type, *element));
    }
  auto ofVector = [&](Value lane, Value mask, ValueRange) -> FailureOr<Values> {
    Tile place;
    place.laneAt = {lane};
    place.masks = {mask};
    Values columns;
    for (Value step : places) {
      dims[sum] = step;
      FailureOr<Values> column = columnsOf(dims, place);
      if (failed(column))
        return failure();
      columns.push_back(column->front());
    }
    Value inRun = b.createOrFold<arith::SubIOp>(lane, run.begin);
    for (int64_t r = 0; r < tiling.rows; ++r) {
      Value at = sweptPlace(indexConstant(kernel, r), inRun);
      Value total = vector::LoadOp::create(b, type, epilogue.accumulators, at);
      for (auto [s, column] : llvm::enumerate(columns))
        total = multiplyAdd(factors[r * count + s], column, total);
      vector::StoreOp::create(b, total, epilogue.accumulators, at);
    }
    return Values();
  };
  return success(succeeded(forLanes(kernel, run.begin, run.end, tiling.width,
                                    run.length, {}, ofVector)));
}

/// The sums of a run of columns, and what the fusion makes of them.
LogicalResult ContractionSkeleton::sweepRun(Values dims, const Run &run) {
  auto type = VectorType::get({tiling.width}, accumulator);
  Value zero = indexConstant(kernel, 0);
  auto ofVectors =
      [&](function_ref<LogicalResult(Value row, Value lane, Value mask)> body) {
        return forRange(kernel, zero, kernel.size(loops.sizes[rowLoop]), 1, {},
                        [&](Value row, ValueRange) {
                          return forLanes(kernel, run.begin, run.end,
                                          tiling.width, run.length, {},
                                          [&](Value lane, Value mask,
                                              ValueRange) -> FailureOr<Values> {
                                            if (failed(body(row, lane, mask)))
                                              return failure();
                                            return Values();
                                          });
                        });
      };
  Value nothing = constantOf(b, b.getLoc(), type, 0);
  auto at = [&](Value row, Value lane) {
    return sweptPlace(row, b.createOrFold<arith::SubIOp>(lane, run.begin));
  };
  if (failed(ofVectors([&](Value row, Value lane, Value) {
        vector::StoreOp::create(b, nothing, epilogue.accumulators,
                                at(row, lane));
        return success();
      })))
    return failure();
  int64_t steps = kernel.scheduled("steps");
  int64_t all = *constantOf(loops.sizes[sumLoops.front()]), rest = all % steps;
  Value whole = indexConstant(kernel, all - rest);
  if (failed(forRange(kernel, zero, whole, steps, {},
                      [&](Value k, ValueRange) -> FailureOr<Values> {
                        dims[sumLoops.front()] = k;
                        if (failed(sweepSteps(dims, run, steps)))
                          return failure();
                        return Values();
                      })))
    return failure();
  dims[sumLoops.front()] = whole;
  if (rest && failed(sweepSteps(dims, run, rest)))
    return failure();
  return success(succeeded(ofVectors([&](Value row, Value lane, Value mask) {
    dims[rowLoop] = row;
    Tile place;
    place.laneAt = {lane};
    place.masks = {mask};
    Value inTile = b.createOrFold<arith::DivUIOp>(
        at(row, lane), indexConstant(kernel, tiling.width));
    return epilogue.storeRow(dims, inTile, place);
  })));
}

FailureOr<KernelSpec> ContractionSkeleton::emitSweep() {
  if (failed(planNest()))
    return failure();
  tiling.splitOuterLoops();
  tiling.rows = kernel.scheduled("rows");
  tiling.width = kernel.scheduled("lanes");
  tiling.vectors = 1;
  y.emplace(loopsInPlace());
  y->stepElements = 0; // Nothing is asked for ahead: runs are long.
  int64_t vectors = kernel.scheduled("vectors");
  int64_t sums = tiling.rows * vectors * tiling.width;
  epilogue.accumulators = memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, accumulator), kernel.scratch(),
      indexConstant(kernel, 0), ValueRange{indexConstant(kernel, sums)});

  int64_t columns = *constantOf(loops.sizes[laneLoop]);
  int64_t itemColumns = itemVectors * tiling.width;
  int64_t perBatch = llvm::divideCeil(columns, itemColumns);
  SmallVector<AffineExpr> batches;
  for (unsigned loop : tiling.batchLoops)
    batches.push_back(loops.sizes[loop]);
  Value items = indexConstant(kernel, perBatch);
  auto columnOf = [&](Value item) {
    return b.createOrFold<arith::MulIOp>(item,
                                         indexConstant(kernel, itemColumns));
  };
  auto inBatch = [&](Value batch, ValueRange) -> FailureOr<Values> {
    Values dims(loops.sizes.size());
    for (auto [loop, value] : llvm::zip_equal(
             tiling.batchLoops, delinearize(kernel, batch, batches)))
      dims[loop] = value;
    Value first = b.createOrFold<arith::MulIOp>(batch, items);
    Value begin = b.createOrFold<arith::SubIOp>(
        b.createOrFold<arith::MaxUIOp>(kernel.begin(), first), first);
    Value end = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::SubIOp>(kernel.end(), first), items);
    int64_t most = vectors / itemVectors;
    return forRange(
        kernel, begin, end, most, {},
        [&](Value from, ValueRange) -> FailureOr<Values> {
          Value to = b.createOrFold<arith::MinUIOp>(
              b.createOrFold<arith::AddIOp>(from, indexConstant(kernel, most)),
              end);
          Run run{columnOf(from), columnOf(to), constant(itemColumns)};
          if (columns % itemColumns != 0) {
            run.end = b.createOrFold<arith::MinUIOp>(
                run.end, indexConstant(kernel, columns));
            run.length = {};
          }
          if (failed(sweepRun(dims, run)))
            return failure();
          return Values();
        });
  };
  Value one = indexConstant(kernel, 1);
  Value lastBatch = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::DivUIOp>(
          b.createOrFold<arith::SubIOp>(kernel.end(), one), items),
      one);
  if (failed(forRange(kernel,
                      b.createOrFold<arith::DivUIOp>(kernel.begin(), items),
                      lastBatch, 1, {}, inBatch)))
    return failure();
  batches.push_back(constant(perBatch));
  int64_t bytes = std::clamp(columns * y->elementBytes / enoughRuns,
                             shortRunBytes, longRunBytes);
  int64_t runBytes = std::max(shortRunBytes, bytes / tiling.rows);
  return kernel.finish(
      kernel.names.product(batches),
      constant(
          std::max<int64_t>(runBytes / (itemColumns * y->elementBytes), 1)),
      constant(sums * (accumulator.getIntOrFloatBitWidth() / 8)));
}

const Skeleton contractionSweep = {
    .name = "sweep",
    .kind = tx::kinds::contraction,
    .match = [](KernelBuilder &fusion,
                tx::OrderAttr) { return ContractionSkeleton(fusion).sweeps(); },
    .schedules =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return ContractionSkeleton(fusion).offerSweeps();
        },
    .emit =
        [](KernelBuilder &kernel) {
          return single(ContractionSkeleton(kernel).emitSweep());
        },
    .order = contractionOrder,
    // As in tiles: the epilogue visits each element once.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
