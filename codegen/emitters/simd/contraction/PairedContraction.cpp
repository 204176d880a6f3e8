//===- PairedContraction.cpp - A contraction of bf16, two steps at once ---===//
//
// for each item, rows x some tiles of lanes, those of the same lanes in turn:
//   if the lanes are new, for each of the tiles:
//     panels[tile][pair][vector] = y(2 pair, ..), y(2 pair + 1, ..)
//   xPairs[row][pair] = x(row, 2 pair), x(row, 2 pair + 1)
//   for each of the tiles:
//     if no number is so small that the instruction would take it for a zero:
//       for pair: sums[row][vector] += xPairs[row][pair] . panel[pair][vector]
//     else:
//       the same by two multiply-adds in f32
//     for each row of the tile: epilogue, store
//
// The instruction adds the product of the higher halves first, then that of the
// lower ones, and rounds twice: these are two steps in the order of k, if a
// pair has the earlier step in its higher half. It differs from multiply-adds
// where an operand or a sum is subnormal. Numbers whose exponents are not small
// rule that out: a product, and with it each sum that is not 0, is a multiple
// of the operands' smallest bits. So which way a tile goes is found from the
// smallest magnitudes in it, and the bits are the same as of any other
// schedule.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/contraction/PairedContraction.h"
#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

/// With fewer rows y is read once or twice, and packing it is most of the work;
/// with fewer columns most lanes are empty, and with fewer steps the epilogue
/// is the work.
static constexpr int64_t fewestRows = 6, fewestColumns = 16, fewestSteps = 16;
/// Of x, as many as a vector has lanes.
static constexpr int64_t mostRows = 16;
/// Registers for x and for constants of the packing, which LLVM keeps in
/// registers across the sum: it would rather move sums to memory.
static constexpr int64_t kept = 6;
/// Magnitudes are counted from 1, so that zeros are above all others: the
/// smallest normal one.
static constexpr int64_t leastNormal = 0x7f;
/// Of biased exponents: (ex - 127 - 7) + (ey - 127 - 7) >= -126.
static constexpr int64_t leastExponents = 142;
static constexpr int64_t fractionBits = 7;

//===----------------------------------------------------------------------===//
// What is taken
//===----------------------------------------------------------------------===//

bool PairedContraction::fits() {
  auto isNarrow = [](Value v) {
    return getElementTypeOrSelf(v.getType()).isBF16();
  };
  auto dots = kernel.body().getOps<tx::DotGeneralOp>();
  if (!kernel.target.multipliesPairs() || dots.empty() ||
      !isNarrow((*dots.begin()).getX()) || !isNarrow((*dots.begin()).getY()) ||
      failed(planNest()) || sumLoops.size() != 1)
    return false;
  auto isFew = [&](unsigned loop, int64_t fewest) {
    std::optional<int64_t> size = constantOf(loops.sizes[loop]);
    return size && *size < fewest;
  };
  if (isFew(rowLoop, fewestRows) || isFew(laneLoop, fewestColumns) ||
      isFew(sumLoop(), fewestSteps))
    return false;
  ReadLoops reads = loopsInPlace();
  return (reads.alongLanes || reads.alongSum) && findRowsOfX();
}

/// Tiles of an item, for each of which rows of x that must be turned would
/// be packed anew: their panels fit half of the second cache. With fewer items
/// threads have none, or uneven ones.
int64_t PairedContraction::chooseTiles(int64_t rows, int64_t vectors) {
  constexpr int64_t mostTiles = 8, enoughItems = 16, pairBytes = 4;
  int64_t lanes = vectors * kernel.target.getLanes(accumulator);
  std::optional<int64_t> columns = constantOf(loops.sizes[laneLoop]),
                         steps = constantOf(loops.sizes[sumLoop()]),
                         count = constantOf(loops.sizes[rowLoop]);
  if (!xAlongRows || !columns || !steps || !count || *count == 0)
    return 1;
  int64_t panelBytes = lanes * llvm::divideCeil(*steps, 2) * pairBytes;
  int64_t tiles = std::min<int64_t>(
      {mostTiles,
       kernel.target.getL2Bytes() / 2 / std::max<int64_t>(panelBytes, 1),
       int64_t(llvm::divideCeil(*columns, lanes))});
  int64_t rowTiles = llvm::divideCeil(*count, rows);
  while (tiles > 1 &&
         rowTiles * int64_t(llvm::divideCeil(*columns, tiles * lanes)) <
             enoughItems)
    tiles /= 2;
  return std::max<int64_t>(tiles, 1);
}

