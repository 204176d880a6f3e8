//===- ContractionGroups.cpp - Products of narrow integers ----------------===//
//
// for each item, rows x some tiles of lanes:
//   if the lanes are new, for each of the tiles:
//     words[tile][group][lane] = y(steps of the group, lane)
//   wordsOfX[group][row] = x(row, steps of the group)
//   for each of the tiles:
//     sums = corrections
//     for each group: sums[row] += wordsOfX[group][row] . words[tile][group]
//     for each row of the tile: epilogue, store
//
// Processors have instructions that add the products of several narrow integers
// to each sum of 32 bits: four bytes, or two elements of 16 bits. So the steps
// of the sum are taken in groups that lie side by side in a lane's 32 bits, and
// a last group is filled up with zeros. Sums wrap, and so have the same bits in
// any order.
//
// Bytes must have the signs that the instruction takes. Those of x change
// theirs, where they do not, by a flip of the highest bit, which adds or takes
// 128. What this adds to a sum is 128 times the sum of y's column: tiles begin
// with the opposite.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/ElementRange.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/TransposedBlock.h"
#include "codegen/emitters/simd/contraction/ContractionSkeleton.h"
#include "codegen/kernel/ops/Txk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Fewer rows take less time than what packs for them, and fewer steps fill no
/// groups.
static constexpr int64_t fewestRows = 4, fewestSteps = 8;
/// Tiles of an item: x is packed once for them.
static constexpr int64_t mostTiles = 16, usualTiles = 4;
/// With fewer items threads have none, or uneven ones.
static constexpr int64_t enoughItems = 16;
static constexpr int64_t wordBytes = 4, grainGroups = 16384;

//===----------------------------------------------------------------------===//
// What fits the instructions
//===----------------------------------------------------------------------===//

/// How the operands are read; false: no instruction takes them.
bool ContractionSkeleton::planGroups() {
  const TargetInfo &target = kernel.target;
  if (!accumulator.isInteger(32))
    return false;
  auto x = elementRange(dot.getX()), y = elementRange(dot.getY());
  if (!x || !y)
    return false;
  auto isSigned = [](ElementRange r) { return r.isWithin(-128, 127); };
  auto isByte = [&](ElementRange r) {
    return isSigned(r) || r.isWithin(0, 255);
  };
  groupedX = {dot.getX(), xIndex, rowLoop};
  groupedY = {dot.getY(), yIndex, laneLoop};
  if (target.getByteProducts() != ByteProducts::None && isByte(*x) &&
      isByte(*y)) {
    bool mixes = target.getByteProducts() == ByteProducts::MixedSigns;
    groupedY.isUnsigned = !isSigned(*y);
    groupedX.isUnsigned = mixes != groupedY.isUnsigned;
    groupedX.flips =
        !x->isWithin(0, 127) && groupedX.isUnsigned == isSigned(*x);
    narrow = b.getI8Type();
  } else if (target.hasWordProducts() && x->isWithin(INT16_MIN, INT16_MAX) &&
             y->isWithin(INT16_MIN, INT16_MAX)) {
    narrow = b.getI16Type();
  } else {
    return false;
  }
  groupSteps = wordBytes * 8 / narrow.getIntOrFloatBitWidth();
  planMemory(groupedX);
  planMemory(groupedY);
  return true;
}

/// Whether memory holds the operand's steps side by side, rather than its
/// lanes, as many as are turned at once.
void ContractionSkeleton::planMemory(Grouped &operand) {
  unsigned inner = sumLoops.back();
  bool alongLanes = false;
  analysis::walkReads(
      operand.source, operand.index, *space,
      [&](Value s) { return kernel.symbolOf(s); }, [](Value) { return false; },
      [&](Value v, const analysis::Index &index) {
        auto argument = dyn_cast<BlockArgument>(v);
        if (!argument || kernel.isScalar(argument))
          return;
        AffineExpr position = space->linearize(index, kernel.dims(v));
        auto isSideBySide = [&](unsigned loop) {
          auto linear = analysis::linearIn(position, loop, *space);
          return linear && linear->coefficient == constant(1);
        };
        alongLanes |= isSideBySide(operand.loop);
        operand.alongSum |= isSideBySide(inner);
      },
      [](const analysis::Guard &) {});
  std::optional<int64_t> steps = constantOf(loops.sizes[inner]);
  int64_t atOnce = kernel.target.getLanes(accumulator) * groupSteps;
  operand.alongSum &= !alongLanes && !(steps && *steps < atOnce);
}

