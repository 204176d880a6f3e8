//===- Partition.cpp - Vectorized quicksort -------------------------------===//
//
// Quicksort, from the row to an output area after it:
//
// stack = the row
// while the stack is not empty, pop the leftmost partition:
//   short: copy it to scratch, sort it by the network, append it to the output
//   equal keys: append them to the output
//   else: move the keys below a pivot to the front of the partition, and the
//         others to its end; push both partitions
//
// Keys are moved in place. The first and the last keys of the partition are
// copied to scratch, which makes room at both ends. The next vectors are loaded
// from the end that has less room, so no store reaches keys that are not yet
// loaded. The copied keys are moved last.
//
// The output is filled from the left, and everything from the current partition
// on is free. So whole vectors may be stored to it: excess lanes are
// overwritten later.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/sort/parts/Partition.h"
#include "codegen/emitters/simd/sort/parts/PackedLanes.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Maximum recursion depth at which the median of a sample is the pivot. In an
/// adversarial row this may be a bad pivot again and again. Deeper levels halve
/// the range of the keys instead, which terminates for all rows.
static constexpr int64_t levelsBySample = 40;
static constexpr int64_t fieldsOfPart = 5;

/// Returns the size of the buffer in which a partition is sorted, in vectors.
/// One is added because the padding after a partition may begin inside a
/// vector.
static int64_t roomVectors(KernelBuilder &kernel) {
  return kernel.costs().maxNetworkVectors + 1;
}

static int64_t stackParts(SortOrder &order) {
  return levelsBySample + order.ordinalBits() + 8;
}

bool Partition::supports(KernelBuilder &kernel, SortOrder &order) {
  return SortNetwork::supports(kernel, order) && kernel.target.packsLanes();
}

int64_t Partition::longestPart(KernelBuilder &kernel, SortOrder &order) {
  return kernel.costs().maxNetworkVectors *
         kernel.target.getLanes(order.keyType());
}

int64_t Partition::roomBytes(KernelBuilder &kernel, SortOrder &order) {
  return stackParts(order) * fieldsOfPart * 8 +
         roomVectors(kernel) * kernel.target.getVectorBytes();
}

int64_t Partition::spareKeys(KernelBuilder &kernel, SortOrder &order) {
  return 2 * longestPart(kernel, order) +
         2 * kernel.target.getLanes(order.keyType());
}

Partition::Partition(KernelBuilder &kernel, SortOrder &order,
                     SortNetwork &network, int64_t firstByte, Value firstKey,
                     Value count)
    : IndexCode(kernel), order(order), network(network),
      lanes(kernel.target.getLanes(order.keyType())),
      longest(longestPart(kernel, order)),
      vector(VectorType::get({lanes}, b.getIntegerType(order.ordinalBits()))),
      maskType(VectorType::get({lanes}, b.getI1Type())), firstKey(firstKey) {
  auto view = [&](Type type, Value byte, Value size) -> Value {
    return memref::ViewOp::create(b,
                                  MemRefType::get({ShapedType::kDynamic}, type),
                                  kernel.scratch(), byte, size);
  };
  int64_t words = stackParts(order) * fieldsOfPart;
  roomByte = index(firstByte);
  room = view(vector.getElementType(), roomByte,
              index(roomVectors(kernel) * lanes));
  stack = view(
      b.getI64Type(),
      index(firstByte + roomVectors(kernel) * kernel.target.getVectorBytes()),
      index(words));
  integers = view(vector.getElementType(), firstKey, count);
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Value Partition::load(Value at) {
  return vector::LoadOp::create(b, vector, integers, at);
}

Value Partition::roundDown(Value count, int64_t width) {
  return sub(count, arith::RemUIOp::create(b, count, index(width)));
}

/// Returns a mask of the first `count` lanes, which is at most a vector.
Value Partition::firstLanes(Value count) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, value, 64);
  };
  Value excess = arith::SubIOp::create(
      b, constant(lanes), arith::IndexCastOp::create(b, b.getI64Type(), count));
  Value bits = arith::ShRUIOp::create(
      b, constant(llvm::maskTrailingOnes<uint64_t>(lanes)), excess);
  Type word = b.getIntegerType(lanes);
  Value mask = vector::BroadcastOp::create(
      b, VectorType::get({1}, word),
      arith::TruncIOp::create(b, word, bits).getResult());
  return vector::BitCastOp::create(b, maskType, mask);
}

