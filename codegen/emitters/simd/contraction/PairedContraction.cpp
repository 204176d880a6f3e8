//===- PairedContraction.cpp - Contraction of bf16 in pairs of K steps ----===//
//
// for each work item (rows x some tiles of columns; items of the same
// columns are consecutive):
//   if the item has other columns than the previous one, for each of its tiles:
//     panels[tile][pair][vector] = y(2 pair, ..), y(2 pair + 1, ..)
//   pairs of x[row][pair] = x(row, 2 pair), x(row, 2 pair + 1)
//   for each of its tiles:
//     if nothing is so small that the instruction would flush it to zero:
//       for pair: accumulators[row][vector] +=
//         dot(x[row][pair], panel[pair][vector])
//     else:
//       the same with two FMAs in f32
//     for each row of the tile: epilogue, store
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/contraction/PairedContraction.h"
#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/contraction/PairKernel.h"
#include "codegen/kernel/CpuCosts.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Number of registers that are left to x and to constants of the packing code.
/// LLVM keeps these constants in registers during the K loop, and would
/// otherwise spill accumulators.
static constexpr int64_t keptRegisters = 6;

bool multipliesPairs(ContractionPlan &plan) {
  KernelBuilder &kernel = plan.kernel;
  const CpuCosts &costs = kernel.costs();
  auto isNarrow = [](Value v) {
    return getElementTypeOrSelf(v.getType()).isBF16();
  };
  auto dots = kernel.body().getOps<tx::DotGeneralOp>();
  if (!kernel.target.multipliesPairs() || dots.empty() ||
      !isNarrow((*dots.begin()).getX()) || !isNarrow((*dots.begin()).getY()) ||
      failed(plan.planNest()) || plan.kLoops.size() != 1)
    return false;
  auto isFew = [&](unsigned loop, int64_t minimum) {
    std::optional<int64_t> size = constantOf(plan.loops.sizes[loop]);
    return size && *size < minimum;
  };
  if (isFew(plan.rowLoop, costs.minPairedRows) ||
      isFew(plan.laneLoop, costs.minPairedColumns) ||
      isFew(plan.kLoops.front(), costs.minPairedSteps))
    return false;
  ColumnReads reads = ColumnReads::inPlace(plan);
  return (reads.alongLanes || reads.alongK) && isXContiguousAlongRows(plan);
}

namespace {

class PairedContraction {
public:
  explicit PairedContraction(KernelBuilder &kernel)
      : plan(kernel), kernel(kernel), b(kernel.b) {}

  FailureOr<Offers> offer();
  FailureOr<KernelSpec> emit();

private:
  int64_t chooseTiles(int64_t rows, int64_t vectors);
  Numbers choose();
  FailureOr<Values> emitItem(Value item, ArrayRef<AffineExpr> work);

  ContractionPlan plan;
  Tiling tiling{plan};
  Epilogue epilogue{plan, tiling};
  PairPacking packing{plan, tiling};
  PairKernel pairs{plan, tiling, packing, epilogue};
  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
};

} // namespace

/// Returns the number of tiles of columns per work item. If x must be
/// transposed, each item packs its rows, so more tiles per item save work. But
/// panels must fit in half of L2, and at least `minPanelItems` items must
/// remain to balance threads.
int64_t PairedContraction::chooseTiles(int64_t rows, int64_t vectors) {
  int64_t lanes = vectors * kernel.target.getLanes(plan.accumulator);
  std::optional<int64_t> columns = constantOf(plan.loops.sizes[plan.laneLoop]),
                         steps =
                             constantOf(plan.loops.sizes[plan.kLoops.front()]),
                         count = constantOf(plan.loops.sizes[plan.rowLoop]);
  if (!packing.x.alongRows || !columns || !steps || !count || *count == 0)
    return 1;
  int64_t panelBytes = lanes * llvm::divideCeil(*steps, 2) * pairBytes;
  int64_t tiles = std::min<int64_t>(
      {kernel.costs().maxPairedTiles,
       kernel.target.getL2Bytes() / 2 / std::max<int64_t>(panelBytes, 1),
       int64_t(llvm::divideCeil(*columns, lanes))});
  int64_t rowTiles = llvm::divideCeil(*count, rows);
  while (tiles > 1 &&
         rowTiles * int64_t(llvm::divideCeil(*columns, tiles * lanes)) <
             kernel.costs().minPanelItems)
    tiles /= 2;
  return std::max<int64_t>(tiles, 1);
}

