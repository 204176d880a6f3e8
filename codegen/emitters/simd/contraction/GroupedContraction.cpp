//===- GroupedContraction.cpp - Contraction of narrow integers ------------===//
//
// for each work item (rows x some tiles of columns):
//   if the item has other columns than the previous one, for each of its tiles:
//     words[tile][group][column] = y(steps of the group, column)
//   wordsOfX[group][row] = x(row, steps of the group)
//   for each of its tiles:
//     accumulators = corrections
//     for each group:
//       accumulators[row] += dot(wordsOfX[group][row], words[tile][group])
//     for each row of the tile: epilogue, store
//
// This skeleton is for targets with dot-product instructions (such as VNNI)
// that add the products of several narrow integers to a 32-bit accumulator:
// four bytes, or two 16-bit elements. Therefore K is split into groups of steps
// that fill 32 bits. The last group is padded with zeros. Integer sums wrap
// around, so the order of additions does not affect the bits.
//
// The instruction for bytes multiplies unsigned by signed ones. If x has the
// wrong signedness, its highest bit is flipped, which adds 128 to signed bytes
// and subtracts 128 from unsigned ones. Each accumulator would be off by 128
// times the sum of y's column, so it starts with the negated error.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/contraction/parts/Epilogue.h"
#include "codegen/emitters/simd/contraction/parts/GroupPacking.h"
#include "codegen/kernel/CpuCosts.h"
#include "codegen/kernel/ops/Txk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

namespace {

class GroupedContraction {
public:
  explicit GroupedContraction(KernelBuilder &kernel)
      : plan(kernel), kernel(kernel), b(kernel.b) {}

  bool matches();
  FailureOr<Offers> offer();
  FailureOr<KernelSpec> emit();

private:
  FailureOr<Values> emitGroups(Value tileWords, Values sums,
                               ValueRange factors);
  LogicalResult packTile(const Values &dims, Value lane, Value number);
  FailureOr<Values> emitItem(Value item, ArrayRef<AffineExpr> work);

  ContractionPlan plan;
  Tiling tiling{plan};
  Epilogue epilogue{plan, tiling};
  GroupPacking packing{plan, tiling};
  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
  /// Buffers of the packed rows of x, and of the initial accumulators of each
  /// lane.
  Value wordsOfX, corrections;
};

} // namespace

bool GroupedContraction::matches() {
  if (kernel.target.getByteProducts() == ByteProducts::None &&
      !kernel.target.hasWordProducts())
    return false;
  if (failed(plan.planNest()) || !packing.planOperands())
    return false;
  AffineExpr steps = plan.constant(1), rows = plan.loops.sizes[plan.rowLoop];
  for (unsigned loop : plan.kLoops)
    steps = steps * plan.loops.sizes[loop];
  tiling.splitOuterLoops();
  for (unsigned loop : tiling.sharedLoops)
    rows = rows * plan.loops.sizes[loop];
  auto isFew = [&](AffineExpr size, int64_t minimum) {
    std::optional<int64_t> count = constantOf(kernel.names.simplify(size));
    return count && *count < minimum;
  };
  int64_t lanes = kernel.target.getLanes(plan.accumulator);
  return !isFew(rows, kernel.costs().minGroupedRows) &&
         !isFew(steps, kernel.costs().minGroupedSteps) &&
         !isFew(plan.loops.sizes[plan.laneLoop], lanes / 2);
}

FailureOr<Offers> GroupedContraction::offer() {
  if (failed(plan.planNest()) || !packing.planOperands())
    return failure();
  tiling.splitOuterLoops();
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t lanes = kernel.target.getLanes(plan.accumulator);
  std::optional<int64_t> count = constantOf(plan.loops.sizes[plan.rowLoop]),
                         columns = constantOf(plan.loops.sizes[plan.laneLoop]),
                         groups = constantOf(packing.countGroups());
  auto numbers = [&](int64_t vectors, int64_t rows, int64_t tiles) -> Numbers {
    return {{"rows", rows},
            {"vectors", vectors},
            {"tiles", tiles},
            {"lanes", lanes}};
  };
  auto maxRows = [&](int64_t vectors) {
    // Besides accumulators, registers hold one row of columns, an element of x
    // and a temporary.
    return std::max<int64_t>(1, (registers - vectors - 2) / vectors);
  };
  int64_t vectors = columns && *columns <= lanes ? 1 : 2;
  int64_t rows = maxRows(vectors), tiles = kernel.costs().usualGroupedTiles,
          rowTiles = 1;
  if (count && *count > 0) {
    rows = llvm::divideCeil(*count, llvm::divideCeil(*count, rows));
    rowTiles = llvm::divideCeil(*count, rows);
  }
  for (unsigned loop : tiling.sharedLoops)
    rowTiles *= constantOf(plan.loops.sizes[loop])
                    .value_or(kernel.costs().minPanelItems);
  int64_t lanesOfTile = vectors * lanes;
  if (groups && *groups > 0)
    tiles =
        kernel.target.getL2Bytes() / 2 / (lanesOfTile * wordBytes * *groups);
  if (columns) {
    tiles = std::min<int64_t>(tiles, llvm::divideCeil(*columns, lanesOfTile));
    while (tiles > 1 &&
           rowTiles * llvm::divideCeil(*columns, tiles * lanesOfTile) <
               static_cast<uint64_t>(kernel.costs().minPanelItems))
      tiles /= 2;
  }
  tiles = std::clamp<int64_t>(tiles, 1, kernel.costs().maxGroupedTiles);
  Offers offers{numbers(vectors, rows, tiles)};
  for (int64_t wide : {2, 1, 3, 4})
    for (int64_t some : {tiles, std::max<int64_t>(1, tiles / 2), tiles * 2})
      offers.push_back(numbers(wide, maxRows(wide), some));
  return offers;
}