/// Of a whole sum.
AffineExpr ContractionSkeleton::countGroups() {
  AffineExpr groups = loops.sizes[sumLoops.back()].ceilDiv(groupSteps);
  for (unsigned loop : ArrayRef(sumLoops).drop_back())
    groups = groups * loops.sizes[loop];
  return kernel.names.simplify(groups);
}

bool ContractionSkeleton::takesGroups() {
  if (kernel.target.getByteProducts() == ByteProducts::None &&
      !kernel.target.hasWordProducts())
    return false;
  if (failed(planNest()) || !planGroups())
    return false;
  AffineExpr steps = constant(1), rows = loops.sizes[rowLoop];
  for (unsigned loop : sumLoops)
    steps = steps * loops.sizes[loop];
  tiling.splitOuterLoops();
  for (unsigned loop : tiling.sharedLoops)
    rows = rows * loops.sizes[loop];
  auto isFew = [&](AffineExpr size, int64_t fewest) {
    std::optional<int64_t> count = constantOf(kernel.names.simplify(size));
    return count && *count < fewest;
  };
  int64_t lanes = kernel.target.getLanes(accumulator);
  return !isFew(rows, fewestRows) && !isFew(steps, fewestSteps) &&
         !isFew(loops.sizes[laneLoop], lanes / 2);
}

FailureOr<Offers> ContractionSkeleton::offerGroups() {
  if (failed(planNest()) || !planGroups())
    return failure();
  tiling.splitOuterLoops();
  int64_t registers = kernel.target.getNumVectorRegisters();
  int64_t lanes = kernel.target.getLanes(accumulator);
  std::optional<int64_t> count = constantOf(loops.sizes[rowLoop]),
                         columns = constantOf(loops.sizes[laneLoop]),
                         groups = constantOf(countGroups());
  auto numbers = [&](int64_t vectors, int64_t rows, int64_t tiles) -> Numbers {
    return {{"rows", rows},
            {"vectors", vectors},
            {"tiles", tiles},
            {"lanes", lanes}};
  };
  auto mostRows = [&](int64_t vectors) {
    // Sums, columns, an element of x, and one more.
    return std::max<int64_t>(1, (registers - vectors - 2) / vectors);
  };
  int64_t vectors = columns && *columns <= lanes ? 1 : 2;
  int64_t rows = mostRows(vectors), tiles = usualTiles, rowTiles = 1;
  if (count && *count > 0) {
    rows = llvm::divideCeil(*count, llvm::divideCeil(*count, rows));
    rowTiles = llvm::divideCeil(*count, rows);
  }
  for (unsigned loop : tiling.sharedLoops)
    rowTiles *= constantOf(loops.sizes[loop]).value_or(enoughItems);
  int64_t lanesOfTile = vectors * lanes;
  if (groups && *groups > 0)
    tiles =
        kernel.target.getL2Bytes() / 2 / (lanesOfTile * wordBytes * *groups);
  if (columns) {
    tiles = std::min<int64_t>(tiles, llvm::divideCeil(*columns, lanesOfTile));
    while (tiles > 1 &&
           rowTiles * llvm::divideCeil(*columns, tiles * lanesOfTile) <
               static_cast<uint64_t>(enoughItems))
      tiles /= 2;
  }
  tiles = std::clamp<int64_t>(tiles, 1, mostTiles);
  Offers offers{numbers(vectors, rows, tiles)};
  for (int64_t wide : {2, 1, 3, 4})
    for (int64_t some : {tiles, std::max<int64_t>(1, tiles / 2), tiles * 2})
      offers.push_back(numbers(wide, mostRows(wide), some));
  return offers;
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// Where a group's words of the operand begin; outer sums are in `dims`.
Value ContractionSkeleton::groupPlace(const Grouped &operand,
                                      const Values &dims, Value group) {
  Value place = indexConstant(kernel, 0);
  for (unsigned loop : ArrayRef(sumLoops).drop_back())
    place = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(place, kernel.size(loops.sizes[loop])),
        dims[loop]);
  Value groups = kernel.size(
      kernel.names.simplify(loops.sizes[sumLoops.back()].ceilDiv(groupSteps)));
  place = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(place, groups), group);
  return b.createOrFold<arith::MulIOp>(
      place, indexConstant(kernel, operand.vectors * tiling.width));
}

