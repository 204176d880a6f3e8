//===- Threshold.cpp - Upper bound on the k-th key of a row ---------------===//
//
// for each step over the row's first elements; a class is one lane of one of
// the step's vectors:
//   first key of the class = min(first key of the class, element)
// find the k-th of these first keys bit by bit
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/sort/parts/Threshold.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/simd/sort/parts/PackedLanes.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Returns the maximum k for this number of classes. If k is 13/16 of that
/// number, about 2 k elements of a random row pass the threshold. With a larger
/// k, too many would.
static constexpr int64_t usedOf(int64_t classes) { return classes * 13 / 16; }
/// Minimum number of lanes that countLanes() supports.
static constexpr int64_t minLanes = 8;

/// Returns the number of vectors of classes, or 0 if a threshold does not pay
/// off.
static int64_t classesOf(KernelBuilder &kernel, const AxisNest &nest,
                         int64_t lanes) {
  if (lanes < minLanes || !isCheap(kernel))
    return 0;
  int64_t maxClasses =
      std::min<int64_t>(kernel.costs().maxThresholdClasses,
                        kernel.target.getNumVectorRegisters() / 2);
  std::optional<int64_t> kept = constantOf(nest.storedLength);
  if (!kept)
    return kernel.costs().minThresholdVectors;
  int64_t classes = 1;
  while (usedOf(classes * lanes) < *kept)
    classes *= 2;
  return *kept && classes <= maxClasses ? classes : 0;
}

Threshold::Threshold(KernelBuilder &kernel, const AxisNest &nest,
                     SortOrder &order, int64_t lanes)
    : IndexCode(kernel), nest(nest), order(order),
      space(kernel.names, nest.loops.sizes), lanes(lanes),
      classes(classesOf(kernel, nest, lanes)) {}

int64_t Threshold::vectorsPerStep() const {
  return std::max<int64_t>(classes, kernel.costs().minThresholdVectors);
}

/// Returns an i1 that is true if the row is long enough, and k small enough,
/// for a threshold to pay off.
Value Threshold::isWorthIt() {
  int64_t step = vectorsPerStep() * lanes;
  Value isLong = b.createOrFold<arith::CmpIOp>(
      arith::CmpIPredicate::uge, kernel.size(nest.length()),
      index(kernel.costs().minThresholdDepth * step));
  Value isFew = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ule,
                                              kernel.size(nest.storedLength),
                                              index(usedOf(classes * lanes)));
  return b.createOrFold<arith::AndIOp>(isLong, isFew);
}

Value Threshold::firstOf(Value x, Value y) {
  return arith::SelectOp::create(b, order.isBefore(y, x), y, x);
}

FailureOr<Threshold::Values> Threshold::load(Values dims, Value from) {
  Values result;
  for (int64_t v = 0; v < vectorsPerStep(); ++v) {
    dims[nest.axisLoop] = b.createOrFold<arith::AddIOp>(from, index(v * lanes));
    ExpressionEmitter elements(kernel, space, dims,
                               ExpressionEmitter::Lanes{nest.axisLoop, lanes});
    FailureOr<Value> key = order.load(elements);
    if (failed(key))
      return failure();
    result.push_back(*key);
  }
  return result;
}

/// Returns the first key of each class. Reads only whole steps, because a
/// threshold computed from fewer elements is valid too.
FailureOr<Threshold::Values> Threshold::firstOfClasses(const Values &dims) {
  int64_t step = vectorsPerStep() * lanes;
  Value length = b.createOrFold<arith::MinUIOp>(
      kernel.size(nest.length()), index(kernel.costs().maxThresholdElements));
  Value rest = b.createOrFold<arith::RemUIOp>(length, index(step));
  FailureOr<Values> start = load(dims, index(0));
  if (failed(start))
    return failure();
  FailureOr<Values> keys = forRange(
      kernel, index(step), b.createOrFold<arith::SubIOp>(length, rest), step,
      *start, [&](Value i, ValueRange first) -> FailureOr<Values> {
        FailureOr<Values> next = load(dims, i);
        if (failed(next))
          return failure();
        for (auto [key, other] : llvm::zip(*next, first))
          key = firstOf(other, key);
        return *next;
      });
  if (failed(keys))
    return failure();
  while (static_cast<int64_t>(keys->size()) > classes) {
    Value last = keys->pop_back_val();
    Value &partner = (*keys)[keys->size() % classes];
    partner = firstOf(partner, last);
  }
  return keys;
}

