//===- SweptContraction.cpp - Contraction of few rows, in long runs of y --===//
//
// for each run of columns in the item's range:
//   accumulators[row][columns] = 0
//   for k, several steps at a time:
//     for each vector of the run:
//       accumulators[row] += x(row, k..) * y(k.., vector)
//   for each row: epilogue, store
//
// With few rows, reading y is the bottleneck. A tile whose accumulators are in
// registers reads only a few lines of each row of y, and the rows are far
// apart, so the hardware prefetcher does not help. Here the accumulators are in
// L1, and a few rows of y at a time are read in long runs. Each accumulator
// adds its products in the order of k, as in the other skeletons.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/Sweep.h"
#include "codegen/emitters/simd/contraction/parts/ColumnLoads.h"
#include "codegen/emitters/simd/contraction/parts/Epilogue.h"
#include "codegen/emitters/simd/contraction/parts/RowPanel.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

namespace {

class SweptContraction {
public:
  explicit SweptContraction(KernelBuilder &kernel)
      : plan(kernel), kernel(kernel), b(kernel.b) {}

  /// True if there are few rows, y exceeds the caches, and rows of y are
  /// contiguous and long. Matrices of bytes are left to TiledContraction, whose
  /// tiles prefetch: a vector of bytes is too short for long runs to help.
  bool matches();
  FailureOr<Offers> offer();
  FailureOr<KernelSpec> emit();

private:
  /// Columns [begin, end). `length` is constant if all runs consist of whole
  /// vectors.
  struct Run {
    Value begin, end;
    AffineExpr length;
  };
  Value offsetOf(Value row, Value column);
  LogicalResult emitSteps(Values dims, const Run &run, int64_t count);
  LogicalResult emitRun(Values dims, const Run &run);

  ContractionPlan plan;
  Tiling tiling{plan};
  Epilogue epilogue{plan, tiling};
  RowPanel x{plan, tiling};
  std::optional<ColumnReads> y;
  std::optional<ColumnLoads> loads;
  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
};

} // namespace

bool SweptContraction::matches() {
  const CpuCosts &costs = kernel.costs();
  if (failed(plan.planNest()))
    return false;
  tiling.splitOuterLoops();
  std::optional<int64_t> count = constantOf(plan.loops.sizes[plan.rowLoop]),
                         columns = constantOf(plan.loops.sizes[plan.laneLoop]),
                         steps =
                             constantOf(plan.loops.sizes[plan.kLoops.front()]);
  if (!tiling.sharedLoops.empty() || plan.kLoops.size() != 1 || !count ||
      !columns || !steps || *count < 1 || *count > costs.maxMemoryBoundRows)
    return false;
  ColumnReads reads = ColumnReads::inPlace(plan);
  int64_t bytes = reads.elementBytes;
  int64_t size = *columns * *steps * bytes;
  if (!reads.alongLanes || bytes == 1)
    return false;
  // Short rows of y are read in the order of memory, too, if nothing is between
  // them.
  if (*columns * bytes < costs.minSweptBytes)
    return reads.stepElements == *columns &&
           *columns >= kernel.target.getLanes(plan.accumulator) &&
           size >= costs.minShortSweptBytes;
  return reads.stepElements * bytes >= costs.minSweptBytes &&
         comeFromMemory(size, kernel.target);
}

FailureOr<Offers> SweptContraction::offer() {
  const CpuCosts &costs = kernel.costs();
  if (failed(plan.planNest()))
    return failure();
  int64_t lanes = kernel.target.getLanes(plan.accumulator);
  int64_t count = *constantOf(plan.loops.sizes[plan.rowLoop]);
  int64_t each = plan.accumulator.getIntOrFloatBitWidth() / 8;
  int64_t maximum = kernel.target.getL1Bytes() / 2 / (count * lanes * each);
  int64_t vectors = std::max<int64_t>(maximum / costs.sweptItemVectors, 1) *
                    costs.sweptItemVectors;
  Offers offers;
  for (int64_t steps : {8, 4, 16})
    offers.push_back({{"rows", count},
                      {"steps", steps},
                      {"vectors", vectors},
                      {"lanes", lanes}});
  return offers;
}

