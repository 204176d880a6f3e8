//===- SortNetwork.cpp - Bitonic network over vectors ---------------------===//
//
// sort columns of 16 vectors in registers: runs of 16 keys in each lane
// for merged runs of 32, 64, ... up to all keys:
//   compare each run with its mirror image: two bitonic halves
//   compare keys at distances 1/2, 1/4, ... of a half
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/sort/parts/SortNetwork.h"
#include "codegen/emitters/simd/TransposedBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

bool SortNetwork::supports(KernelBuilder &kernel, SortOrder &order) {
  unsigned bits = order.keyType().getIntOrFloatBitWidth();
  return !order.hasPositions() && (bits == 32 || bits == 64) &&
         kernel.target.getLanes(order.keyType()) > 1;
}

int64_t SortNetwork::keysFor(KernelBuilder &kernel, SortOrder &order,
                             int64_t length) {
  int64_t lanes = kernel.target.getLanes(order.keyType());
  int64_t padded = llvm::PowerOf2Ceil(std::max(length, column * lanes));
  return 2 * padded + lanes;
}

SortNetwork::SortNetwork(KernelBuilder &kernel, SortOrder &order,
                         Value firstKey, Value count)
    : IndexCode(kernel), order(order),
      lanes(kernel.target.getLanes(order.keyType())),
      keyVector(VectorType::get({lanes}, order.keyType())),
      vector(VectorType::get({lanes}, b.getIntegerType(order.ordinalBits()))),
      inLanes(kernel, vector, column), firstKey(firstKey), count(count) {
  keys = sorted = view(order.keyType(), firstKey);
}

Value SortNetwork::view(Type type, Value byte) {
  return memref::ViewOp::create(b,
                                MemRefType::get({ShapedType::kDynamic}, type),
                                kernel.scratch(), byte, count);
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Value SortNetwork::load(Value v) { return inLanes.load(v)[0]; }

void SortNetwork::store(Value x, Value v) { inLanes.store({x}, v); }

Value SortNetwork::shuffled(Value x, Value y,
                            function_ref<int64_t(int64_t)> laneOf) {
  SmallVector<int64_t> order;
  for (int64_t l = 0; l < lanes; ++l)
    order.push_back(laneOf(l));
  return vector::ShuffleOp::create(b, x, y, order);
}

void SortNetwork::compare(Value &x, Value &y) {
  LaneNetwork::Element smaller{x}, larger{y};
  inLanes.compare(smaller, larger);
  x = smaller[0];
  y = larger[0];
}

/// Compares each lane with the lane whose number differs in the bits of `mask`.
/// `high` is the highest of these bits.
void SortNetwork::compareLanes(Value &x, int64_t high, int64_t mask) {
  Value smaller = x,
        larger = shuffled(x, x, [&](int64_t l) { return l ^ mask; });
  compare(smaller, larger);
  x = shuffled(smaller, larger,
               [&](int64_t l) { return l & high ? lanes + l : l; });
}

/// Sorts the lanes of x by a bitonic network, which merges groups of 2, 4, ...
/// lanes.
void SortNetwork::sortLanes(Value &x) {
  for (int64_t group = 2; group <= lanes; group *= 2) {
    compareLanes(x, group / 2, group - 1);
    for (int64_t distance = group / 4; distance >= 1; distance /= 2)
      compareLanes(x, distance, distance);
  }
}

Value SortNetwork::medianOf(Values x) {
  SmallVector<LaneNetwork::Element> elements;
  for (Value vector : x)
    elements.push_back({vector});
  inLanes.sortColumn(elements);
  Value middle = elements[column / 2][0];
  sortLanes(middle);
  return vector::ExtractOp::create(b, middle, lanes / 2);
}

//===----------------------------------------------------------------------===//
// Padding and transposing
//===----------------------------------------------------------------------===//

Value SortNetwork::paddedTo(Value length) {
  Type type = b.getIndexType();
  auto loop = scf::WhileOp::create(
      b, type, index(column * lanes),
      [&](OpBuilder &builder, Location loc, ValueRange at) {
        Value more = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, at[0], length);
        scf::ConditionOp::create(builder, loc, more, at);
      },
      [&](OpBuilder &builder, Location loc, ValueRange at) {
        Value doubled = arith::AddIOp::create(builder, loc, at[0], at[0]);
        scf::YieldOp::create(builder, loc, doubled);
      });
  return loop.getResult(0);
}

LogicalResult SortNetwork::fill(Value length, Value padded) {
  Value last = arith::ConstantOp::create(
      b, DenseElementsAttr::get(keyVector, Attribute(order.lastKey())));
  return success(
      succeeded(forRange(kernel, length, padded, lanes, {},
                         [&](Value i, ValueRange) -> FailureOr<Values> {
                           vector::StoreOp::create(b, last, keys, i);
                           return Values();
                         })));
}

FailureOr<Value> SortNetwork::isPlain(Value length) {
  if (failed(fill(length, add(length, index(1)))))
    return failure();
  Value none = arith::ConstantOp::create(b, b.getZeroAttr(vector));
  auto found = forRange(
      kernel, index(0), length, lanes, none,
      [&](Value i, ValueRange sum) -> FailureOr<Values> {
        Value key = vector::LoadOp::create(b, keyVector, keys, i);
        return Values{arith::OrIOp::create(
            b, sum[0],
            arith::ExtSIOp::create(b, vector, order.isAmbiguous(key)))};
      });
  if (failed(found))
    return failure();
  Value any =
      vector::ReductionOp::create(b, vector::CombiningKind::OR, (*found)[0]);
  Value zero =
      arith::ConstantOp::create(b, b.getZeroAttr(vector.getElementType()));
  return Value(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, any, zero));
}