void Partition::push(Value at, const Part &part) {
  Value field = arith::MulIOp::create(b, at, index(fieldsOfPart));
  for (auto [i, value] : llvm::enumerate(
           Values{part.begin, part.end, part.low, part.high, part.level})) {
    if (value.getType().isIndex())
      value = arith::IndexCastOp::create(b, b.getI64Type(), value);
    else if (!value.getType().isInteger(64))
      value = arith::ExtSIOp::create(b, b.getI64Type(), value);
    memref::StoreOp::create(b, value, stack, add(field, index(i)));
  }
}

Partition::Part Partition::pop(Value at) {
  Value field = arith::MulIOp::create(b, at, index(fieldsOfPart));
  auto number = [&](int64_t i, Type type) -> Value {
    Value value = memref::LoadOp::create(b, stack, add(field, index(i)));
    if (type.isIndex())
      return arith::IndexCastOp::create(b, type, value);
    return b.createOrFold<arith::TruncIOp>(type, value);
  };
  Type position = b.getIndexType(), key = vector.getElementType();
  if (key.isInteger(64)) {
    auto word = [&](int64_t i) -> Value {
      return memref::LoadOp::create(b, stack, add(field, index(i)));
    };
    return {number(0, position), number(1, position), word(2), word(3),
            number(4, position)};
  }
  return {number(0, position), number(1, position), number(2, key),
          number(3, key), number(4, position)};
}

//===----------------------------------------------------------------------===//
// Partitioning
//===----------------------------------------------------------------------===//

/// Returns a pivot in (low, high], so that both partitions have a smaller range
/// of keys.
Value Partition::pivotOf(const Part &part) {
  Value apart =
      arith::DivUIOp::create(b, sub(sub(part.end, part.begin), index(lanes)),
                             index(SortNetwork::column - 1));
  Values sample;
  for (int64_t i = 0; i < SortNetwork::column; ++i)
    sample.push_back(order.toSigned(
        load(add(part.begin, arith::MulIOp::create(b, apart, index(i))))));
  Type type = vector.getElementType();
  Value one = arith::ConstantOp::create(b, b.getIntegerAttr(type, 1));
  Value median =
      arith::MaxSIOp::create(b, network.medianOf(sample), add(part.low, one));
  Value halves = arith::ShRSIOp::create(
      b, arith::XOrIOp::create(b, part.low, part.high), one);
  Value middle =
      add(add(arith::AndIOp::create(b, part.low, part.high), halves), one);
  Value isDeep = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, part.level,
                                       index(levelsBySample));
  return arith::SelectOp::create(b, isDeep, middle, median);
}

/// Copies `count` keys as whole vectors. `target` must have room for one more
/// vector.
LogicalResult Partition::copy(Value from, Value count, Value target, Value to) {
  return success(succeeded(forRange(
      kernel, index(0), count, lanes, {},
      [&](Value i, ValueRange) -> FailureOr<Values> {
        vector::StoreOp::create(b, load(add(from, i)), target, add(to, i));
        return Values();
      })));
}

/// Emits a loop that repeats `body` while `condition` holds. Both get the
/// current values, and `body` returns the next ones.
Partition::Values
Partition::repeatWhile(ValueRange init,
                       function_ref<Value(ValueRange)> condition,
                       function_ref<Values(ValueRange)> body) {
  auto emit = [&](OpBuilder &builder, function_ref<void()> code) {
    OpBuilder::InsertionGuard guard(b);
    b.restoreInsertionPoint(builder.saveInsertionPoint());
    code();
  };
  auto loop = scf::WhileOp::create(
      b, init.getTypes(), init,
      [&](OpBuilder &builder, Location, ValueRange at) {
        emit(builder, [&] { scf::ConditionOp::create(b, condition(at), at); });
      },
      [&](OpBuilder &builder, Location, ValueRange at) {
        emit(builder, [&] { scf::YieldOp::create(b, body(at)); });
      });
  return Values(loop.getResults());
}

