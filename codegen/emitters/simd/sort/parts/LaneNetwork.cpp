//===- LaneNetwork.cpp - Sorts vectors lane by lane -----------------------===//

#include "codegen/emitters/simd/sort/parts/LaneNetwork.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tensorc::codegen::simd {

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Value LaneNetwork::offsetOf(Value v) {
  return b.createOrFold<arith::MulIOp>(v, index(vector.getNumElements()));
}

LaneNetwork::Element LaneNetwork::load(Value v) {
  Element x;
  for (Value buffer : buffers)
    x.push_back(vector::LoadOp::create(b, vector, buffer, offsetOf(v)));
  return x;
}

void LaneNetwork::store(const Element &x, Value v) {
  for (auto [part, buffer] : llvm::zip_equal(x, buffers))
    vector::StoreOp::create(b, part, buffer, offsetOf(v));
}

/// Returns a mask of the lanes in which y comes before x.
Value LaneNetwork::isOutOfOrder(const Element &x, const Element &y) {
  auto is = [&](arith::CmpIPredicate predicate, unsigned part) -> Value {
    return arith::CmpIOp::create(b, predicate, y[part], x[part]);
  };
  Value less = is(arith::CmpIPredicate::slt, 0);
  if (x.size() == 1)
    return less;
  return arith::OrIOp::create(
      b, less,
      arith::AndIOp::create(b, is(arith::CmpIPredicate::eq, 0),
                            is(arith::CmpIPredicate::slt, 1)));
}

void LaneNetwork::compare(Element &x, Element &y) {
  if (x.size() == 1) {
    Value smaller = arith::MinSIOp::create(b, x[0], y[0]);
    y[0] = arith::MaxSIOp::create(b, x[0], y[0]);
    x[0] = smaller;
    return;
  }
  Value swaps = isOutOfOrder(x, y);
  for (unsigned part : {0, 1}) {
    Value smaller = arith::SelectOp::create(b, swaps, y[part], x[part]);
    y[part] = arith::SelectOp::create(b, swaps, x[part], y[part]);
    x[part] = smaller;
  }
}

void LaneNetwork::comparePair(Value v, Value w) {
  Element x = load(v), y = load(w);
  compare(x, y);
  store(x, v);
  store(y, w);
}

FailureOr<Value> LaneNetwork::sweep(Value vectors, bool isDownwards) {
  unsigned width = vector.getElementTypeBitWidth(), parts = buffers.size();
  auto bound = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(b, DenseElementsAttr::get(vector, value));
  };
  Value last = sub(vectors, index(1));
  Element first = load(isDownwards ? last : index(0));
  Values carried(first.begin(), first.end());
  carried.append(parts, bound(isDownwards ? APInt::getSignedMaxValue(width)
                                          : APInt::getSignedMinValue(width)));
  carried.push_back(arith::ConstantOp::create(b, b.getZeroAttr(vector)));
  auto swept = forRange(
      kernel, index(1), vectors, 1, carried,
      [&](Value i, ValueRange at) -> FailureOr<Values> {
        Element extreme(at.take_front(parts)), before(at.slice(parts, parts));
        Element x = load(isDownwards ? sub(last, i) : i);
        Value wrong;
        if (isDownwards) {
          compare(x, extreme);
          std::swap(x, extreme);
          wrong = isOutOfOrder(x, before);
        } else {
          compare(extreme, x);
          std::swap(x, extreme);
          wrong = isOutOfOrder(before, x);
        }
        store(x, isDownwards ? add(sub(last, i), index(1)) : sub(i, index(1)));
        Values next(extreme.begin(), extreme.end());
        next.append(x.begin(), x.end());
        next.push_back(arith::OrIOp::create(
            b, at.back(), arith::ExtSIOp::create(b, vector, wrong)));
        return next;
      });
  if (failed(swept))
    return failure();
  store(Element(ValueRange(*swept).take_front(parts)),
        isDownwards ? index(0) : last);
  Value any =
      vector::ReductionOp::create(b, vector::CombiningKind::OR, swept->back());
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(any.getType()));
  return Value(arith::CmpIOp::create(b, arith::CmpIPredicate::ne, any, zero));
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

/// Sorts a column by Batcher's odd-even merge sort, which needs fewer
/// comparisons than a bitonic sort.
void LaneNetwork::sortColumn(MutableArrayRef<Element> x) {
  int64_t size = x.size();
  for (int64_t run = 1; run < size; run *= 2)
    for (int64_t apart = run; apart >= 1; apart /= 2)
      for (int64_t j = apart % run; j + apart < size; j += 2 * apart)
        for (int64_t i = j; i < j + apart && i + apart < size; ++i)
          if (i / (2 * run) == (i + apart) / (2 * run))
            compare(x[i], x[i + apart]);
}