/// Returns the index of the accumulators of a row from `column` (relative to
/// the run) on.
Value SweptContraction::offsetOf(Value row, Value column) {
  return b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(
          row,
          indexConstant(kernel, kernel.scheduled("vectors") * tiling.width)),
      column);
}

/// Emits `count` K steps, starting at the step in `dims`, for a run of columns.
LogicalResult SweptContraction::emitSteps(Values dims, const Run &run,
                                          int64_t count) {
  unsigned sum = plan.kLoops.front();
  auto type = VectorType::get({tiling.width}, plan.accumulator);
  // Indices of each step, and factors of each row and step.
  Values kSteps, factors;
  for (int64_t s = 0; s < count; ++s)
    kSteps.push_back(
        b.createOrFold<arith::AddIOp>(dims[sum], indexConstant(kernel, s)));
  for (int64_t r = 0; r < tiling.rows; ++r)
    for (Value tile : kSteps) {
      dims[plan.rowLoop] = indexConstant(kernel, r);
      dims[sum] = tile;
      FailureOr<Value> element = x.element(dims, {}, r);
      if (failed(element))
        return failure();
      factors.push_back(vector::BroadcastOp::create(b, type, *element));
    }
  auto ofVector = [&](Value lane, Value mask, ValueRange) -> FailureOr<Values> {
    Tile tile;
    tile.laneAt = {lane};
    tile.masks = {mask};
    Values columns;
    for (Value step : kSteps) {
      dims[sum] = step;
      FailureOr<Values> column = loads->load(dims, tile);
      if (failed(column))
        return failure();
      columns.push_back(column->front());
    }
    Value inRun = b.createOrFold<arith::SubIOp>(lane, run.begin);
    for (int64_t r = 0; r < tiling.rows; ++r) {
      Value at = offsetOf(indexConstant(kernel, r), inRun);
      Value total = vector::LoadOp::create(b, type, epilogue.accumulators, at);
      for (auto [s, column] : llvm::enumerate(columns))
        total = plan.multiplyAdd(factors[r * count + s], column, total);
      vector::StoreOp::create(b, total, epilogue.accumulators, at);
    }
    return Values();
  };
  return success(succeeded(forLanes(kernel, run.begin, run.end, tiling.width,
                                    run.length, {}, ofVector)));
}

/// Emits a run of columns: all K steps, then the epilogue.
LogicalResult SweptContraction::emitRun(Values dims, const Run &run) {
  auto type = VectorType::get({tiling.width}, plan.accumulator);
  Value zero = indexConstant(kernel, 0);
  auto ofVectors =
      [&](function_ref<LogicalResult(Value row, Value lane, Value mask)> body) {
        return forRange(
            kernel, zero, kernel.size(plan.loops.sizes[plan.rowLoop]), 1, {},
            [&](Value row, ValueRange) {
              return forLanes(
                  kernel, run.begin, run.end, tiling.width, run.length, {},
                  [&](Value lane, Value mask, ValueRange) -> FailureOr<Values> {
                    if (failed(body(row, lane, mask)))
                      return failure();
                    return Values();
                  });
            });
      };
  Value nothing = constantOf(b, b.getLoc(), type, 0);
  auto at = [&](Value row, Value lane) {
    return offsetOf(row, b.createOrFold<arith::SubIOp>(lane, run.begin));
  };
  if (failed(ofVectors([&](Value row, Value lane, Value) {
        vector::StoreOp::create(b, nothing, epilogue.accumulators,
                                at(row, lane));
        return success();
      })))
    return failure();
  int64_t steps = kernel.scheduled("steps");
  int64_t all = *constantOf(plan.loops.sizes[plan.kLoops.front()]),
          rest = all % steps;
  Value fullEnd = indexConstant(kernel, all - rest);
  if (failed(forRange(kernel, zero, fullEnd, steps, {},
                      [&](Value k, ValueRange) -> FailureOr<Values> {
                        dims[plan.kLoops.front()] = k;
                        if (failed(emitSteps(dims, run, steps)))
                          return failure();
                        return Values();
                      })))
    return failure();
  dims[plan.kLoops.front()] = fullEnd;
  if (rest && failed(emitSteps(dims, run, rest)))
    return failure();
  return success(succeeded(ofVectors([&](Value row, Value lane, Value mask) {
    dims[plan.rowLoop] = row;
    Tile tile;
    tile.laneAt = {lane};
    tile.masks = {mask};
    Value inTile = b.createOrFold<arith::DivUIOp>(
        at(row, lane), indexConstant(kernel, tiling.width));
    return epilogue.storeRow(dims, inTile, tile);
  })));
}

