//===- RowsInLanes.cpp - Sorts short rows, one per vector lane ------------===//
//
// for each group of rows, one per lane (lanes past the last row repeat it):
//   store the keys to scratch as signed integers
//   transpose square blocks: vector i then holds element i of each row
//   unless all rows are in order already, or (argsort) strictly descending:
//     sort the vectors by a network and transpose back
//   store all outputs
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/sort/RowsInLanes.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/TransposedBlock.h"
#include "codegen/emitters/simd/sort/parts/RadixSort.h"
#include "codegen/emitters/simd/sort/parts/SortNetwork.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <numeric>

using namespace mlir;

namespace tensorc::codegen::simd {

static unsigned keyBits(SortOrder &order) {
  return order.keyType().getIntOrFloatBitWidth() > 32 ? 64 : 32;
}

static int64_t lanesFor(KernelBuilder &kernel, SortOrder &order) {
  unsigned bits = order.hasPositions() ? 64 : keyBits(order);
  return kernel.target.getLanes(kernel.b.getIntegerType(bits));
}

int64_t RowsInLanes::longestRow(KernelBuilder &kernel, const AxisNest &nest,
                                SortOrder &order) {
  int64_t lanes = lanesFor(kernel, order);
  if (order.keyType().getIntOrFloatBitWidth() < 8 ||
      lanes < kernel.costs().minSortLanes)
    return 0;
  int64_t longest = SortNetwork::supports(kernel, order)
                        ? kernel.costs().maxLaneVectors * lanes
                        : std::min(kernel.costs().maxLaneLength.value,
                                   8 * RadixSort::shortestRow(order));
  auto rows =
      dyn_cast<AffineConstantExpr>(kernel.names.product(nest.rowSizes()));
  if (rows && rows.getValue() < lanes)
    longest = kernel.costs().maxFewLaneLength;
  auto length = dyn_cast<AffineConstantExpr>(nest.length());
  bool isLonger = length && length.getValue() > longest;
  return isLonger ? 0 : longest;
}

/// Returns the number of vectors that are sorted in registers at once: those of
/// a whole row if they fit.
int64_t RowsInLanes::vectorsAtOnce() const {
  bool isPair = order.hasPositions() && !isPacked();
  int64_t maximum = isPair ? kernel.costs().maxSortedRegisters / 2
                           : kernel.costs().maxSortedRegisters;
  auto known = dyn_cast<AffineConstantExpr>(nest.length());
  return known ? std::clamp<int64_t>(known.getValue(), 1, maximum) : maximum;
}

RowsInLanes::RowsInLanes(KernelBuilder &kernel, const AxisNest &nest,
                         SortOrder &order, int64_t longest)
    : IndexCode(kernel), nest(nest), order(order),
      space(kernel.names, nest.loops.sizes),
      narrow(VectorType::get({lanesFor(kernel, order)},
                             b.getIntegerType(keyBits(order)))),
      lanes(narrow.getNumElements()), length(kernel.size(nest.length())),
      network(kernel, wide(), vectorsAtOnce()) {
  int64_t column = vectorsAtOnce();
  auto known = dyn_cast<AffineConstantExpr>(nest.length());
  int64_t maximum = known ? known.getValue() : longest;
  bool isPair = order.hasPositions() && !isPacked();
  vectors = roundedUp(length, column);
  // The stride of rows in scratch memory is padded, because with a power of two
  // rows would map to few L1 sets.
  int64_t padded =
      std::max(llvm::alignTo(maximum, lanes), llvm::alignTo(maximum, column));
  stride = padded + lanes;
  bytes = 0;
  auto room = [&](Type type, int64_t count) -> Value {
    Value view = memref::ViewOp::create(b, MemRefType::get({count}, type),
                                        kernel.scratch(), index(bytes), {});
    bytes += llvm::alignTo(
        count * llvm::divideCeil(type.getIntOrFloatBitWidth(), 8), 64);
    return view;
  };
  LaneNetwork::Element columns;
  for (int64_t part = 0; part <= isPair; ++part)
    columns.push_back(room(wide().getElementType(), padded * lanes));
  rows = room(narrow.getElementType(), stride * lanes);
  if (order.hasPositions() && order.hasKeys())
    keys = room(order.keyType(), stride * lanes);
  network.setBuffers(columns);
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Value RowsInLanes::roundedUp(Value x, int64_t to) {
  return times(b.createOrFold<arith::CeilDivUIOp>(x, index(to)), index(to));
}

bool RowsInLanes::isPacked() const {
  return order.hasPositions() && narrow.getElementTypeBitWidth() == 32;
}

VectorType RowsInLanes::wide() {
  bool is64 = order.hasPositions() || narrow.getElementTypeBitWidth() == 64;
  return narrow.clone(b.getIntegerType(is64 ? 64 : 32));
}

/// Returns a vector of the key that sorts last.
Value RowsInLanes::last() {
  if (mayBeAmbiguous(order))
    return order.toSigned(arith::ConstantOp::create(
        b, DenseElementsAttr::get(narrow.clone(order.keyType()),
                                  Attribute(order.lastKey()))));
  APInt maximum = APInt::getSignedMaxValue(narrow.getElementTypeBitWidth());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(narrow, maximum));
}

/// Broadcasts an index to `width` lanes of i64.
Value RowsInLanes::splat(Value x, int64_t width) {
  return vector::BroadcastOp::create(
      b, VectorType::get({width}, b.getI64Type()),
      arith::IndexCastOp::create(b, b.getI64Type(), x));
}

Value RowsInLanes::countFrom(Value first, int64_t width) {
  SmallVector<int64_t> numbers(width);
  std::iota(numbers.begin(), numbers.end(), 0);
  return arith::AddIOp::create(
      b, splat(first, width),
      arith::ConstantOp::create(
          b, DenseElementsAttr::get(VectorType::get({width}, b.getI64Type()),
                                    ArrayRef(numbers))));
}

LogicalResult
RowsInLanes::forRows(Value first, bool repeats,
                     function_ref<LogicalResult(Values dims, Value at)> body) {
  Value left = b.createOrFold<arith::SubIOp>(kernel.end(), first);
  Value last = b.createOrFold<arith::SubIOp>(kernel.end(), index(1));
  Value count =
      repeats ? index(lanes) : arith::MinUIOp::create(b, left, index(lanes));
  SmallVector<AffineExpr> sizes = nest.rowSizes();
  return success(succeeded(
      forRange(kernel, index(0), count, 1, {},
               [&](Value r, ValueRange) -> FailureOr<Values> {
                 Value item = arith::MinUIOp::create(b, add(first, r), last);
                 Values dims = nest.dimsOf(delinearize(kernel, item, sizes));
                 if (failed(body(dims, times(r, index(stride)))))
                   return failure();
                 return Values();
               })));
}

/// Emits a loop over a row, in vectors if its elements are contiguous, and
/// element by element otherwise. If the size is static, the last vector may
/// overlap the previous one, because a masked store takes 3 times as long.
LogicalResult RowsInLanes::forLanesOfRow(
    AffineExpr size,
    function_ref<LogicalResult(Value i, Value mask, int64_t width)> body) {
  auto made = [](LogicalResult result) -> FailureOr<Values> {
    if (failed(result))
      return failure();
    return Values();
  };
  Value upper = kernel.size(size);
  auto known = dyn_cast<AffineConstantExpr>(size);
  if (nest.axisIsInnermost() && !known)
    return success(succeeded(forLanes(
        kernel, index(0), upper, lanes, size, {},
        [&](Value i, Value mask, ValueRange) {
          return made(body(i, mask, lanes));
        },
        /*mayRepeat=*/false)));
  int64_t count = known ? known.getValue() : 1;
  int64_t width =
      nest.axisIsInnermost() && count > 0
          ? std::min<int64_t>(lanes, llvm::bit_floor<uint64_t>(count))
          : 1;
  bool isFull = width == 1 || count % width == 0;
  return success(succeeded(
      forRange(kernel, index(0), upper, width, {}, [&](Value i, ValueRange) {
        if (!isFull)
          i = arith::MinUIOp::create(b, i, index(count - width));
        return made(body(i, {}, width));
      })));
}

ExpressionEmitter RowsInLanes::elementsAt(Values &dims, Value i, Value mask,
                                          int64_t width) {
  dims[nest.axisLoop] = i;
  std::optional<ExpressionEmitter::Lanes> lanesOfRow;
  if (width > 1)
    lanesOfRow = {nest.axisLoop, width};
  return ExpressionEmitter(kernel, space, dims, lanesOfRow, mask);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Stores the keys of the row at `dims` to scratch memory, starting at `at`.
/// Pads the last vector with the key that sorts last.
LogicalResult RowsInLanes::loadRow(Values dims, Value at) {
  Value end =
      b.createOrFold<arith::MaxUIOp>(roundedUp(length, lanes), index(lanes));
  vector::StoreOp::create(
      b, last(), rows,
      add(at, b.createOrFold<arith::SubIOp>(end, index(lanes))));
  return forLanesOfRow(
      nest.length(), [&](Value i, Value mask, int64_t width) -> LogicalResult {
        ExpressionEmitter elements = elementsAt(dims, i, mask, width);
        FailureOr<Value> key = order.load(elements);
        if (failed(key))
          return failure();
        Value position = add(at, i), x = *key;
        auto put = [&](Value value, Value buffer) {
          if (width > 1)
            vector::StoreOp::create(b, value, buffer, position);
          else
            memref::StoreOp::create(b, value, buffer, position);
        };
        if (keys)
          put(x, keys);
        if (order.hasPositions())
          x = order.canonical(x);
        x = order.toSigned(x);
        Type type = shapedLike(narrow.getElementType(), x.getType());
        if (x.getType() != type)
          x = arith::ExtSIOp::create(b, type, x);
        if (mask)
          x = arith::SelectOp::create(b, mask, x, last());
        put(x, rows);
        return success();
      });
}

LogicalResult RowsInLanes::storeRow(Values dims, Value at, const Found &found) {
  Value last = b.createOrFold<arith::SubIOp>(length, index(1));
  return forLanesOfRow(
      nest.storedLength,
      [&](Value i, Value mask, int64_t width) -> LogicalResult {
        auto get = [&](Value buffer, Type element, Value from) -> Value {
          if (width > 1)
            return vector::LoadOp::create(b, VectorType::get({width}, element),
                                          buffer, from);
          return memref::LoadOp::create(b, buffer, from);
        };
        Value key, position, from = add(at, i);
        Value x = get(rows, narrow.getElementType(), from);
        if (order.hasPositions()) {
          Type type = shapedLike(b.getI64Type(), x.getType());
          position = x.getType() == type
                         ? x
                         : Value(arith::ExtSIOp::create(b, type, x));
          Value own =
              width > 1
                  ? countFrom(i, width)
                  : Value(arith::IndexCastOp::create(b, b.getI64Type(), i));
          Value down = arith::SubIOp::create(
              b,
              width > 1
                  ? splat(last, width)
                  : Value(arith::IndexCastOp::create(b, b.getI64Type(), last)),
              own);
          own = arith::SelectOp::create(b, found.reversed, down, own);
          position = arith::SelectOp::create(b, found.unsorted, position, own);
          if (keys && width > 1) {
            auto vector = VectorType::get({width}, order.keyType());
            Value on = mask ? mask
                            : constantOf(b, b.getLoc(),
                                         vector.clone(b.getI1Type()), 1);
            key =
                vector::GatherOp::create(b, vector, keys, at, position, on,
                                         constantOf(b, b.getLoc(), vector, 0));
          } else if (keys) {
            key = memref::LoadOp::create(
                b, keys,
                add(at,
                    arith::IndexCastOp::create(b, b.getIndexType(), position)));
          }
        } else {
          Type type =
              shapedLike(b.getIntegerType(order.ordinalBits()), x.getType());
          if (x.getType() != type)
            x = arith::TruncIOp::create(b, type, x);
          key = order.fromSigned(x);
        }
        ExpressionEmitter elements = elementsAt(dims, i, mask, width);
        return order.store(elements, key, position);
      });
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

FailureOr<RowsInLanes::Found> RowsInLanes::transposeToColumns() {
  Value none = arith::ConstantOp::create(b, b.getZeroAttr(narrow));
  APInt minimum = APInt::getSignedMinValue(narrow.getElementTypeBitWidth());
  Value first =
      arith::ConstantOp::create(b, DenseElementsAttr::get(narrow, minimum));
  auto with = [&](Value found, Value mask) -> Value {
    return arith::OrIOp::create(b, found,
                                arith::ExtSIOp::create(b, narrow, mask));
  };
  // A mask is 0 or -1 in each lane, so subtracting it counts the lanes that are
  // set.
  auto counting = [&](Value count, Value mask) -> Value {
    return arith::SubIOp::create(b, count,
                                 arith::ExtSIOp::create(b, narrow, mask));
  };
  Value shift = constantOf(b, b.getLoc(), wide(), 32);
  auto scan = forRange(
      kernel, index(0), length, lanes, {first, none, none},
      [&](Value v, ValueRange found) -> FailureOr<Values> {
        Value before = found[0], unsorted = found[1], ambiguous = found[2];
        Values square;
        for (int64_t r = 0; r < lanes; ++r) {
          square.push_back(vector::LoadOp::create(b, narrow, rows,
                                                  add(v, index(r * stride))));
          if (mayBeAmbiguous(order))
            ambiguous = with(
                ambiguous, order.isAmbiguous(order.fromSigned(square.back())));
        }
        for (auto [i, key] : llvm::enumerate(transposed(b, square))) {
          unsorted = counting(
              unsorted,
              arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, before, key));
          before = key;
          Value at = add(v, index(i));
          LaneNetwork::Element x{key};
          if (isPacked())
            x[0] = arith::OrIOp::create(
                b,
                arith::ShLIOp::create(b, arith::ExtSIOp::create(b, wide(), key),
                                      shift),
                splat(at, lanes));
          else if (order.hasPositions())
            x.push_back(splat(at, lanes));
          network.store(x, at);
        }
        return Values{before, unsorted, ambiguous};
      });
  if (failed(scan))
    return failure();
  auto reduced = [&](vector::CombiningKind kind, Value x) -> Value {
    return vector::ReductionOp::create(b, kind, x);
  };
  Value breaks = reduced(vector::CombiningKind::MAXSI, (*scan)[1]);
  Value any = reduced(vector::CombiningKind::OR, (*scan)[2]);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(any.getType()));
  auto is = [&](arith::CmpIPredicate predicate, Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, predicate, x, y);
  };
  Value few = b.createOrFold<arith::DivUIOp>(
      length, index(kernel.costs().elementsPerBreak));
  few = arith::IndexCastOp::create(b, any.getType(), few);
  Value unsorted = is(arith::CmpIPredicate::ne, breaks, zero), reversed;
  if (order.hasPositions()) {
    Value most = arith::IndexCastOp::create(
        b, any.getType(), b.createOrFold<arith::SubIOp>(length, index(1)));
    Value fewest = reduced(vector::CombiningKind::MINSI, (*scan)[1]);
    reversed = arith::AndIOp::create(
        b, unsorted, is(arith::CmpIPredicate::eq, fewest, most));
    unsorted = arith::XOrIOp::create(b, unsorted, reversed);
  }
  return Found{unsorted, reversed, is(arith::CmpIPredicate::sle, breaks, few),
               is(arith::CmpIPredicate::ne, any, zero)};
}