/// Stores the lanes of x that are not below the pivot, which end at `end`.
void Partition::storeAbove(Value x, Value above, Value count, Value end) {
  vector::MaskedStoreOp::create(b, integers, sub(end, count), firstLanes(count),
                                packLanes(b, x, above));
}

/// Partitions the keys of `part` by `pivot`, in place. The part must be longer
/// than `longest`. Returns the index of the first key that is not below the
/// pivot.
FailureOr<Value> Partition::divide(const Part &part, Value pivot) {
  Value bound = vector::BroadcastOp::create(b, vector, pivot);
  // Number of vectors that are loaded before the first of them is stored. The
  // copied keys must fit into the room of a short partition.
  int64_t unrolled = kernel.costs().partitionVectors;
  assert(3 * unrolled <= kernel.costs().maxNetworkVectors &&
         "the copied keys exceed the room of a short partition");
  Value step = index(unrolled * lanes);
  Value length = sub(part.end, part.begin);
  Value head = add(arith::RemUIOp::create(b, length, step).getResult(), step);
  Value left = add(part.begin, head), right = sub(part.end, step);
  if (failed(copy(part.begin, head, room, index(0))) ||
      failed(copy(right, step, room, head)))
    return failure();
  auto isBelow = [&](Value x) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                 order.toSigned(x), bound);
  };
  Value yes =
      arith::ConstantOp::create(b, DenseElementsAttr::get(maskType, true));
  // Each end has room for `unrolled` vectors when they are stored. Thus a whole
  // vector may be stored at the front, but at the end only the lanes that
  // belong there.
  auto moveFrom = [&](Value source, Value &front, Value &back) {
    Values keys, below;
    for (int64_t u = 0; u < unrolled; ++u) {
      keys.push_back(load(add(source, index(u * lanes))));
      below.push_back(isBelow(keys.back()));
    }
    for (auto [x, mask] : llvm::zip_equal(keys, below)) {
      Value count = countLanes(b, mask);
      Value others = sub(index(lanes), count);
      vector::StoreOp::create(b, packLanes(b, x, mask), integers, front);
      storeAbove(x, arith::XOrIOp::create(b, mask, yes), others, back);
      front = add(front, count);
      back = sub(back, others);
    }
  };
  using arith::CmpIPredicate;
  auto unreadKeys = [&](ValueRange at) -> Value {
    return arith::CmpIOp::create(b, CmpIPredicate::ult, at[0], at[1]);
  };
  auto roomAtEnds = [&](CmpIPredicate relation, ValueRange at) -> Value {
    return arith::AndIOp::create(b, unreadKeys(at),
                                 arith::CmpIOp::create(b, relation,
                                                       sub(at[0], at[2]),
                                                       sub(at[3], at[1])));
  };
  // Each end has its own loop: a branch lets the processor load the next
  // vectors before it knows the number of keys below the pivot. A select would
  // not.
  Values ends = repeatWhile(
      {left, right, part.begin, part.end}, unreadKeys, [&](ValueRange at) {
        Values next = repeatWhile(
            at,
            [&](ValueRange now) { return roomAtEnds(CmpIPredicate::ule, now); },
            [&](ValueRange now) {
              Value front = now[2], back = now[3];
              moveFrom(now[0], front, back);
              return Values{add(now[0], step), now[1], front, back};
            });
        return repeatWhile(
            next,
            [&](ValueRange now) { return roomAtEnds(CmpIPredicate::ugt, now); },
            [&](ValueRange now) {
              Value source = sub(now[1], step), front = now[2], back = now[3];
              moveFrom(source, front, back);
              return Values{now[0], source, front, back};
            });
      });
  Value copied = add(head, step);
  auto middle = forRange(
      kernel, index(0), copied, lanes, {ends[2], ends[3]},
      [&](Value i, ValueRange at) -> FailureOr<Values> {
        Value x = vector::LoadOp::create(b, vector, room, i);
        Value valid = firstLanes(smaller(sub(copied, i), index(lanes)));
        Value below = arith::AndIOp::create(b, isBelow(x), valid);
        Value above = arith::XOrIOp::create(b, below, valid);
        Value count = countLanes(b, below), others = countLanes(b, above);
        vector::MaskedStoreOp::create(b, integers, at[0], firstLanes(count),
                                      packLanes(b, x, below));
        storeAbove(x, above, others, at[1]);
        return Values{add(at[0], count), sub(at[1], others)};
      });
  if (failed(middle))
    return failure();
  return (*middle)[0];
}