LogicalResult
LaneNetwork::sortColumns(Value vectors,
                         function_ref<Element(Value v)> loadFrom) {
  return success(
      succeeded(forRange(kernel, index(0), vectors, column, {},
                         [&](Value first, ValueRange) -> FailureOr<Values> {
                           SmallVector<Element> x;
                           for (int64_t i = 0; i < column; ++i)
                             x.push_back(loadFrom(add(first, index(i))));
                           sortColumn(x);
                           for (int64_t i = 0; i < column; ++i)
                             store(x[i], add(first, index(i)));
                           return Values();
                         })));
}

/// Emits the last steps of a bitonic merge: those whose distance is less than a
/// column, so that each column is handled in registers.
LogicalResult LaneNetwork::cleanColumns(Value vectors) {
  return success(succeeded(
      forRange(kernel, index(0), vectors, column, {},
               [&](Value first, ValueRange) -> FailureOr<Values> {
                 SmallVector<Element> x;
                 for (int64_t i = 0; i < column; ++i)
                   x.push_back(load(add(first, index(i))));
                 for (int64_t apart = column / 2; apart >= 1; apart /= 2)
                   for (int64_t i = 0; i < column; ++i)
                     if (!(i & apart))
                       compare(x[i], x[i + apart]);
                 for (int64_t i = 0; i < column; ++i)
                   store(x[i], add(first, index(i)));
                 return Values();
               })));
}

//===----------------------------------------------------------------------===//
// Merges
//===----------------------------------------------------------------------===//

LogicalResult LaneNetwork::flip(Value vectors, Value run) {
  auto loop = scf::ForOp::create(b, index(0), vectors, run);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value begin = loop.getInductionVar(), end = add(begin, run);
  // The last run may be incomplete. Only vectors whose mirror image exists are
  // compared.
  Value first = sub(arith::MaxUIOp::create(b, end, vectors), vectors);
  Value last = sub(end, index(1));
  return success(
      succeeded(forRange(kernel, first, half(run), 1, {},
                         [&](Value i, ValueRange) -> FailureOr<Values> {
                           comparePair(add(begin, i), sub(last, i));
                           return Values();
                         })));
}

LogicalResult LaneNetwork::cleanFrom(Value vectors, Value distance) {
  LogicalResult made = success();
  scf::WhileOp::create(
      b, b.getIndexType(), distance,
      [&](OpBuilder &builder, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, at[0],
                                           index(column));
        scf::ConditionOp::create(b, more, at);
      },
      [&](OpBuilder &builder, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        {
          Value pair = add(at[0], at[0]);
          auto loop = scf::ForOp::create(b, index(0), vectors, pair);
          OpBuilder::InsertionGuard inner(b);
          b.setInsertionPointToStart(loop.getBody());
          Value begin = loop.getInductionVar();
          // `end` is less than `begin` if the run ends before its second half
          // begins.
          Value end =
              sub(arith::MinUIOp::create(b, add(begin, pair), vectors), at[0]);
          made = success(
              succeeded(forRange(kernel, begin, end, 1, {},
                                 [&](Value v, ValueRange) -> FailureOr<Values> {
                                   comparePair(v, add(v, at[0]));
                                   return Values();
                                 })));
        }
        scf::YieldOp::create(b, half(at[0]));
      });
  return success(succeeded(made) && succeeded(cleanColumns(vectors)));
}

LogicalResult LaneNetwork::sort(Value vectors) {
  if (failed(sortColumns(vectors, [&](Value v) { return load(v); })))
    return failure();
  APInt known;
  if (matchPattern(vectors, m_ConstantInt(&known)) && known.ule(column))
    return success();
  LogicalResult made = success();
  scf::WhileOp::create(
      b, b.getIndexType(), index(2 * column),
      [&](OpBuilder &builder, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                           half(at[0]), vectors);
        scf::ConditionOp::create(b, more, at);
      },
      [&](OpBuilder &builder, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        made = success(succeeded(flip(vectors, at[0])) &&
                       succeeded(cleanFrom(vectors, half(half(at[0])))));
        scf::YieldOp::create(b, add(at[0], at[0]));
      });
  return made;
}

} // namespace tensorc::codegen::simd