Value Threshold::firstLane(Value x) {
  for (int64_t distance = lanes / 2; distance > 0; distance /= 2) {
    SmallVector<int64_t> from(lanes);
    for (int64_t l = 0; l < lanes; ++l)
      from[l] = l ^ distance;
    x = firstOf(x, vector::ShuffleOp::create(b, x, x, from));
  }
  return vector::ExtractOp::create(b, x, int64_t(0));
}

/// Returns the `count`-th of `keys`. They are compared as signed integers,
/// which have the same order as the keys once NaNs have been made canonical.
FailureOr<Value> Threshold::nth(Values keys, Value count) {
  unsigned bits = order.ordinalBits();
  Type integer = b.getIntegerType(bits);
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(integer, value));
  };
  for (Value &x : keys) {
    if (auto type = dyn_cast<FloatType>(order.keyType())) {
      auto vector = cast<VectorType>(x.getType());
      Value nan = arith::ConstantOp::create(
          b, DenseElementsAttr::get(
                 vector, APFloat::getQNaN(type.getFloatSemantics())));
      Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
      x = arith::SelectOp::create(b, isNan, nan, x);
    }
    x = order.toSigned(x);
  }
  Value sign = constant(APInt::getSignMask(bits));
  Value one = constant(APInt(bits, 1));
  // Binary search over the bits, from the highest one on. The result is kept as
  // an unsigned offset from the minimum signed integer. The xor with the sign
  // bit adds that minimum.
  auto found = forRange(
      kernel, index(0), index(bits), 1, {constant(APInt(bits, 0)), sign},
      [&](Value, ValueRange state) -> FailureOr<Values> {
        Value larger = arith::OrIOp::create(b, state[0], state[1]);
        Value limit = vector::BroadcastOp::create(
            b, keys[0].getType(), arith::XOrIOp::create(b, larger, sign));
        Value below = index(0);
        for (Value x : keys)
          below = b.createOrFold<arith::AddIOp>(
              below,
              countLanes(b, arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                                  x, limit)));
        Value isFewer =
            arith::CmpIOp::create(b, arith::CmpIPredicate::ult, below, count);
        return Values{arith::SelectOp::create(b, isFewer, larger, state[0]),
                      arith::ShRUIOp::create(b, state[1], one)};
      });
  if (failed(found))
    return failure();
  return order.fromSigned(arith::XOrIOp::create(b, (*found)[0], sign));
}

FailureOr<Value> Threshold::find(const Values &dims) {
  Value last = arith::ConstantOp::create(b, order.lastKey());
  if (!classes)
    return last;
  Value worth = isWorthIt();
  if (matchPattern(worth, m_Zero()))
    return last;
  auto ifOp = scf::IfOp::create(b, order.keyType(), worth, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(b, last);
  b.setInsertionPointToStart(ifOp.thenBlock());
  FailureOr<Values> keys = firstOfClasses(dims);
  if (failed(keys))
    return failure();
  bool isFirst = constantOf(nest.storedLength) == 1;
  FailureOr<Value> key = isFirst ? FailureOr<Value>(firstLane(keys->front()))
                                 : nth(*keys, kernel.size(nest.storedLength));
  if (failed(key))
    return failure();
  scf::YieldOp::create(b, *key);
  return Value(ifOp.getResult(0));
}

} // namespace tensorc::codegen::simd
