//===- Contraction.cpp - Skeleton of fusions around a dot_general ---------===//
//
// for each tile of rows x lanes of the output, those of the same lanes in turn:
//   if the lanes are new: panel[k][vector] = y(k, vector)
//   accumulators = 0
//   for k: accumulators[row][vector] += x(row, k) * panel[k][vector]
//   for each row of the tile: epilogue, store
//
// x and y are read through the expression emitter, so what computes them is
// fused. Accumulators stay in registers for the whole k loop: k in order, one
// fused multiply-add per element, whatever the tile. The panel lies in scratch:
// y's own rows are far apart, often by a power of two, which caches hold badly.
// Where one tile holds all rows, y is read in place.
//
// Where memory holds y along k (x times a transposed y), no vector of columns
// lies side by side. As many columns as there are lanes are read along k, so
// many steps at once, and this block is transposed in registers: in the panel,
// or before it is multiplied. The order of the sum is the same.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/ContractionSkeleton.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

/// Multiply-adds that one work item's worth of overhead is spread over.
static constexpr int64_t grainFlops = 65536;

using Values = SmallVector<Value>;

//===----------------------------------------------------------------------===//
// The tile
//===----------------------------------------------------------------------===//

/// The rows of x at one step of the sum times vectors of y there, of which the
/// first is the tile's `vector`.
LogicalResult ContractionSkeleton::multiply(const Values &dims,
                                            const Place &place,
                                            ArrayRef<Value> columns,
                                            unsigned vector, Values &sums) {
  for (auto [r, row] : llvm::enumerate(place.rowAt)) {
    Values at = dims;
    at[rowLoop] = row;
    ExpressionEmitter elements(kernel, *space, at);
    FailureOr<Value> element = elements.emit(dot.getX(), xIndex);
    if (failed(element))
      return failure();
    Value x = vector::BroadcastOp::create(b, columns.front().getType(),
                                          widen(*element));
    for (auto [v, column] : llvm::enumerate(columns)) {
      Value &sum = sums[r * tileVectors + vector + v];
      sum = multiplyAdd(x, column, sum);
    }
  }
  return success();
}

/// One step of the sum for the whole tile.
FailureOr<SmallVector<Value>> ContractionSkeleton::step(const Values &dims,
                                                        const Place &place,
                                                        ValueRange carried) {
  auto type = VectorType::get({width}, accumulator);
  Values columns;
  if (panel) {
    for (unsigned v = 0; v < tileVectors; ++v)
      columns.push_back(
          vector::LoadOp::create(b, type, panel, panelPlace(dims, v)));
  } else {
    FailureOr<Values> read = columnsOf(dims, place);
    if (failed(read))
      return failure();
    columns = *read;
  }
  Values next(carried);
  if (failed(multiply(dims, place, columns, 0, next)))
    return failure();
  return next;
}

FailureOr<SmallVector<Value>> ContractionSkeleton::sumOver(unsigned level,
                                                           Values dims,
                                                           ValueRange carried,
                                                           Step step) {
  if (level == sumLoops.size())
    return step(dims, carried);
  unsigned loop = sumLoops[level];
  return forRange(kernel, indexConstant(kernel, 0),
                  kernel.size(loops.sizes[loop]), 1, carried,
                  [&](Value k, ValueRange sums) {
                    Values at = dims;
                    at[loop] = k;
                    return sumOver(level + 1, at, sums, step);
                  });
}

LogicalResult ContractionSkeleton::emitTile(const Values &dims, Value row0,
                                            Place &place) {
  // Rows past the end repeat the last one and are not stored.
  Value lastRow = b.createOrFold<arith::SubIOp>(
      kernel.size(loops.sizes[rowLoop]), indexConstant(kernel, 1));
  place.rowAt.clear();
  for (int64_t r = 0; r < rows; ++r)
    place.rowAt.push_back(b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(row0, indexConstant(kernel, r)),
        lastRow));
  auto type = VectorType::get({width}, accumulator);
  Values zeros(rows * tileVectors, constantOf(b, b.getLoc(), type, 0));
  FailureOr<Values> sums;
  if (alongSum && !panel)
    sums = sumOverBlocks(
        0, dims, place, zeros,
        [&](const Values &at, unsigned vector, ArrayRef<Value> block,
            ValueRange carried) -> FailureOr<Values> {
          Values next(carried), here = at;
          Value first = at[sumLoops.back()];
          for (auto [k, column] : llvm::enumerate(block)) {
            here[sumLoops.back()] =
                b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, k));
            if (failed(multiply(here, place, column, vector, next)))
              return failure();
          }
          return next;
        });
  else
    sums = sumOver(0, dims, zeros, [&](const Values &at, ValueRange carried) {
      return step(at, place, carried);
    });
  if (failed(sums))
    return failure();
  for (auto [i, sum] : llvm::enumerate(*sums))
    vector::StoreOp::create(b, sum, tile, indexConstant(kernel, i * width));
  return epilogue(dims, row0, place);
}

/// The tile's vectors: where they begin, and which of their lanes are there.
void ContractionSkeleton::planLanes(Value lane0, Place &place) {
  auto lanes = dyn_cast<AffineConstantExpr>(loops.sizes[laneLoop]);
  bool even = lanes && lanes.getValue() % (tileVectors * width) == 0;
  for (int64_t v = 0; v < tileVectors; ++v) {
    Value at =
        b.createOrFold<arith::AddIOp>(lane0, indexConstant(kernel, v * width));
    place.laneAt.push_back(at);
    place.masks.push_back(
        even ? Value()
             : laneMask(kernel, at, kernel.size(loops.sizes[laneLoop]), width));
  }
}