/// Sorts a short partition, or one of equal keys, to the output. If the row is
/// a single partition, it is sorted in place, without a copy.
LogicalResult Partition::finish(const Row &row, const Part &part) {
  Value length = sub(part.end, part.begin);
  Value target = add(row.sorted, part.begin);
  Value isSame =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, part.low, part.high);
  auto ifSame = scf::IfOp::create(b, isSame, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifSame.thenBlock());
  if (failed(copy(part.begin, length, integers, target)))
    return failure();
  b.setInsertionPointToStart(ifSame.elseBlock());
  auto ifFull = scf::IfOp::create(b, b.getIndexType(), row.isFull,
                                  /*withElse=*/true);
  {
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(ifFull.thenBlock());
    scf::YieldOp::create(b, firstKey);
    b.setInsertionPointToStart(ifFull.elseBlock());
    if (failed(copy(part.begin, length, room, index(0))))
      return failure();
    scf::YieldOp::create(b, roomByte);
  }
  return network.sort(ifFull.getResult(0), length, target);
}

/// Pops the top partition and either finishes it or splits it in two. `next`
/// receives the new height of the stack.
LogicalResult Partition::step(const Row &row, Value top, Value &next) {
  Value at = sub(top, index(1));
  Part part = pop(at);
  Value isShort = arith::CmpIOp::create(
      b, arith::CmpIPredicate::ule, sub(part.end, part.begin), index(longest));
  Value isSame =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, part.low, part.high);
  auto ifOp = scf::IfOp::create(b, b.getIndexType(),
                                arith::OrIOp::create(b, isShort, isSame),
                                /*withElse=*/true);
  next = ifOp.getResult(0);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  if (failed(finish(row, part)))
    return failure();
  scf::YieldOp::create(b, at);
  b.setInsertionPointToStart(ifOp.elseBlock());
  Value pivot = pivotOf(part);
  FailureOr<Value> middle = divide(part, pivot);
  if (failed(middle))
    return failure();
  Value one =
      arith::ConstantOp::create(b, b.getIntegerAttr(pivot.getType(), 1));
  Value level = add(part.level, index(1));
  push(at, {*middle, part.end, pivot, part.high, level});
  push(top, {part.begin, *middle, part.low, sub(pivot, one), level});
  scf::YieldOp::create(b, add(top, index(1)));
  return success();
}

FailureOr<Value> Partition::sort(Value length) {
  Type type = vector.getElementType();
  unsigned width = order.ordinalBits();
  auto bound = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  };
  Value isFull = arith::CmpIOp::create(b, arith::CmpIPredicate::ule, length,
                                       index(longest));
  Value maxLength = b.createOrFold<arith::MaxUIOp>(length, index(longest));
  Value sorted = roundDown(add(maxLength, index(lanes - 1)), lanes);
  Row row{length, sorted, isFull};
  push(index(0), {index(0), length, bound(APInt::getSignedMinValue(width)),
                  bound(APInt::getSignedMaxValue(width)), index(0)});
  LogicalResult made = success();
  repeatWhile(
      index(1),
      [&](ValueRange top) -> Value {
        return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, top[0],
                                     index(0));
      },
      [&](ValueRange top) {
        Value next = top[0];
        made = step(row, top[0], next);
        return Values{next};
      });
  if (failed(made))
    return failure();
  return sorted;
}

} // namespace tensorc::codegen::simd