/// The operand at the lanes, as narrow as it is.
FailureOr<Value>
ContractionSkeleton::narrowLanes(const Grouped &operand, const Values &dims,
                                 ExpressionEmitter::Lanes lanes, Value mask) {
  ExpressionEmitter elements(kernel, *space, dims, lanes, mask);
  FailureOr<Value> wide = elements.emitLanes(operand.source, operand.index);
  if (failed(wide))
    return failure();
  auto type = VectorType::get({lanes.width}, narrow);
  if (wide->getType() == type)
    return wide;
  return b.createOrFold<arith::TruncIOp>(type, *wide);
}

/// The words of `width` groups from that step in `dims` on, for one of the
/// vectors of lanes: memory holds each lane's steps side by side.
FailureOr<Values> ContractionSkeleton::turnedGroups(const Grouped &operand,
                                                    Values dims, Value first,
                                                    int64_t vector) {
  Value last = b.createOrFold<arith::SubIOp>(
      kernel.size(loops.sizes[operand.loop]), indexConstant(kernel, 1));
  Values lanes;
  for (int64_t l = vector * tiling.width; l < (vector + 1) * tiling.width;
       ++l) {
    if (l >= operand.count && !lanes.empty()) {
      lanes.push_back(lanes.back());
      continue;
    }
    dims[operand.loop] = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, l)), last);
    FailureOr<Value> steps =
        narrowLanes(operand, dims, {sumLoops.back(), tiling.width * groupSteps},
                    /*mask=*/{});
    if (failed(steps))
      return failure();
    lanes.push_back(vector::BitCastOp::create(
        b, VectorType::get({tiling.width}, b.getI32Type()), *steps));
  }
  return transposed(b, std::move(lanes));
}

/// A group's words, a vector for each of the operand's. In the last one steps
/// that are not there are zeros. None: an error.
Values ContractionSkeleton::groupAt(const Grouped &operand, Values dims,
                                    Value first, Value group, bool isLast) {
  unsigned inner = sumLoops.back();
  Value size = kernel.size(loops.sizes[inner]);
  Value end = kernel.size(loops.sizes[operand.loop]);
  Values words;
  for (int64_t v = 0; v < operand.vectors; ++v) {
    dims[operand.loop] = b.createOrFold<arith::AddIOp>(
        first, indexConstant(kernel, v * tiling.width));
    Value mask = laneMask(kernel, dims[operand.loop], end, tiling.width);
    Values steps;
    for (int64_t s = 0; s < groupSteps; ++s) {
      Value k = b.createOrFold<arith::AddIOp>(
          b.createOrFold<arith::MulIOp>(group,
                                        indexConstant(kernel, groupSteps)),
          indexConstant(kernel, s));
      Value isThere = isLast ? b.createOrFold<arith::CmpIOp>(
                                   arith::CmpIPredicate::ult, k, size)
                             : Value();
      if (isLast)
        k = b.createOrFold<arith::MinUIOp>(
            k, b.createOrFold<arith::SubIOp>(size, indexConstant(kernel, 1)));
      dims[inner] = k;
      auto lanes =
          narrowLanes(operand, dims, {operand.loop, tiling.width}, mask);
      if (failed(lanes))
        return {};
      Value zero = constantOf(b, b.getLoc(), lanes->getType(), 0);
      steps.push_back(
          isLast ? b.createOrFold<arith::SelectOp>(isThere, *lanes, zero)
                 : *lanes);
    }
    for (int64_t each = 1; steps.size() > 1; each *= 2) {
      // Runs of `each` elements, from both in turn.
      SmallVector<int64_t> from;
      for (int64_t at = 0; at < tiling.width * each; at += each)
        for (int64_t side : {int64_t(0), tiling.width * each})
          for (int64_t i = 0; i < each; ++i)
            from.push_back(side + at + i);
      for (size_t i = 0; i < steps.size() / 2; ++i)
        steps[i] =
            vector::ShuffleOp::create(b, steps[2 * i], steps[2 * i + 1], from);
      steps.truncate(steps.size() / 2);
    }
    words.push_back(vector::BitCastOp::create(
        b, VectorType::get({tiling.width}, b.getI32Type()), steps.front()));
  }
  return words;
}

