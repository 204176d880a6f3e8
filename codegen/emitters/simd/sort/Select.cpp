//===- Select.cpp - Top-k along rows --------------------------------------===//
//
// for each row:
//   bound = a key that at least k elements do not exceed
//   until the row's end:
//     append the elements that come before the bound to the kept ones, vector
//       by vector, until there is no room for another vector
//     sort the kept elements; keep the first k; bound = the k-th
//   store the kept elements
//
// In the buffer, kept elements precede newer ones, and the sort is stable. So
// the result is that of a stable sort of the whole row.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/sort/RowSort.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/PackedLanes.h"
#include "codegen/emitters/simd/sort/parts/Threshold.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

namespace {
class SelectSkeleton : IndexCode {
public:
  SelectSkeleton(KernelBuilder &kernel, const AxisNest &nest)
      : IndexCode(kernel), nest(nest), order(kernel, nest),
        space(kernel.names, nest.loops.sizes),
        capacity(nest.storedLength * 2 + kernel.scheduled("room")),
        length(kernel.size(nest.length())),
        kept(kernel.size(nest.storedLength)), bufferSize(kernel.size(capacity)),
        scratch(kernel, nest, order, capacity, 2 * maxKeyLanes),
        lanes(scratch.getLanes()), threshold(kernel, nest, order, lanes) {}

  FailureOr<KernelSpec> emit();

private:
  using Values = SmallVector<Value>;
  const AxisNest &nest;
  SortOrder order;
  analysis::IterationSpace space;
  AffineExpr capacity;
  Value length, kept, bufferSize;
  RowSort scratch;
  int64_t lanes;
  Threshold threshold;

  /// Elements are taken if their key comes before `key`. While fewer than k
  /// elements are kept (`isFewer`), elements equal to `key` are taken too.
  struct Bound {
    Value key, isFewer;
  };

  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, predicate, x, y);
  }
  Value isTaken(Value key, const Bound &bound);
  Value take(Value key, Value position, Value count, const Bound &bound);
  FailureOr<Value> takeLanes(const Values &dims, Value i, Value count,
                             const Bound &bound);
  FailureOr<Values> scan(Values dims, ValueRange from, const Bound &bound,
                         int64_t width);
  FailureOr<Value> sort(Value count);
  FailureOr<Values> selectOnce(const Values &dims, ValueRange state);
  LogicalResult selectRow(const Values &dims);
};
} // namespace

Value SelectSkeleton::isTaken(Value key, const Bound &bound) {
  Value limit = bound.key, isFewer = bound.isFewer;
  Value yes = arith::ConstantIntOp::create(b, 1, 1);
  if (auto vector = dyn_cast<VectorType>(key.getType())) {
    auto mask = vector.clone(b.getI1Type());
    limit = vector::BroadcastOp::create(b, vector, limit);
    isFewer = vector::BroadcastOp::create(b, mask, isFewer);
    yes = vector::BroadcastOp::create(b, mask, yes);
  }
  Value isNotAfter = arith::XOrIOp::create(b, order.isBefore(limit, key), yes);
  return arith::SelectOp::create(b, isFewer, isNotAfter,
                                 order.isBefore(key, limit));
}

/// Writes an element at index `count`. Returns the new number of elements: if
/// the element is not taken, the number does not change and the next element
/// overwrites it.
Value SelectSkeleton::take(Value key, Value position, Value count,
                           const Bound &bound) {
  scratch.getBuffers().put(count, key, position);
  return add(count, arith::IndexCastUIOp::create(b, b.getIndexType(),
                                                 isTaken(key, bound)));
}