//===----------------------------------------------------------------------===//
// Epilogue and loops over tiles
//===----------------------------------------------------------------------===//

/// The epilogue is emitted once and loops over the tile's rows, so that a long
/// one does not multiply the kernel's size.
LogicalResult ContractionSkeleton::epilogue(Values dims, Value row0,
                                            const Place &place) {
  Value size = kernel.size(loops.sizes[rowLoop]);
  Value end = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(row0, indexConstant(kernel, rows)), size);
  auto stored = forRange(
      kernel, row0, end, 1, {},
      [&](Value row, ValueRange) -> FailureOr<Values> {
        Value inTile = b.createOrFold<arith::SubIOp>(row, row0);
        for (int64_t v = 0; v < tileVectors; ++v) {
          Values at = dims;
          at[rowLoop] = row;
          at[laneLoop] = place.laneAt[v];
          ExpressionEmitter elements(kernel, *space, at,
                                     ExpressionEmitter::Lanes{laneLoop, width},
                                     place.masks[v]);
          Value element0 = b.createOrFold<arith::AddIOp>(
              b.createOrFold<arith::MulIOp>(
                  inTile, indexConstant(kernel, tileVectors * width)),
              indexConstant(kernel, v * width));
          Value sum = vector::LoadOp::create(
              b, VectorType::get({width}, accumulator), tile, element0);
          Type to = kernelType(dot.getType().getElementType());
          if (to != accumulator)
            sum = arith::TruncFOp::create(b, VectorType::get({width}, to), sum);
          elements.bind(dot.getResult(), sum);
          for (auto [i, root] : llvm::enumerate(kernel.yield().getValues())) {
            FailureOr<Value> element = elements.emitLanes(root, outIndex);
            if (failed(element))
              return failure();
            elements.store(*element, i, outIndex);
          }
        }
        return Values();
      });
  return success(succeeded(stored));
}

/// One tile; `work` are the numbers of tiles per loop, rows last.
FailureOr<SmallVector<Value>>
ContractionSkeleton::emitItem(Value item, ArrayRef<AffineExpr> work) {
  Values at = delinearize(kernel, item, work);
  Value rowTile = at.pop_back_val();
  Value lane0 = b.createOrFold<arith::MulIOp>(
      at.pop_back_val(), indexConstant(kernel, tileVectors * width));
  Values dims(loops.sizes.size());
  Place place;
  for (auto [loop, value] : llvm::zip(outerLoops, at))
    dims[loop] = value;
  planLanes(lane0, place);
  if (panel) {
    Value first = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rowTile,
                                        indexConstant(kernel, 0));
    Value begins = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, item,
                                         kernel.begin());
    if (failed(pack(arith::OrIOp::create(b, first, begins), dims, place)))
      return failure();
  }
  Value row0 =
      b.createOrFold<arith::MulIOp>(rowTile, indexConstant(kernel, rows));
  if (failed(emitTile(dims, row0, place)))
    return failure();
  return Values();
}

FailureOr<Offers> ContractionSkeleton::offer() {
  if (failed(plan()))
    return failure();
  planReads();
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t lanes = kernel.target.getLanes(accumulator);
  Offers offers{choose()};
  for (int64_t vectors : {2, 1, 4}) {
    // Accumulators fill the registers but for the columns and two more.
    int64_t most = (registers - vectors - 2) / vectors;
    for (int64_t rows : {most, most / 2, int64_t(1)})
      if (rows > 0)
        offers.push_back(
            {{"rows", rows}, {"vectors", vectors}, {"lanes", lanes}});
  }
  return offers;
}

FailureOr<KernelSpec> ContractionSkeleton::emit() {
  if (failed(plan()))
    return failure();
  planReads();
  rows = kernel.scheduled("rows");
  tileVectors = kernel.scheduled("vectors");
  width = kernel.scheduled("lanes");
  tile = memref::AllocaOp::create(
      b, MemRefType::get({rows * tileVectors * width}, accumulator),
      b.getI64IntegerAttr(64));
  AffineExpr scratch = planPanel();

  SmallVector<AffineExpr> work;
  for (unsigned loop : outerLoops)
    work.push_back(loops.sizes[loop]);
  work.push_back(kernel.names.simplify(
      loops.sizes[laneLoop].ceilDiv(tileVectors * width)));
  work.push_back(kernel.names.simplify(loops.sizes[rowLoop].ceilDiv(rows)));
  if (failed(forRange(
          kernel, kernel.begin(), kernel.end(), 1, {},
          [&](Value item, ValueRange) { return emitItem(item, work); })))
    return failure();
  SmallVector<AffineExpr> sum{constant(rows * tileVectors * width)};
  for (unsigned loop : sumLoops)
    sum.push_back(loops.sizes[loop]);
  return kernel.finish(
      kernel.names.product(work),
      constant(grainFlops).ceilDiv(kernel.names.product(sum) + 1), scratch);
}

const Skeleton contraction = {"panel", "contraction", matchAll,
                              [](KernelBuilder &fusion, tx::OrderAttr) {
                                return ContractionSkeleton(fusion).offer();
                              },
                              [](KernelBuilder &kernel) {
                                return single(
                                    ContractionSkeleton(kernel).emit());
                              }};

} // namespace tensorc::codegen::simd