/// Returns a view of `count` words of scratch memory, starting at word
/// `offsetWords`.
static Value partOf(KernelBuilder &kernel, Value scratch, Value offsetWords,
                    AffineExpr count) {
  ImplicitLocOpBuilder &b = kernel.b;
  Value bytes = b.createOrFold<arith::MulIOp>(offsetWords,
                                              indexConstant(kernel, wordBytes));
  return memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, b.getI32Type()), scratch,
      bytes, ValueRange{kernel.size(count)});
}

/// Adds the products of all groups of a tile to `sums`. The factors of y's
/// words are `factors`, one per row, or the words of x if `factors` is empty.
FailureOr<Values> GroupedContraction::emitGroups(Value tileWords, Values sums,
                                                 ValueRange factors) {
  auto type = VectorType::get({tiling.width}, b.getI32Type());
  auto elements =
      VectorType::get({tiling.width * packing.groupSteps}, packing.narrow);
  auto narrowed = [&](Value v) {
    return vector::BitCastOp::create(b, elements, v);
  };
  int64_t perRow = sums.size() / tiling.vectors;
  auto add = [&](Value group, ValueRange carried) -> FailureOr<Values> {
    Values next(carried), columns;
    for (int64_t v = 0; v < tiling.vectors; ++v)
      columns.push_back(narrowed(vector::LoadOp::create(
          b, type, tileWords,
          b.createOrFold<arith::AddIOp>(
              b.createOrFold<arith::MulIOp>(
                  group, indexConstant(kernel, tiling.lanes())),
              indexConstant(kernel, v * tiling.width)))));
    for (int64_t r = 0; r < perRow; ++r) {
      Value x;
      if (factors.empty()) {
        Value at = b.createOrFold<arith::AddIOp>(
            b.createOrFold<arith::MulIOp>(
                group, indexConstant(kernel, packing.x.vectors * tiling.width)),
            indexConstant(kernel, r));
        x = narrowed(vector::BroadcastOp::create(
            b, type, memref::LoadOp::create(b, wordsOfX, ValueRange{at})));
      } else {
        x = factors[r];
      }
      for (int64_t v = 0; v < tiling.vectors; ++v) {
        Value &sum = next[r * tiling.vectors + v];
        sum = txk::AddProductsOp::create(b, type, x, columns[v], sum,
                                         packing.x.isUnsigned,
                                         packing.y.isUnsigned);
      }
    }
    return next;
  };
  return forRange(kernel, indexConstant(kernel, 0),
                  kernel.size(packing.countGroups()), 1, sums, add);
}

/// Packs the columns of y from `lane` on as tile `number`, and computes their
/// initial accumulators.
LogicalResult GroupedContraction::packTile(const Values &dims, Value lane,
                                           Value number) {
  AffineExpr words = kernel.names.simplify(packing.countGroups() *
                                           plan.constant(tiling.lanes()));
  Value tileWords =
      partOf(kernel, kernel.scratch(),
             b.createOrFold<arith::MulIOp>(number, kernel.size(words)), words);
  if (failed(packing.pack(packing.y, tileWords, dims, lane)))
    return failure();
  if (!packing.x.flips)
    return success();
  auto type = VectorType::get({tiling.width}, b.getI32Type());
  Value zero = constantOf(b, b.getLoc(), type, 0);
  Value ones = constantOf(
      b, b.getLoc(),
      VectorType::get({tiling.width * packing.groupSteps}, packing.narrow), 1);
  auto sums = emitGroups(tileWords, Values(tiling.vectors, zero), ones);
  if (failed(sums))
    return failure();
  Value change =
      constantOf(b, b.getLoc(), type, packing.x.isUnsigned ? -128 : 128);
  for (auto [v, sum] : llvm::enumerate(*sums))
    vector::StoreOp::create(
        b, arith::MulIOp::create(b, sum, change), corrections,
        b.createOrFold<arith::AddIOp>(
            b.createOrFold<arith::MulIOp>(
                number, indexConstant(kernel, tiling.lanes())),
            indexConstant(kernel, v * tiling.width)));
  return success();
}

