//===- AmxColumns.cpp - Columns of y for tile registers -------------------===//

#include "codegen/emitters/simd/contraction/amx/AmxColumns.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/contraction/amx/Magnitudes.h"
#include "codegen/kernel/CpuCosts.h"
#include "ir/shape/ColumnBlocks.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using txk::AmxTile;

bool AmxColumns::areWords() {
  return shape::areColumnWords(plan.dot.getY().getType().getShape(),
                               plan.dot.getYBatch(),
                               plan.dot.getYContracting());
}

bool AmxColumns::planWords() {
  if (!areWords())
    return true;
  Value y = plan.dot.getY();
  bool isBytes = packing.groups.narrow.isInteger(8);
  if (auto convert = y.getDefiningOp<tx::ConvertOp>(); convert && isBytes)
    y = convert.getX();
  input = dyn_cast<BlockArgument>(y);
  auto type = cast<RankedTensorType>(y.getType());
  Type element = type.getElementType();
  auto columns = constantOf(plan.loops.sizes[plan.laneLoop]);
  isInPlace =
      input && type.getDimSize(3) == packing.groups.groupSteps &&
      (isBytes ? element.isInteger(8) : element.isBF16()) && columns &&
      packing.countSteps() % packing.blockSteps() == 0 &&
      (*columns == AmxTile::side || *columns % (2 * AmxTile::side) == 0);
  return isInPlace;
}

int64_t AmxColumns::tileWords() const {
  return packing.countBlocks() * tiling.lanes() * AmxTile::side;
}

int64_t AmxColumns::scratchWords() const {
  return isInPlace ? 0 : tiling.tilesOfItem * tileWords();
}

void AmxColumns::allocate(Value scratch, bool needsMagnitudes) {
  memory = isInPlace ? kernel.buffer(input) : scratch;
  if (!needsMagnitudes)
    return;
  magnitudes = memref::AllocaOp::create(
      b, MemRefType::get({tiling.tilesOfItem}, b.getI32Type()));
  if (!isInPlace)
    packing.allocate(tiling.tilesOfItem);
}

Value AmxColumns::at(Value base, Value index, int64_t factor) {
  return b.createOrFold<arith::AddIOp>(
      base,
      b.createOrFold<arith::MulIOp>(index, indexConstant(kernel, factor)));
}

/// Stores the smallest magnitudes of the tiles [first, end), which are read in
/// place. This pass also moves them to L2.
LogicalResult AmxColumns::findSmallest(Value first, Value end) {
  int64_t vectorElements = AmxTile::side * wordElements();
  int64_t ahead = kernel.costs().rowPrefetchBytes * wordElements() / wordBytes;
  Value elements = indexConstant(kernel, tileWords() * wordElements());
  auto type = VectorType::get({2 * AmxTile::side}, b.getI16Type());
  auto ofTile = [&](Value tile, ValueRange) -> FailureOr<Values> {
    Value begin = b.createOrFold<arith::MulIOp>(tile, elements);
    Values largest(2, constantOf(b, b.getLoc(), type, -1));
    auto least = forRange(
        kernel, begin, b.createOrFold<arith::AddIOp>(begin, elements),
        2 * vectorElements, largest,
        [&](Value i, ValueRange carried) -> FailureOr<Values> {
          Values next(carried);
          for (auto [n, value] : llvm::enumerate(next)) {
            Value place = at(i, indexConstant(kernel, n), vectorElements);
            memref::PrefetchOp::create(
                b, memory, at(place, indexConstant(kernel, 1), ahead),
                /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
            value = arith::MinUIOp::create(b, value,
                                           magnitudesOf(b, vectorAt(place)));
          }
          return next;
        });
    if (failed(least))
      return failure();
    Value all = least->front();
    for (Value value : ArrayRef(*least).drop_front())
      all = arith::MinUIOp::create(b, all, value);
    memref::StoreOp::create(
        b, smallestOf(b, all), magnitudes,
        ValueRange{b.createOrFold<arith::SubIOp>(tile, first)});
    return Values();
  };
  return success(succeeded(forRange(kernel, first, end, 1, {}, ofTile)));
}

LogicalResult AmxColumns::begin(const WorkItem &item) {
  if (isInPlace && !magnitudes)
    return success();
  auto ifNew = scf::IfOp::create(b, item.isNew, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifNew.thenBlock());
  Values dims = item.dims;
  for (Value &dim : dims)
    if (!dim)
      dim = indexConstant(kernel, 0);
  Value first = b.createOrFold<arith::DivUIOp>(
      item.lane0, indexConstant(kernel, tiling.lanes()));
  Value end = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(first,
                                    indexConstant(kernel, tiling.tilesOfItem)),
      kernel.size(kernel.names.simplify(
          plan.loops.sizes[plan.laneLoop].ceilDiv(tiling.lanes()))));
  if (isInPlace)
    return findSmallest(first, end);
  Value before = b.createOrFold<arith::SubIOp>(indexConstant(kernel, 0), first);
  return packing.packTiles(packing.groups.y,
                           {memory, magnitudes, tiling.vectors},
                           {dims, before, first, end});
}

Value AmxColumns::beginOf(Value number, Value lane0) {
  Value tile = isInPlace ? b.createOrFold<arith::DivUIOp>(
                               lane0, indexConstant(kernel, tiling.lanes()))
                         : number;
  return b.createOrFold<arith::MulIOp>(
      tile, indexConstant(kernel, tileWords() * wordElements()));
}

Value AmxColumns::placeOf(Value begin, Value block, int64_t vector) {
  int64_t elements = AmxTile::words * wordElements();
  int64_t blocks = packing.countBlocks();
  return at(at(begin, block, (isInPlace ? 1 : tiling.vectors) * elements),
            indexConstant(kernel, vector), (isInPlace ? blocks : 1) * elements);
}

void AmxColumns::loadBlock(int64_t tile, Value begin, Value block,
                           int64_t vector) {
  txk::AmxLoadOp::create(b, tile, memory, placeOf(begin, block, vector),
                         indexConstant(kernel, AmxTile::side * wordBytes),
                         /*once=*/true);
}

/// Loads a vector of words.
Value AmxColumns::vectorAt(Value place) {
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  auto words = VectorType::get({AmxTile::side}, b.getI32Type());
  auto type = VectorType::get({AmxTile::side * wordElements()}, element);
  Value loaded = vector::LoadOp::create(b, type, memory, place);
  return type == words ? loaded : vector::BitCastOp::create(b, words, loaded);
}

Value AmxColumns::loadWords(Value begin, Value block, int64_t vector,
                            Value group) {
  return vectorAt(
      at(placeOf(begin, block, vector), group, AmxTile::side * wordElements()));
}

Value AmxColumns::smallestOfTile(Value number) {
  return memref::LoadOp::create(b, magnitudes, ValueRange{number});
}

} // namespace tensorc::codegen::simd