FailureOr<Value> SelectSkeleton::takeLanes(const Values &dims, Value i,
                                           Value count, const Bound &bound) {
  ExpressionEmitter elements(kernel, space, dims,
                             ExpressionEmitter::Lanes{nest.axisLoop, lanes});
  FailureOr<Value> keys = order.load(elements);
  if (failed(keys))
    return failure();
  Value taken = isTaken(*keys, bound);
  Value any = vector::ReductionOp::create(b, vector::CombiningKind::OR, taken);
  auto ifOp = scf::IfOp::create(b, b.getIndexType(), any, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(b, count);
  b.setInsertionPointToStart(ifOp.thenBlock());
  unsigned bits = order.keyType().getIntOrFloatBitWidth();
  if (kernel.target.packsLanes() && (bits == 32 || bits == 64)) {
    scf::YieldOp::create(
        b, add(count, scratch.getBuffers().putPacked(count, *keys, i, taken)));
    return Value(ifOp.getResult(0));
  }
  Value spare = add(bufferSize, bufferSize);
  scratch.getBuffers().putLanes(spare, *keys);
  auto counted =
      forRange(kernel, index(0), index(lanes), 1, count,
               [&](Value lane, ValueRange sum) -> FailureOr<Values> {
                 return Values{take(scratch.getBuffers().key(add(spare, lane)),
                                    add(i, lane), sum[0], bound)};
               });
  if (failed(counted))
    return failure();
  scf::YieldOp::create(b, *counted);
  return Value(ifOp.getResult(0));
}

/// Scans the row from element from[0] on, with from[1] elements in the buffer,
/// while `width` more elements exist in the row and fit in the buffer. A width
/// of 1 handles the remainder. Returns the next element's index and the new
/// number of elements.
FailureOr<SelectSkeleton::Values> SelectSkeleton::scan(Values dims,
                                                       ValueRange from,
                                                       const Bound &bound,
                                                       int64_t width) {
  LogicalResult made = success();
  auto loop = scf::WhileOp::create(
      b, TypeRange(from), from,
      [&](OpBuilder &builder, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        auto fits = [&](Value x, Value limit) {
          return compare(arith::CmpIPredicate::ule, add(x, index(width)),
                         limit);
        };
        Value more = arith::AndIOp::create(b, fits(at[0], length),
                                           fits(at[1], bufferSize));
        if (width < lanes)
          more =
              arith::AndIOp::create(b, more,
                                    compare(arith::CmpIPredicate::ugt,
                                            add(at[0], index(lanes)), length));
        scf::ConditionOp::create(b, more, at);
      },
      [&](OpBuilder &builder, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        dims[nest.axisLoop] = at[0];
        Value count;
        if (width > 1) {
          FailureOr<Value> counted = takeLanes(dims, at[0], at[1], bound);
          made = counted;
          count = succeeded(made) ? *counted : at[1];
        } else {
          ExpressionEmitter elements(kernel, space, dims);
          FailureOr<Value> key = order.load(elements);
          made = key;
          count = succeeded(made) ? take(*key, at[0], at[1], bound) : at[1];
        }
        scf::YieldOp::create(b, ValueRange{add(at[0], index(width)), count});
      });
  if (failed(made))
    return failure();
  return Values(loop.getResults());
}

/// Sorts the kept elements. Returns the index in the buffer at which they
/// begin.
FailureOr<Value> SelectSkeleton::sort(Value count) {
  if (lanes == 1)
    return scratch.sort(count);
  Value target = add(bufferSize, index(maxKeyLanes));
  auto known = dyn_cast<AffineConstantExpr>(capacity);
  if (known && known.getValue() <= kernel.costs().maxRankedElements) {
    if (failed(scratch.sortByRanks(count, target)))
      return failure();
    return target;
  }
  Value isShort = compare(arith::CmpIPredicate::ule, count,
                          index(kernel.costs().maxRankedElements));
  auto ifOp =
      scf::IfOp::create(b, b.getIndexType(), isShort, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  if (failed(scratch.sortByRanks(count, target)))
    return failure();
  scf::YieldOp::create(b, target);
  b.setInsertionPointToStart(ifOp.elseBlock());
  FailureOr<Value> from = scratch.sort(count);
  if (failed(from))
    return failure();
  scf::YieldOp::create(b, *from);
  return Value(ifOp.getResult(0));
}

/// Fills the buffer and sorts it once. `state` consists of the index of the
/// next element in the row, the number of kept elements, and the bound. Returns
/// the next state.
FailureOr<SelectSkeleton::Values> SelectSkeleton::selectOnce(const Values &dims,
                                                             ValueRange state) {
  Bound bound{state[2], state[3]};
  Values at(state.take_front(2));
  SmallVector<int64_t> widths{lanes};
  if (lanes > 1)
    widths.push_back(1);
  for (int64_t width : widths) {
    FailureOr<Values> next = scan(dims, at, bound, width);
    if (failed(next))
      return failure();
    at = *next;
  }
  Value count = at[1];
  FailureOr<Value> from = sort(count);
  if (failed(from))
    return failure();
  Value keeps = b.createOrFold<arith::MinUIOp>(count, kept);
  Value moves = arith::SelectOp::create(
      b, compare(arith::CmpIPredicate::eq, *from, index(0)), index(0), keeps);
  if (failed(scratch.getBuffers().moveToFront(*from, moves)))
    return failure();
  Value last = arith::SubIOp::create(
      b, b.createOrFold<arith::MaxUIOp>(kept, index(1)), index(1));
  Value isFewer = compare(arith::CmpIPredicate::ult, count, kept);
  return Values{at[0], keeps,
                arith::SelectOp::create(b, isFewer, bound.key,
                                        scratch.getBuffers().key(last)),
                isFewer};
}

LogicalResult SelectSkeleton::selectRow(const Values &dims) {
  LogicalResult made = success();
  FailureOr<Value> first = threshold.find(dims);
  if (failed(first))
    return failure();
  Value yes = arith::ConstantIntOp::create(b, 1, 1);
  Values start{index(0), index(0), *first, yes};
  scf::WhileOp::create(
      b, TypeRange(ValueRange(start)), start,
      [&](OpBuilder &builder, Location loc, ValueRange at) {
        Value more = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, at[0], length);
        scf::ConditionOp::create(builder, loc, more, at);
      },
      [&](OpBuilder &builder, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        FailureOr<Values> next = selectOnce(dims, at);
        made = next;
        scf::YieldOp::create(b, succeeded(made) ? ValueRange(*next) : at);
      });
  if (failed(made))
    return failure();
  return scratch.store(dims, index(0));
}

FailureOr<KernelSpec> SelectSkeleton::emit() {
  if (failed(scratch.sortRows([&](Values dims) { return selectRow(dims); })))
    return failure();
  return finishRows(kernel, nest, kernel.costs().selectGrain,
                    scratch.scratchBytes());
}

/// True if only the first k elements are stored and k is small compared to the
/// row's length. Symbolic sizes are assumed to satisfy this; if they do not,
/// the row takes a single sort.
static bool matchFirst(KernelBuilder &fusion, tx::OrderAttr) {
  FailureOr<AxisNest> nest = AxisNest::create(fusion);
  if (failed(nest) || nest->storedLength == nest->length())
    return false;
  auto all = dyn_cast<AffineConstantExpr>(nest->length());
  auto first = dyn_cast<AffineConstantExpr>(nest->storedLength);
  return !all || !first ||
         all.getValue() >= fusion.costs().minLengthOverK *
                               std::max<int64_t>(first.getValue(), 1);
}

static FailureOr<EmittedKernels> emitSelect(KernelBuilder &kernel) {
  FailureOr<AxisNest> nest = AxisNest::create(kernel);
  if (failed(nest))
    return failure();
  return single(SelectSkeleton(kernel, *nest).emit());
}

/// Offers different sizes of the buffer. A larger buffer needs fewer sorts, but
/// of more elements.
static FailureOr<Offers> offerRooms(KernelBuilder &fusion, tx::OrderAttr) {
  FailureOr<AxisNest> nest = AxisNest::create(fusion);
  if (failed(nest))
    return failure();
  Offers offers;
  for (int64_t room : {int64_t(64), int64_t(256), maxKeyLanes})
    for (Numbers numbers : RowSort::offers(fusion, *nest)) {
      numbers.insert(numbers.begin(), {"room", room});
      offers.push_back(numbers);
    }
  return offers;
}

const Skeleton select = {"select", tx::kinds::sort, matchFirst, offerRooms,
                         emitSelect};

} // namespace tensorc::codegen::simd