FailureOr<Values> GroupedContraction::emitItem(Value item,
                                               ArrayRef<AffineExpr> work) {
  int64_t lanesOfTile = tiling.lanes();
  WorkItem begin =
      tiling.beginItem(item, work, tiling.tilesOfItem * lanesOfTile);
  Value zero = indexConstant(kernel, 0);
  {
    auto ifOp = scf::IfOp::create(b, begin.isNew, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifOp.thenBlock());
    Values dims = begin.dims; // y does not depend on rows.
    for (unsigned loop = 0; loop < dims.size(); ++loop)
      if (!dims[loop] || llvm::is_contained(tiling.sharedLoops, loop))
        dims[loop] = zero;
    if (failed(tiling.forEachTile(begin, [&](Value number, Value lane0) {
          return packTile(dims, lane0, number);
        })))
      return failure();
  }
  Values ofX = begin.dims;
  for (Value &dim : ofX)
    if (!dim)
      dim = zero;
  if (failed(packing.pack(packing.x, wordsOfX, ofX, begin.first.row)))
    return failure();
  AffineExpr tileWords =
      kernel.names.simplify(packing.countGroups() * plan.constant(lanesOfTile));
  auto type = VectorType::get({tiling.width}, b.getI32Type());
  auto ofTile = [&](Value number, Value lane0) -> LogicalResult {
    Values columns;
    for (int64_t v = 0; v < tiling.vectors; ++v)
      columns.push_back(
          packing.x.flips
              ? Value(vector::LoadOp::create(
                    b, type, corrections,
                    b.createOrFold<arith::AddIOp>(
                        b.createOrFold<arith::MulIOp>(
                            number, indexConstant(kernel, lanesOfTile)),
                        indexConstant(kernel, v * tiling.width))))
              : constantOf(b, b.getLoc(), type, 0));
    Values sums;
    for (int64_t r = 0; r < tiling.rows; ++r)
      sums.append(columns);
    Value words =
        partOf(kernel, kernel.scratch(),
               b.createOrFold<arith::MulIOp>(number, kernel.size(tileWords)),
               tileWords);
    auto totals = emitGroups(words, sums, {});
    if (failed(totals))
      return failure();
    for (auto [i, sum] : llvm::enumerate(*totals))
      vector::StoreOp::create(b, sum, epilogue.accumulators,
                              indexConstant(kernel, i * tiling.width));
    Tile tile;
    tiling.placeLanes(lane0, tile);
    return epilogue.emit(begin.dims, begin.first, tile);
  };
  if (failed(tiling.forEachTile(begin, ofTile)))
    return failure();
  return Values();
}

FailureOr<KernelSpec> GroupedContraction::emit() {
  if (failed(plan.planNest()) || !packing.planOperands())
    return failure();
  tiling.readSchedule();
  tiling.tilesOfItem = kernel.scheduled("tiles");
  packing.y.vectors = tiling.vectors;
  packing.y.count = tiling.lanes();
  packing.x.vectors = llvm::divideCeil(tiling.rows, tiling.width);
  packing.x.count = tiling.rows;
  epilogue.allocate();
  // Scratch memory holds the panels, the initial accumulators of their lanes,
  // and x.
  AffineExpr groups = packing.countGroups();
  int64_t lanes = tiling.tilesOfItem * tiling.lanes();
  AffineExpr panelWords = kernel.names.simplify(groups * plan.constant(lanes)),
             xWords = kernel.names.simplify(
                 groups * plan.constant(packing.x.vectors * tiling.width));
  corrections = partOf(kernel, kernel.scratch(), kernel.size(panelWords),
                       plan.constant(lanes));
  AffineExpr before = kernel.names.simplify(panelWords + plan.constant(lanes));
  wordsOfX = partOf(kernel, kernel.scratch(), kernel.size(before), xWords);
  SmallVector<AffineExpr> work = tiling.workOf(lanes);
  if (failed(forRange(
          kernel, kernel.begin(), kernel.end(), 1, {},
          [&](Value item, ValueRange) { return emitItem(item, work); })))
    return failure();
  AffineExpr products =
      kernel.names.product({plan.constant(tiling.rows * lanes), groups});
  return kernel.finish(
      kernel.names.product(work),
      plan.constant(kernel.costs().grainGroups).ceilDiv(products + 1),
      kernel.names.simplify((before + xWords) * plan.constant(wordBytes)));
}

const Skeleton contractionGroups = {
    .name = "groups",
    .kind = tx::kinds::contraction,
    .match =
        [](KernelBuilder &fusion, tx::OrderAttr order) {
          return isFma(order) && GroupedContraction(fusion).matches();
        },
    .schedules =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return GroupedContraction(fusion).offer();
        },
    .emit =
        [](KernelBuilder &kernel) {
          return single(GroupedContraction(kernel).emit());
        },
    .order = contractionOrder,
    // The epilogue reads and writes each element once, so an output may alias
    // an input that only the epilogue reads.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