/// Transposes the sorted columns back to rows in scratch memory: original
/// positions for an argsort, keys otherwise.
LogicalResult RowsInLanes::transposeBack() {
  return success(succeeded(forRange(
      kernel, index(0), length, lanes, {},
      [&](Value v, ValueRange) -> FailureOr<Values> {
        Values square;
        for (int64_t i = 0; i < lanes; ++i) {
          Value x = network.load(add(v, index(i))).back();
          if (isPacked())
            x = arith::TruncIOp::create(b, narrow, x);
          square.push_back(x);
        }
        for (auto [r, row] : llvm::enumerate(transposed(b, square)))
          vector::StoreOp::create(b, row, rows, add(v, index(r * stride)));
        return Values();
      })));
}

/// Tries to sort nearly sorted rows by one or two passes of bubble sort.
/// Returns an i1 that is true if any row is still unsorted.
FailureOr<Value> RowsInLanes::sweepNearly(const Found &found) {
  auto sweepIf =
      [&](Value condition, bool otherwise,
          function_ref<FailureOr<Value>()> sweep) -> FailureOr<Value> {
    auto ifOp =
        scf::IfOp::create(b, b.getI1Type(), condition, /*withElse=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifOp.elseBlock());
    scf::YieldOp::create(b,
                         Value(arith::ConstantIntOp::create(b, otherwise, 1)));
    b.setInsertionPointToStart(ifOp.thenBlock());
    FailureOr<Value> isLeft = sweep();
    if (failed(isLeft))
      return failure();
    scf::YieldOp::create(b, *isLeft);
    return Value(ifOp.getResult(0));
  };
  return sweepIf(found.isNearly, true, [&]() -> FailureOr<Value> {
    FailureOr<Value> isLeft = network.sweep(length, /*isDownwards=*/false);
    if (failed(isLeft))
      return failure();
    return sweepIf(*isLeft, false,
                   [&] { return network.sweep(length, /*isDownwards=*/true); });
  });
}