/// All groups of the innermost sum.
LogicalResult ContractionSkeleton::packInner(const Grouped &operand, Value to,
                                             const Values &dims, Value first) {
  AffineExpr steps = loops.sizes[sumLoops.back()];
  auto groupsOf = [&](AffineExpr count) {
    return kernel.size(kernel.names.simplify(count));
  };
  auto store = [&](Value word, Value group, int64_t vector) {
    if (operand.flips) {
      auto type = cast<VectorType>(word.getType());
      word = arith::XOrIOp::create(
          b, word,
          arith::ConstantOp::create(
              b, DenseElementsAttr::get(type, APInt(32, 0x80808080u))));
    }
    vector::StoreOp::create(b, word, to,
                            b.createOrFold<arith::AddIOp>(
                                groupPlace(operand, dims, group),
                                indexConstant(kernel, vector * tiling.width)));
  };
  Value begin = indexConstant(kernel, 0),
        whole = groupsOf(steps.floorDiv(groupSteps));
  if (operand.alongSum) {
    Value turned =
        groupsOf(steps.floorDiv(groupSteps * tiling.width) * tiling.width);
    auto turn = [&](Value group, ValueRange) -> FailureOr<Values> {
      Values at = dims;
      at[sumLoops.back()] = b.createOrFold<arith::MulIOp>(
          group, indexConstant(kernel, groupSteps));
      for (int64_t v = 0; v < operand.vectors; ++v) {
        FailureOr<Values> words = turnedGroups(operand, at, first, v);
        if (failed(words))
          return failure();
        for (auto [g, word] : llvm::enumerate(*words))
          store(word,
                b.createOrFold<arith::AddIOp>(group, indexConstant(kernel, g)),
                v);
      }
      return Values();
    };
    if (failed(forRange(kernel, begin, turned, tiling.width, {}, turn)))
      return failure();
    begin = turned;
  }
  auto pack = [&](bool isLast) {
    return [&, isLast](Value group, ValueRange) -> FailureOr<Values> {
      Values words = groupAt(operand, dims, first, group, isLast);
      if (words.empty())
        return failure();
      for (auto [v, word] : llvm::enumerate(words))
        store(word, group, v);
      return Values();
    };
  };
  if (failed(forRange(kernel, begin, whole, 1, {}, pack(false))))
    return failure();
  std::optional<int64_t> count = constantOf(steps);
  if (count && *count % groupSteps == 0)
    return success();
  return success(succeeded(forRange(
      kernel, whole, groupsOf(steps.ceilDiv(groupSteps)), 1, {}, pack(true))));
}

/// The operand's lanes from `first` on, for all groups of the sum.
LogicalResult ContractionSkeleton::packGroups(const Grouped &operand, Value to,
                                              const Values &dims, Value first) {
  return success(
      succeeded(sumOver(ArrayRef(sumLoops).drop_back(), loops.sizes, dims, {},
                        [&](const Values &at, ValueRange) -> FailureOr<Values> {
                          if (failed(packInner(operand, to, at, first)))
                            return failure();
                          return Values();
                        })));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// What is at place `index` of a part of the words, as memory of its own.
static Value partOf(KernelBuilder &kernel, Value scratch, Value offsetWords,
                    AffineExpr count) {
  ImplicitLocOpBuilder &b = kernel.b;
  Value bytes = b.createOrFold<arith::MulIOp>(offsetWords,
                                              indexConstant(kernel, wordBytes));
  return memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, b.getI32Type()), scratch,
      bytes, ValueRange{kernel.size(count)});
}

/// Sums and the products of all groups of a tile: of `factors`, one for each
/// row, or of x.
FailureOr<Values> ContractionSkeleton::sumOfGroups(Value tileWords, Values sums,
                                                   ValueRange factors) {
  auto type = VectorType::get({tiling.width}, b.getI32Type());
  auto elements = VectorType::get({tiling.width * groupSteps}, narrow);
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
                group, indexConstant(kernel, groupedX.vectors * tiling.width)),
            indexConstant(kernel, r));
        x = narrowed(vector::BroadcastOp::create(
            b, type, memref::LoadOp::create(b, wordsOfX, ValueRange{at})));
      } else {
        x = factors[r];
      }
      for (int64_t v = 0; v < tiling.vectors; ++v) {
        Value &sum = next[r * tiling.vectors + v];
        sum = txk::AddProductsOp::create(b, type, x, columns[v], sum,
                                         groupedX.isUnsigned,
                                         groupedY.isUnsigned);
      }
    }
    return next;
  };
  return forRange(kernel, indexConstant(kernel, 0), kernel.size(countGroups()),
                  1, sums, add);
}