/// Returns the default tile size. Wide tiles repeat the packing of x less
/// often.
Numbers PairedContraction::choose() {
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t lanes = kernel.target.getLanes(plan.accumulator);
  std::optional<int64_t> columns = constantOf(plan.loops.sizes[plan.laneLoop]),
                         count = constantOf(plan.loops.sizes[plan.rowLoop]);
  Numbers best;
  int64_t bestCost = 0;
  for (int64_t vectors : {4, 3, 2, 1}) {
    // The rows of a tile are transposed as one block, so they are at most as
    // many as a vector has lanes.
    int64_t rows =
        std::min((registers - vectors - keptRegisters) / vectors, lanes);
    if (count)
      rows = llvm::divideCeil(*count, llvm::divideCeil(*count, rows));
    // Costs are in units of 1/16 of the time of one FMA on a vector.
    int64_t tiles = chooseTiles(rows, vectors);
    int64_t packingCost = packing.x.alongRows ? 8 * lanes / rows / tiles : 3;
    int64_t cost =
        llvm::alignTo(count.value_or(1 << 10), rows) *
        llvm::divideCeil(columns.value_or(1 << 10), vectors * lanes) *
        (16 * vectors + packingCost + 16 / rows);
    if (!best.empty() && cost >= bestCost)
      continue;
    best = {{"rows", rows},
            {"vectors", vectors},
            {"tiles", tiles},
            {"lanes", lanes}};
    bestCost = cost;
  }
  return best;
}

FailureOr<Offers> PairedContraction::offer() {
  if (failed(plan.planNest()))
    return failure();
  packing.x.alongRows = *isXContiguousAlongRows(plan);
  int64_t lanes = kernel.target.getLanes(plan.accumulator);
  Offers offers{choose()};
  for (auto [rows, vectors] : {std::pair<int64_t, int64_t>{6, 4},
                               {5, 4},
                               {9, 3},
                               {14, 2},
                               {12, 2},
                               {16, 1},
                               {3, 4},
                               {1, 1}})
    for (int64_t tiles : {1, 4})
      offers.push_back({{"rows", rows},
                        {"vectors", vectors},
                        {"tiles", tiles},
                        {"lanes", lanes}});
  return offers;
}

/// Emits a work item. A partial last tile runs the code of whole tiles, because
/// a separate version is not worth its code size.
FailureOr<Values> PairedContraction::emitItem(Value item,
                                              ArrayRef<AffineExpr> work) {
  WorkItem begin =
      tiling.beginItem(item, work, tiling.tilesOfItem * tiling.lanes());
  {
    auto ifNew = scf::IfOp::create(b, begin.isNew, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifNew.thenBlock());
    if (failed(tiling.forEachTile(begin, [&](Value number, Value lane0) {
          Tile tile;
          tiling.placeLanes(lane0, tile);
          packing.beginPanel(number);
          return packing.packPanel(begin.dims, tile);
        })))
      return failure();
  }
  if (failed(packing.packX(begin.dims, begin.first, begin.lane0)) ||
      failed(tiling.forEachTile(begin, [&](Value number, Value lane0) {
        Tile tile;
        tiling.placeLanes(lane0, tile);
        packing.beginPanel(number);
        return pairs.emitTile(begin.dims, begin.first, tile);
      })))
    return failure();
  return Values();
}

FailureOr<KernelSpec> PairedContraction::emit() {
  if (failed(plan.planNest()))
    return failure();
  tiling.readSchedule();
  tiling.tilesOfItem = kernel.scheduled("tiles");
  packing.layOut();
  epilogue.allocate();
  auto stack = [&](int64_t count, Type element) {
    return memref::AllocaOp::create(b, MemRefType::get({count}, element),
                                    b.getI64IntegerAttr(64));
  };
  packing.minMagnitude = stack(2 * tiling.width, b.getI16Type());
  packing.minMagnitudeAt = indexConstant(kernel, 0);
  packing.panels.minMagnitude = stack(tiling.tilesOfItem, b.getI32Type());
  AffineExpr inPanels = kernel.names.simplify(
      packing.panels.stride * plan.constant(tiling.tilesOfItem));
  AffineExpr inX =
      kernel.names.simplify(packing.x.rowStride * plan.constant(tiling.rows));
  auto view = [&](AffineExpr from, AffineExpr count) {
    return memref::ViewOp::create(
        b, MemRefType::get({ShapedType::kDynamic}, b.getI32Type()),
        kernel.scratch(),
        kernel.size(kernel.names.simplify(from * plan.constant(pairBytes))),
        ValueRange{kernel.size(count)});
  };
  packing.panels.memory = view(plan.constant(0), inPanels);
  packing.x.memory = view(inPanels, inX);
  return tiling.emitItems(
      kernel.names.simplify((inPanels + inX) * plan.constant(pairBytes)),
      [&](Value item, ArrayRef<AffineExpr> work) {
        return emitItem(item, work);
      });
}

const Skeleton contractionPairs = {
    .name = "pairs",
    .kind = tx::kinds::contraction,
    .match =
        [](KernelBuilder &fusion, tx::OrderAttr order) {
          ContractionPlan plan(fusion);
          return isFma(order) && multipliesPairs(plan);
        },
    .schedules =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return PairedContraction(fusion).offer();
        },
    .emit =
        [](KernelBuilder &kernel) {
          return single(PairedContraction(kernel).emit());
        },
    .order = contractionOrder,
    // The epilogue reads and writes each element once, so an output may alias
    // an input.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