LogicalResult RowsInLanes::sortUnsorted(const Found &found) {
  auto all = [&]() -> LogicalResult {
    auto filled = forRange(
        kernel, roundedUp(length, lanes), vectors, 1, {},
        [&](Value v, ValueRange) -> FailureOr<Values> {
          APInt maximum =
              APInt::getSignedMaxValue(wide().getElementTypeBitWidth());
          Value x = arith::ConstantOp::create(
              b, DenseElementsAttr::get(wide(), maximum));
          network.store(LaneNetwork::Element(network.getBuffers().size(), x),
                        v);
          return Values();
        });
    return success(succeeded(filled) && succeeded(network.sort(vectors)));
  };
  // Rows that fit in registers are sorted directly, because a pass of bubble
  // sort would cost as much.
  auto known = dyn_cast<AffineConstantExpr>(nest.length());
  if (known && known.getValue() <= vectorsAtOnce())
    return success(succeeded(all()) && succeeded(transposeBack()));
  FailureOr<Value> isLeft = sweepNearly(found);
  if (failed(isLeft))
    return failure();
  {
    auto ifLeft = scf::IfOp::create(b, *isLeft, /*withElse=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifLeft.thenBlock());
    if (failed(all()))
      return failure();
  }
  return transposeBack();
}

/// Sorts the group of rows that begins with row `first`. Returns an i1 that is
/// false if `sortOneRow` has stored their outputs already.
FailureOr<Value> RowsInLanes::sortColumns(Value first, const Found &found,
                                          RowBody sortOneRow) {
  auto sort = [&]() -> LogicalResult { return sortUnsorted(found); };
  // A row may need sorting although it is in order as signed integers: -0 may
  // have to stay before or after an equal +0, and so may NaNs of different
  // bits.
  Value isWork = found.unsorted;
  if (mayBeAmbiguous(order))
    isWork = arith::OrIOp::create(b, isWork, found.ambiguous);
  auto ifUnsorted =
      scf::IfOp::create(b, b.getI1Type(), isWork, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifUnsorted.elseBlock());
  Value yes = arith::ConstantIntOp::create(b, 1, 1);
  scf::YieldOp::create(b, yes);
  b.setInsertionPointToStart(ifUnsorted.thenBlock());
  yes = arith::ConstantIntOp::create(b, 1, 1);
  if (!mayBeAmbiguous(order)) {
    if (failed(sort()))
      return failure();
    scf::YieldOp::create(b, yes);
    return Value(ifUnsorted.getResult(0));
  }
  auto ifAmbiguous = scf::IfOp::create(b, found.ambiguous, /*withElse=*/true);
  Value isStored = arith::XOrIOp::create(b, found.ambiguous, yes);
  scf::YieldOp::create(b, isStored);
  b.setInsertionPointToStart(ifAmbiguous.thenBlock());
  if (failed(forRows(first, /*repeats=*/false,
                     [&](Values dims, Value) { return sortOneRow(dims); })))
    return failure();
  b.setInsertionPointToStart(ifAmbiguous.elseBlock());
  if (failed(sort()))
    return failure();
  return Value(ifUnsorted.getResult(0));
}

LogicalResult RowsInLanes::sortRows(RowBody sortOneRow) {
  return success(succeeded(forRange(
      kernel, kernel.begin(), kernel.end(), lanes, {},
      [&](Value first, ValueRange) -> FailureOr<Values> {
        auto load = [&](Values dims, Value at) { return loadRow(dims, at); };
        if (failed(forRows(first, /*repeats=*/true, load)))
          return failure();
        FailureOr<Found> found = transposeToColumns();
        if (failed(found))
          return failure();
        FailureOr<Value> isLeft = sortColumns(first, *found, sortOneRow);
        if (failed(isLeft))
          return failure();
        auto ifLeft = scf::IfOp::create(b, *isLeft, /*withElse=*/false);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(ifLeft.thenBlock());
        auto store = [&](Values dims, Value at) {
          return storeRow(dims, at, *found);
        };
        if (failed(forRows(first, /*repeats=*/false, store)))
          return failure();
        return Values();
      })));
}

} // namespace tensorc::codegen::simd