/// Packs the lanes of y from `lane` on, and finds what their sums begin with.
LogicalResult ContractionSkeleton::packTile(const Values &dims, Value lane,
                                            Value number) {
  AffineExpr words =
      kernel.names.simplify(countGroups() * constant(tiling.lanes()));
  Value tileWords =
      partOf(kernel, kernel.scratch(),
             b.createOrFold<arith::MulIOp>(number, kernel.size(words)), words);
  if (failed(packGroups(groupedY, tileWords, dims, lane)))
    return failure();
  if (!groupedX.flips)
    return success();
  auto type = VectorType::get({tiling.width}, b.getI32Type());
  Value zero = constantOf(b, b.getLoc(), type, 0);
  Value ones = constantOf(
      b, b.getLoc(), VectorType::get({tiling.width * groupSteps}, narrow), 1);
  auto sums = sumOfGroups(tileWords, Values(tiling.vectors, zero), ones);
  if (failed(sums))
    return failure();
  Value change =
      constantOf(b, b.getLoc(), type, groupedX.isUnsigned ? -128 : 128);
  for (auto [v, sum] : llvm::enumerate(*sums))
    vector::StoreOp::create(
        b, arith::MulIOp::create(b, sum, change), corrections,
        b.createOrFold<arith::AddIOp>(
            b.createOrFold<arith::MulIOp>(
                number, indexConstant(kernel, tiling.lanes())),
            indexConstant(kernel, v * tiling.width)));
  return success();
}

FailureOr<Values>
ContractionSkeleton::emitGroupsItem(Value item, ArrayRef<AffineExpr> work) {
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
  if (failed(packGroups(groupedX, wordsOfX, ofX, begin.first.row)))
    return failure();
  AffineExpr tileWords =
      kernel.names.simplify(countGroups() * constant(lanesOfTile));
  auto type = VectorType::get({tiling.width}, b.getI32Type());
  auto ofTile = [&](Value number, Value lane0) -> LogicalResult {
    Values columns;
    for (int64_t v = 0; v < tiling.vectors; ++v)
      columns.push_back(
          groupedX.flips
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
    auto totals = sumOfGroups(words, sums, {});
    if (failed(totals))
      return failure();
    for (auto [i, sum] : llvm::enumerate(*totals))
      vector::StoreOp::create(b, sum, epilogue.accumulators,
                              indexConstant(kernel, i * tiling.width));
    Tile place;
    tiling.placeLanes(lane0, place);
    return epilogue.emit(begin.dims, begin.first, place);
  };
  if (failed(tiling.forEachTile(begin, ofTile)))
    return failure();
  return Values();
}

FailureOr<KernelSpec> ContractionSkeleton::emitGroups() {
  if (failed(planNest()) || !planGroups())
    return failure();
  tiling.readSchedule();
  tiling.tilesOfItem = kernel.scheduled("tiles");
  groupedY.vectors = tiling.vectors;
  groupedY.count = tiling.lanes();
  groupedX.vectors = llvm::divideCeil(tiling.rows, tiling.width);
  groupedX.count = tiling.rows;
  epilogue.allocate();
  // The panel, what its tiles begin with, and x.
  AffineExpr groups = countGroups();
  int64_t lanes = tiling.tilesOfItem * tiling.lanes();
  AffineExpr panelWords = kernel.names.simplify(groups * constant(lanes)),
             xWords = kernel.names.simplify(
                 groups * constant(groupedX.vectors * tiling.width));
  corrections = partOf(kernel, kernel.scratch(), kernel.size(panelWords),
                       constant(lanes));
  AffineExpr before = kernel.names.simplify(panelWords + constant(lanes));
  wordsOfX = partOf(kernel, kernel.scratch(), kernel.size(before), xWords);
  SmallVector<AffineExpr> work = tiling.workOf(lanes);
  if (failed(forRange(
          kernel, kernel.begin(), kernel.end(), 1, {},
          [&](Value item, ValueRange) { return emitGroupsItem(item, work); })))
    return failure();
  AffineExpr products =
      kernel.names.product({constant(tiling.rows * lanes), groups});
  return kernel.finish(
      kernel.names.product(work), constant(grainGroups).ceilDiv(products + 1),
      kernel.names.simplify((before + xWords) * constant(wordBytes)));
}

const Skeleton contractionGroups = {
    .name = "groups",
    .kind = tx::kinds::contraction,
    .match =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return ContractionSkeleton(fusion).takesGroups();
        },
    .schedules =
        [](KernelBuilder &fusion, tx::OrderAttr) {
          return ContractionSkeleton(fusion).offerGroups();
        },
    .emit =
        [](KernelBuilder &kernel) {
          return single(ContractionSkeleton(kernel).emitGroups());
        },
    .order = contractionOrder,
    // As in tiles: the epilogue visits each element once.
    .mayOverwrite = true};

} // namespace tensorc::codegen::simd