FailureOr<KernelSpec> SweptContraction::emit() {
  const CpuCosts &costs = kernel.costs();
  if (failed(plan.planNest()))
    return failure();
  tiling.splitOuterLoops();
  tiling.rows = kernel.scheduled("rows");
  tiling.width = kernel.scheduled("lanes");
  tiling.vectors = 1;
  y.emplace(ColumnReads::inPlace(plan));
  y->stepElements = 0; // no prefetches, because runs are long
  loads.emplace(plan, tiling, *y, /*packs=*/false);
  int64_t vectors = kernel.scheduled("vectors");
  int64_t sums = tiling.rows * vectors * tiling.width;
  epilogue.accumulators = memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, plan.accumulator),
      kernel.scratch(), indexConstant(kernel, 0),
      ValueRange{indexConstant(kernel, sums)});

  int64_t columns = *constantOf(plan.loops.sizes[plan.laneLoop]);
  int64_t itemColumns = costs.sweptItemVectors * tiling.width;
  int64_t perBatch = llvm::divideCeil(columns, itemColumns);
  SmallVector<AffineExpr> batches;
  for (unsigned loop : tiling.batchLoops)
    batches.push_back(plan.loops.sizes[loop]);
  Value items = indexConstant(kernel, perBatch);
  auto columnOf = [&](Value item) {
    return b.createOrFold<arith::MulIOp>(item,
                                         indexConstant(kernel, itemColumns));
  };
  auto inBatch = [&](Value batch, ValueRange) -> FailureOr<Values> {
    Values dims(plan.loops.sizes.size());
    for (auto [loop, value] : llvm::zip_equal(
             tiling.batchLoops, delinearize(kernel, batch, batches)))
      dims[loop] = value;
    Value first = b.createOrFold<arith::MulIOp>(batch, items);
    Value begin = b.createOrFold<arith::SubIOp>(
        b.createOrFold<arith::MaxUIOp>(kernel.begin(), first), first);
    Value end = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::SubIOp>(kernel.end(), first), items);
    int64_t maximum = vectors / costs.sweptItemVectors;
    return forRange(kernel, begin, end, maximum, {},
                    [&](Value from, ValueRange) -> FailureOr<Values> {
                      Value to = b.createOrFold<arith::MinUIOp>(
                          b.createOrFold<arith::AddIOp>(
                              from, indexConstant(kernel, maximum)),
                          end);
                      Run run{columnOf(from), columnOf(to),
                              plan.constant(itemColumns)};
                      if (columns % itemColumns != 0) {
                        run.end = b.createOrFold<arith::MinUIOp>(
                            run.end, indexConstant(kernel, columns));
                        run.length = {};
                      }
                      if (failed(emitRun(dims, run)))
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
  batches.push_back(plan.constant(perBatch));
  int64_t bytes =
      std::clamp<int64_t>(columns * y->elementBytes / costs.minSweptRuns,
                          costs.minSweptRunBytes, costs.sweptRunBytes);
  int64_t runBytes =
      std::max<int64_t>(costs.minSweptRunBytes, bytes / tiling.rows);
  return kernel.finish(
      kernel.names.product(batches),
      plan.constant(
          std::max<int64_t>(runBytes / (itemColumns * y->elementBytes), 1)),
      plan.constant(sums * (plan.accumulator.getIntOrFloatBitWidth() / 8)));
}

const Skeleton contractionSweep = {
    .name = "sweep",
    .kind = tx::kinds::contraction,
    .match =
        [](KernelBuilder &fusion, tx::OrderAttr order) {
          return isFma(order) && SweptContraction(fusion).matches();
        },
    .schedules = [](KernelBuilder &fusion,
                    tx::OrderAttr) { return SweptContraction(fusion).offer(); },
    .emit =
        [](KernelBuilder &kernel) {
          return single(SweptContraction(kernel).emit());
        },
    .order = contractionOrder,
    // The epilogue reads and writes each element once, so an output may alias
    // an input.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