/// Transposes blocks of `lanes` x `lanes` integers, so that the sorted keys are
/// contiguous, and converts the integers back to keys.
LogicalResult SortNetwork::transpose(Value vectors, Value target) {
  return success(succeeded(
      forRange(kernel, index(0), vectors, lanes, {},
               [&](Value v, ValueRange) -> FailureOr<Values> {
                 Values rows;
                 for (int64_t i = 0; i < lanes; ++i)
                   rows.push_back(load(add(v, index(i))));
                 for (auto [l, row] : llvm::enumerate(transposed(b, rows)))
                   vector::StoreOp::create(
                       b, order.fromSigned(row), sorted,
                       add(target, add(times(index(l), vectors), v)));
                 return Values();
               })));
}

//===----------------------------------------------------------------------===//
// The network
//===----------------------------------------------------------------------===//

LogicalResult SortNetwork::sortColumns(Value vectors) {
  return inLanes.sortColumns(vectors, [&](Value v) {
    Value key =
        vector::LoadOp::create(b, keyVector, keys, times(v, index(lanes)));
    return LaneNetwork::Element{order.toSigned(key)};
  });
}

/// Emits the first step of merging groups of `group` lanes, where each half of
/// a group is a run across all vectors. Then emits the steps between lanes at
/// group / 4, group / 8, ..., 1.
LogicalResult SortNetwork::flipLanes(Value vectors, int64_t group) {
  auto mirror = [&](Value x) {
    return shuffled(x, x, [&](int64_t l) { return l ^ (group - 1); });
  };
  auto isRight = [&](int64_t l) { return l & (group / 2); };
  Value last = sub(vectors, index(1));
  return success(succeeded(forRange(
      kernel, index(0), half(vectors), 1, {},
      [&](Value v, ValueRange) -> FailureOr<Values> {
        Value w = sub(last, v);
        Value smaller = load(v), larger = mirror(load(w));
        compare(smaller, larger);
        Value x = shuffled(smaller, larger, [&](int64_t l) {
          return isRight(l) ? lanes + l : l;
        });
        Value y = mirror(shuffled(smaller, larger, [&](int64_t l) {
          return isRight(l) ? l : lanes + l;
        }));
        for (int64_t distance = group / 4; distance >= 1; distance /= 2) {
          compareLanes(x, distance, distance);
          compareLanes(y, distance, distance);
        }
        store(x, v);
        store(y, w);
        return Values();
      })));
}

/// Emits the first step of merging pairs of runs with run / 2 keys each.
/// Returns the distance of the next step in vectors.
FailureOr<Value> SortNetwork::beginMerge(Value vectors, Value run) {
  Value inLane =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ule, run, vectors);
  auto ifOp = scf::IfOp::create(b, b.getIndexType(), inLane, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  if (failed(inLanes.flip(vectors, run)))
    return failure();
  scf::YieldOp::create(b, half(half(run)));
  b.setInsertionPointToStart(ifOp.elseBlock());
  for (int64_t group = 2; group <= lanes; group *= 2) {
    Value isIt = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, run,
                                       times(vectors, index(group)));
    auto lanesOp = scf::IfOp::create(b, isIt, /*withElse=*/false);
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(lanesOp.thenBlock());
    if (failed(flipLanes(vectors, group)))
      return failure();
  }
  b.setInsertionPointToEnd(ifOp.elseBlock());
  scf::YieldOp::create(b, half(vectors));
  return Value(ifOp.getResult(0));
}

LogicalResult SortNetwork::mergeRuns(Value vectors, Value padded) {
  LogicalResult made = success();
  scf::WhileOp::create(
      b, b.getIndexType(), index(2 * column),
      [&](OpBuilder &builder, Location loc, ValueRange at) {
        Value more = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ule, at[0], padded);
        scf::ConditionOp::create(builder, loc, more, at);
      },
      [&](OpBuilder &builder, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        FailureOr<Value> distance = beginMerge(vectors, at[0]);
        made = distance;
        if (succeeded(made))
          made = inLanes.cleanFrom(vectors, *distance);
        scf::YieldOp::create(b, add(at[0], at[0]));
      });
  return made;
}

LogicalResult SortNetwork::sortPadded(Value length, Value padded,
                                      Value target) {
  Value vectors = b.createOrFold<arith::DivUIOp>(padded, index(lanes));
  return success(succeeded(fill(length, padded)) &&
                 succeeded(sortColumns(vectors)) &&
                 succeeded(mergeRuns(vectors, padded)) &&
                 succeeded(transpose(vectors, target)));
}

FailureOr<Value> SortNetwork::sort(Value length) {
  Value padded = paddedTo(length);
  inLanes.setBuffers(view(vector.getElementType(), firstKey));
  if (failed(sortPadded(length, padded, padded)))
    return failure();
  return padded;
}

LogicalResult SortNetwork::sort(Value byte, Value length, Value target) {
  keys = view(order.keyType(), byte);
  inLanes.setBuffers(view(vector.getElementType(), byte));
  LogicalResult made = sortPadded(length, paddedTo(length), target);
  keys = sorted;
  return made;
}

} // namespace tensorc::codegen::simd