/// Each item packs its rows of x anew, which wide tiles do less often.
Numbers PairedContraction::choosePairs() {
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t lanes = kernel.target.getLanes(accumulator);
  std::optional<int64_t> columns = constantOf(loops.sizes[laneLoop]),
                         count = constantOf(loops.sizes[rowLoop]);
  Numbers best;
  int64_t bestCost = 0;
  for (int64_t vectors : {4, 3, 2, 1}) {
    int64_t rows = std::min((registers - vectors - kept) / vectors, mostRows);
    if (count)
      rows = llvm::divideCeil(*count, llvm::divideCeil(*count, rows));
    // In sixteenths of a step of a vector.
    int64_t tiles = chooseTiles(rows, vectors);
    int64_t packing = xAlongRows ? 8 * mostRows / rows / tiles : 3;
    int64_t cost =
        llvm::alignTo(count.value_or(1 << 10), rows) *
        llvm::divideCeil(columns.value_or(1 << 10), vectors * lanes) *
        (16 * vectors + packing + 16 / rows);
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

FailureOr<Offers> PairedContraction::offerPairs() {
  if (failed(planNest()))
    return failure();
  xAlongRows = *findRowsOfX();
  int64_t lanes = kernel.target.getLanes(accumulator);
  Offers offers{choosePairs()};
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

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

VectorType PairedContraction::pairType() {
  return VectorType::get({tiling.width}, b.getI32Type());
}

/// The elements of a step, and those of the next one, as i16 or bf16.
Value PairedContraction::joined(Value first, Value second) {
  auto wide = [&](Value v) -> Value {
    auto bits = VectorType::get({tiling.width}, b.getI16Type());
    return arith::ExtUIOp::create(
        b, pairType(),
        v.getType() == bits ? v : arith::BitcastOp::create(b, bits, v));
  };
  Value half = constantOf(b, b.getLoc(), pairType(), 16);
  return arith::OrIOp::create(b, arith::ShLIOp::create(b, wide(first), half),
                              wide(second));
}

/// Pairs as memory holds them have the earlier step in their lower half.
Value PairedContraction::swapped(Value halves) {
  Value v = vector::BitCastOp::create(b, pairType(), halves);
  Value half = constantOf(b, b.getLoc(), pairType(), 16);
  return arith::OrIOp::create(b, arith::ShLIOp::create(b, v, half),
                              arith::ShRUIOp::create(b, v, half));
}

Value PairedContraction::floatOf(Value pairsOfLanes, bool first) {
  Type type = pairsOfLanes.getType();
  Value bits =
      first ? Value(arith::AndIOp::create(
                  b, pairsOfLanes,
                  constantOf(b, b.getLoc(), type, -double(1 << 16))))
            : Value(arith::ShLIOp::create(b, pairsOfLanes,
                                          constantOf(b, b.getLoc(), type, 16)));
  return arith::BitcastOp::create(b, shapedLike(accumulator, type), bits);
}

void PairedContraction::beginLeast() {
  auto type = VectorType::get({2 * tiling.width}, b.getI16Type());
  vector::StoreOp::create(b, constantOf(b, b.getLoc(), type, -1), least,
                          leastAt);
}

/// Stores pairs, and remembers their smallest magnitude.
void PairedContraction::store(Value pairsOfLanes, Value memory, Value at) {
  auto type = VectorType::get({2 * tiling.width}, b.getI16Type());
  auto splat = [&](int64_t value) {
    return constantOf(b, b.getLoc(), type, value);
  };
  Value magnitude = arith::SubIOp::create(
      b,
      arith::AndIOp::create(b, vector::BitCastOp::create(b, type, pairsOfLanes),
                            splat(0x7fff)),
      splat(1));
  vector::StoreOp::create(
      b,
      arith::MinUIOp::create(b, magnitude,
                             vector::LoadOp::create(b, type, least, leastAt)),
      least, leastAt);
  vector::StoreOp::create(b, pairsOfLanes, memory, at);
}

/// As i32.
Value PairedContraction::endLeast() {
  auto type = VectorType::get({2 * tiling.width}, b.getI16Type());
  Value lanes = vector::LoadOp::create(b, type, least, leastAt);
  return arith::ExtUIOp::create(
      b, b.getI32Type(),
      vector::ReductionOp::create(b, vector::CombiningKind::MINUI, lanes));
}

/// An i1: neither operands nor sums can be subnormal.
Value PairedContraction::allNormal() {
  Value leastOfY = memref::LoadOp::create(b, leastOfPanels, panelNumber);
  auto i32 = [&](int64_t value) {
    return constantOf(b, b.getLoc(), b.getI32Type(), value);
  };
  auto exponent = [&](Value magnitude) -> Value {
    return arith::ShRUIOp::create(
        b, arith::AddIOp::create(b, magnitude, i32(1)), i32(fractionBits));
  };
  auto isAtLeast = [&](Value v, int64_t least) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::uge, v, i32(least));
  };
  Value sum = arith::AddIOp::create(b, exponent(leastOfX), exponent(leastOfY));
  return arith::AndIOp::create(
      b, isAtLeast(sum, leastExponents),
      isAtLeast(arith::MinUIOp::create(b, leastOfX, leastOfY), leastNormal));
}

/// Where a row of the tile has a pair.
Value PairedContraction::placeInX(Value row, Value pair) {
  Value at = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(kernel.size(rowsApartInX), row),
      b.createOrFold<arith::MulIOp>(kernel.size(pairsApartInX), pair));
  return xBegin ? b.createOrFold<arith::AddIOp>(xBegin, at) : at;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

LogicalResult PairedContraction::sumInPairs() {
  auto sumType = VectorType::get({tiling.width}, accumulator);
  auto halves = VectorType::get({2 * tiling.width}, b.getBF16Type());
  auto asHalves = [&](Value v) -> Value {
    return LLVM::BitcastOp::create(b, halves, v);
  };
  Values zeros(tiling.rows * tiling.vectors,
               constantOf(b, b.getLoc(), sumType, 0));
  auto sums = forRange(
      kernel, indexConstant(kernel, 0), kernel.size(pairs), 1, zeros,
      [&](Value pair, ValueRange carried) -> FailureOr<Values> {
        Values next(carried), columns;
        if (arePacked)
          askForPacked(pair);
        for (int64_t v = 0; v < tiling.vectors; ++v)
          columns.push_back(asHalves(
              vector::LoadOp::create(b, pairType(), panel, panelAt(pair, v))));
        for (int64_t r = 0; r < tiling.rows; ++r) {
          Value at = placeInX(indexConstant(kernel, r), pair);
          Value x = asHalves(vector::BroadcastOp::create(
              b, pairType(), memref::LoadOp::create(b, xPairs, at)));
          for (int64_t v = 0; v < tiling.vectors; ++v) {
            Value &sum = next[r * tiling.vectors + v];
            sum = LLVM::CallIntrinsicOp::create(
                      b, sumType,
                      b.getStringAttr("llvm.x86.avx512bf16.dpbf16ps.512"),
                      ValueRange{sum, x, columns[v]})
                      .getResult(0);
          }
        }
        return next;
      });
  if (failed(sums))
    return failure();
  for (auto [i, sum] : llvm::enumerate(*sums))
    vector::StoreOp::create(b, sum, epilogue.accumulators,
                            indexConstant(kernel, i * tiling.width));
  return success();
}

/// Row after row.
LogicalResult PairedContraction::sumInSteps() {
  auto sumType = VectorType::get({tiling.width}, accumulator);
  Values zeros(tiling.vectors, constantOf(b, b.getLoc(), sumType, 0));
  auto ofRow = [&](Value row, ValueRange) -> FailureOr<Values> {
    auto ofPair = [&](Value pair, ValueRange carried) -> FailureOr<Values> {
      Values next(carried);
      Value x = vector::BroadcastOp::create(
          b, pairType(),
          memref::LoadOp::create(b, xPairs, placeInX(row, pair)));
      for (int64_t v = 0; v < tiling.vectors; ++v) {
        Value column =
            vector::LoadOp::create(b, pairType(), panel, panelAt(pair, v));
        for (bool first : {true, false})
          next[v] =
              multiplyAdd(floatOf(x, first), floatOf(column, first), next[v]);
      }
      return next;
    };
    auto sums = forRange(kernel, indexConstant(kernel, 0), kernel.size(pairs),
                         1, zeros, ofPair);
    if (failed(sums))
      return failure();
    Value place = b.createOrFold<arith::MulIOp>(
        row, indexConstant(kernel, tiling.lanes()));
    for (auto [v, sum] : llvm::enumerate(*sums))
      vector::StoreOp::create(
          b, sum, epilogue.accumulators,
          b.createOrFold<arith::AddIOp>(
              place, indexConstant(kernel, v * tiling.width)));
    return Values();
  };
  return success(
      succeeded(forRange(kernel, indexConstant(kernel, 0),
                         indexConstant(kernel, tiling.rows), 1, {}, ofRow)));
}

LogicalResult PairedContraction::sumTile(const Values &, const Tile &) {
  auto ifOp = scf::IfOp::create(b, allNormal(), /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  if (failed(sumInPairs()))
    return failure();
  b.setInsertionPointToStart(ifOp.elseBlock());
  return sumInSteps();
}

void PairedContraction::beginPanel(Value number) {
  panelNumber = number;
  panelBegin = b.createOrFold<arith::MulIOp>(number, kernel.size(panelPairs));
}

/// A last tile that is not full is not worth code of its own.
FailureOr<Values> PairedContraction::emitItem(Value item,
                                              ArrayRef<AffineExpr> work) {
  if (arePacked)
    return emitPackedItem(item, work);
  WorkItem begin =
      tiling.beginItem(item, work, tiling.tilesOfItem * tiling.lanes());
  {
    auto ifNew = scf::IfOp::create(b, begin.isNew, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifNew.thenBlock());
    if (failed(tiling.forEachTile(begin, [&](Value number, Value lane0) {
          Tile place;
          tiling.placeLanes(lane0, place);
          beginPanel(number);
          return packPanel(begin.dims, place);
        })))
      return failure();
  }
  if (failed(packX(begin.dims, begin.first, begin.lane0)) ||
      failed(tiling.forEachTile(begin, [&](Value number, Value lane0) {
        Tile place;
        tiling.placeLanes(lane0, place);
        beginPanel(number);
        return emitTile(begin.dims, begin.first, place);
      })))
    return failure();
  return Values();
}

/// Blocks that are turned may end behind the last pair. A line more keeps rows
/// of x out of each other's places in the cache.
void PairedContraction::planPairs() {
  pairs = kernel.names.simplify(loops.sizes[sumLoop()].ceilDiv(2));
  AffineExpr room =
      loops.sizes[sumLoop()].ceilDiv(2 * tiling.width) * constant(tiling.width);
  rowsApartInX = kernel.names.simplify(room + constant(tiling.width));
  pairsApartInX = constant(1);
  panelPairs = kernel.names.simplify(room * constant(tiling.lanes()));
}

FailureOr<KernelSpec> PairedContraction::emitPairs() {
  if (failed(planNest()))
    return failure();
  tiling.readSchedule();
  tiling.tilesOfItem = kernel.scheduled("tiles");
  xAlongRows = *findRowsOfX();
  planReadLoops(/*inPlace=*/true);
  epilogue.allocate();
  auto stack = [&](int64_t count, Type element) {
    return memref::AllocaOp::create(b, MemRefType::get({count}, element),
                                    b.getI64IntegerAttr(64));
  };
  least = stack(2 * tiling.width, b.getI16Type());
  leastAt = indexConstant(kernel, 0);
  leastOfPanels = stack(tiling.tilesOfItem, b.getI32Type());
  planPairs();
  AffineExpr inPanels =
      kernel.names.simplify(panelPairs * constant(tiling.tilesOfItem));
  AffineExpr inX = kernel.names.simplify(rowsApartInX * constant(tiling.rows));
  constexpr int64_t pairBytes = 4;
  auto view = [&](AffineExpr from, AffineExpr count) {
    return memref::ViewOp::create(
        b, MemRefType::get({ShapedType::kDynamic}, b.getI32Type()),
        kernel.scratch(),
        kernel.size(kernel.names.simplify(from * constant(pairBytes))),
        ValueRange{kernel.size(count)});
  };
  panel = view(constant(0), inPanels);
  xPairs = view(inPanels, inX);
  return emitItems(
      kernel.names.simplify((inPanels + inX) * constant(pairBytes)));
}

const Skeleton contractionPairs = {
    .name = "pairs",
    .kind = tx::kinds::contraction,
    .match = [](KernelBuilder &fusion,
                tx::OrderAttr) { return PairedContraction(fusion).fits(); },
    .schedules =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return PairedContraction(fusion).offerPairs();
        },
    .emit =
        [](KernelBuilder &kernel) {
          return single(PairedContraction(kernel).emitPairs());
        },
    .order = contractionOrder,
    // As in tiles: the epilogue visits each element once.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
