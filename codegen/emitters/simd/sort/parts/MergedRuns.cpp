//===- MergedRuns.cpp - Merges rows of few ascending runs -----------------===//
//
// a run begins wherever an element comes before its predecessor
// if there are few runs:
//   until everything is stored, or there are too many pieces:
//     find the runs whose heads come first and second
//     binary search in the first run for the elements that come before the
//       second head; store them as one piece
//   if everything is stored: done
// sort the row
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/sort/parts/MergedRuns.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/sort/parts/SortBuffers.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <numeric>

using namespace mlir;

namespace tensorc::codegen::simd {

bool MergedRuns::supports(KernelBuilder &kernel, const AxisNest &nest) {
  auto known = dyn_cast<AffineConstantExpr>(nest.length());
  return nest.storedLength == nest.length() &&
         (!known || known.getValue() >= kernel.costs().minMergedLength);
}

/// Returns the maximum number of entries in the list of runs. The step that
/// exceeds the maximum number of runs is recorded too, and the list ends with
/// the end of the last run.
static int64_t maxRunEntries(KernelBuilder &kernel) {
  return kernel.costs().maxRuns + kernel.costs().maxBreaksPerStep + 2;
}

int64_t MergedRuns::scratchBytes(KernelBuilder &kernel) {
  return llvm::alignTo(2 * maxRunEntries(kernel) * 8, 64);
}

MergedRuns::MergedRuns(RowElements &elements, int64_t firstByte)
    : IndexCode(elements.kernel), elements(elements), nest(elements.nest),
      order(elements.order), space(kernel.names, nest.loops.sizes) {
  int64_t bytes = scratchBytes(kernel) / 2;
  auto words = MemRefType::get({bytes / 8}, b.getIndexType());
  auto view = [&](int64_t byte) {
    return memref::ViewOp::create(b, words, kernel.scratch(), index(byte), {});
  };
  runs = view(firstByte);
  heads = view(firstByte + bytes);
}

/// Records the runs that begin in (at, end]. Returns the new number of runs.
FailureOr<Value> MergedRuns::recordRuns(const Values &dims, Value at, Value end,
                                        Value count) {
  auto counted =
      forRange(kernel, at, end, 1, count,
               [&](Value i, ValueRange sum) -> FailureOr<Values> {
                 Value next = add(i, index(1));
                 FailureOr<Value> x = elements.loadAt(dims, i, 1),
                                  y = elements.loadAt(dims, next, 1);
                 if (failed(x) || failed(y))
                   return failure();
                 memref::StoreOp::create(b, next, runs, sum[0]);
                 Value begins = order.isBefore(*y, *x);
                 return Values{add(sum[0], arith::IndexCastUIOp::create(
                                               b, b.getIndexType(), begins))};
               });
  if (failed(counted))
    return failure();
  return (*counted)[0];
}

/// Counts and records the runs, starting with the step at `from`. Returns
/// maxRuns + 1 if there are too many.
FailureOr<Value> MergedRuns::findRuns(const Values &dims, Value from) {
  int64_t step = elements.pairsPerStep();
  Value pairs = kernel.size(nest.length() - 1);
  Value last = kernel.size(nest.length() - 1 - step);
  Value maxRuns = index(kernel.costs().maxRuns);
  Value no =
      constantOf(b, b.getLoc(),
                 elements.lanes > 1
                     ? Type(VectorType::get({elements.lanes}, b.getI1Type()))
                     : Type(b.getI1Type()),
                 0);
  memref::StoreOp::create(b, index(0), runs, index(0));
  Type type = b.getIndexType();
  LogicalResult made = success();
  auto loop = scf::WhileOp::create(
      b, TypeRange{type, type}, ValueRange{from, index(1)},
      [&](OpBuilder &builder, Location loc, ValueRange at) {
        Value more = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, at[0], pairs);
        Value few = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ule, at[1], maxRuns);
        scf::ConditionOp::create(
            builder, loc, arith::AndIOp::create(builder, loc, more, few), at);
      },
      [&](OpBuilder &builder, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        Value start = smaller(at[0], last), next = add(at[0], index(step));
        FailureOr<Value> holds = elements.agree(dims, start, no);
        FailureOr<Value> runsThen = Value();
        auto record = [&]() -> FailureOr<Value> {
          FailureOr<Value> breaks = elements.countBreaks(dims, start);
          if (failed(breaks))
            return failure();
          Value few = arith::CmpIOp::create(
              b, arith::CmpIPredicate::ule, *breaks,
              arith::ConstantIntOp::create(b, kernel.costs().maxBreaksPerStep,
                                           32));
          return chooseIndex(
              b, few,
              [&] {
                return recordRuns(dims, at[0], smaller(next, pairs), at[1]);
              },
              [&]() -> FailureOr<Value> {
                return index(kernel.costs().maxRuns + 1);
              });
        };
        if (succeeded(holds))
          runsThen = chooseIndex(
              b, *holds, [&]() -> FailureOr<Value> { return at[1]; }, record);
        made = success(succeeded(holds) && succeeded(runsThen));
        scf::YieldOp::create(
            b, ValueRange{next, succeeded(made) ? *runsThen : at[1]});
      });
  if (failed(made))
    return failure();
  return Value(loop.getResult(1));
}

/// Finds the runs whose heads come first and second. If there is no such run,
/// its index is `count`.
FailureOr<MergedRuns::Heads> MergedRuns::firstHeads(const Values &dims,
                                                    Value count) {
  FailureOr<Value> any = elements.loadAt(dims, index(0), 1);
  if (failed(any))
    return failure();
  Value last = kernel.size(nest.length() - 1);
  auto is = [&](arith::CmpIPredicate predicate, Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, predicate, x, y);
  };
  auto select = [&](Value condition, Value x, Value y) -> Value {
    return arith::SelectOp::create(b, condition, x, y);
  };
  auto found = forRange(
      kernel, index(0), count, 1, {count, *any, count, *any},
      [&](Value r, ValueRange at) -> FailureOr<Values> {
        Value head = memref::LoadOp::create(b, heads, r);
        Value end = memref::LoadOp::create(b, runs, add(r, index(1)));
        FailureOr<Value> key = elements.loadAt(dims, smaller(head, last), 1);
        if (failed(key))
          return failure();
        Value isLeft = is(arith::CmpIPredicate::ult, head, end);
        auto comesBefore = [&](Value run, Value other) -> Value {
          Value isNone = is(arith::CmpIPredicate::eq, run, count);
          return arith::AndIOp::create(
              b, isLeft,
              arith::OrIOp::create(b, isNone, order.isBefore(*key, other)));
        };
        Value isFirst = comesBefore(at[0], at[1]);
        Value isSecond = comesBefore(at[2], at[3]);
        return Values{select(isFirst, r, at[0]), select(isFirst, *key, at[1]),
                      select(isFirst, at[0], select(isSecond, r, at[2])),
                      select(isFirst, at[1], select(isSecond, *key, at[3]))};
      });
  if (failed(found))
    return failure();
  return Heads{(*found)[0], (*found)[2], (*found)[3],
               is(arith::CmpIPredicate::eq, (*found)[2], count)};
}

/// Returns the end of the piece of the first run that comes before `head`, the
/// head of the second run, by binary search.
FailureOr<Value> MergedRuns::endOfPiece(const Values &dims, const Heads &at,
                                        Value head) {
  Value end = memref::LoadOp::create(b, runs, add(at.first, index(1)));
  Value wins =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, at.first, at.second);
  Type type = b.getIndexType();
  LogicalResult made = success();
  auto loop = scf::WhileOp::create(
      b, TypeRange{type, type}, ValueRange{add(head, index(1)), end},
      [&](OpBuilder &builder, Location loc, ValueRange range) {
        Value more = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, range[0], range[1]);
        scf::ConditionOp::create(builder, loc, more, range);
      },
      [&](OpBuilder &builder, Location, ValueRange range) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        Value middle =
            arith::DivUIOp::create(b, add(range[0], range[1]), index(2));
        FailureOr<Value> key = elements.loadAt(dims, middle, 1);
        made = key;
        if (failed(made)) {
          scf::YieldOp::create(b, range);
          return;
        }
        // If elements are equal, the one of the left run comes first.
        Value yes = arith::ConstantIntOp::create(b, 1, 1);
        Value isNotAfter =
            arith::XOrIOp::create(b, order.isBefore(at.key, *key), yes);
        Value isTaken = arith::OrIOp::create(
            b, at.isLastRun,
            arith::SelectOp::create(b, wins, isNotAfter,
                                    order.isBefore(*key, at.key)));
        Value next = add(middle, index(1));
        scf::YieldOp::create(
            b,
            ValueRange{
                arith::SelectOp::create(b, isTaken, next, range[0]).getResult(),
                arith::SelectOp::create(b, isTaken, range[1], middle)
                    .getResult()});
      });
  if (failed(made))
    return failure();
  return Value(loop.getResult(0));
}

/// Stores `count` outputs, starting at position `to`, from the elements of the
/// row starting at `from`.
LogicalResult MergedRuns::storePiece(const Values &dims, Value from, Value to,
                                     Value count) {
  auto range = [&](Value lower, Value upper, int64_t width) {
    return succeeded(forRange(
        kernel, lower, upper, width, {},
        [&](Value i, ValueRange) -> FailureOr<Values> {
          Value source = add(from, i);
          FailureOr<Value> keys = elements.loadAt(dims, source, width);
          if (failed(keys))
            return failure();
          Values target = dims;
          target[nest.axisLoop] = add(to, i);
          std::optional<ExpressionEmitter::Lanes> wide;
          Value position = source;
          if (width > 1) {
            wide = {nest.axisLoop, width};
            auto type = VectorType::get({width}, b.getI64Type());
            SmallVector<int64_t> numbers(width);
            std::iota(numbers.begin(), numbers.end(), 0);
            Value first = arith::IndexCastOp::create(b, b.getI64Type(), source);
            position = arith::AddIOp::create(
                b, vector::BroadcastOp::create(b, type, first),
                arith::ConstantOp::create(
                    b, DenseElementsAttr::get(type, ArrayRef(numbers))));
          }
          ExpressionEmitter emitter(kernel, space, target, wide);
          if (failed(order.store(emitter, *keys, position)))
            return failure();
          return Values();
        }));
  };
  Value rest = arith::RemUIOp::create(b, count, index(elements.lanes));
  Value fullEnd = arith::SubIOp::create(b, count, rest);
  return success(range(index(0), fullEnd, elements.lanes) &&
                 (elements.lanes == 1 || range(fullEnd, count, 1)));
}

/// Merges `count` runs into the outputs. Returns an i1 that is true if the
/// whole row has been stored, and false if there were too many pieces.
FailureOr<Value> MergedRuns::mergeFew(const Values &dims, Value count) {
  Value length = kernel.size(nest.length());
  memref::StoreOp::create(b, length, runs, count);
  auto copied = forRange(kernel, index(0), count, 1, {},
                         [&](Value r, ValueRange) -> FailureOr<Values> {
                           memref::StoreOp::create(
                               b, memref::LoadOp::create(b, runs, r), heads, r);
                           return Values();
                         });
  if (failed(copied))
    return failure();
  Type type = b.getIndexType();
  auto isLess = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
  };
  LogicalResult made = success();
  auto loop = scf::WhileOp::create(
      b, TypeRange{type, type}, ValueRange{index(0), index(0)},
      [&](OpBuilder &builder, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        Value more = arith::AndIOp::create(
            b, isLess(at[0], length),
            isLess(at[1], index(kernel.costs().maxPieces)));
        scf::ConditionOp::create(b, more, at);
      },
      [&](OpBuilder &builder, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        auto piece = [&]() -> FailureOr<Value> {
          FailureOr<Heads> found = firstHeads(dims, count);
          if (failed(found))
            return failure();
          Value head = memref::LoadOp::create(b, heads, found->first);
          FailureOr<Value> end = endOfPiece(dims, *found, head);
          if (failed(end))
            return failure();
          memref::StoreOp::create(b, *end, heads, found->first);
          Value size = arith::SubIOp::create(b, *end, head);
          if (failed(storePiece(dims, head, at[0], size)))
            return failure();
          return add(at[0], size);
        };
        FailureOr<Value> next = piece();
        made = next;
        scf::YieldOp::create(b, ValueRange{succeeded(made) ? *next : at[0],
                                           add(at[1], index(1))});
      });
  if (failed(made))
    return failure();
  return Value(arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                     loop.getResult(0), length));
}

FailureOr<Value> MergedRuns::storeRuns(const Values &dims, Value from) {
  auto ifOp = [&](Value condition,
                  function_ref<FailureOr<Value>()> then) -> FailureOr<Value> {
    auto op = scf::IfOp::create(b, b.getI1Type(), condition, /*withElse=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(op.elseBlock());
    scf::YieldOp::create(b, Value(arith::ConstantIntOp::create(b, 0, 1)));
    b.setInsertionPointToStart(op.thenBlock());
    FailureOr<Value> result = then();
    if (failed(result))
      return failure();
    scf::YieldOp::create(b, *result);
    return Value(op.getResult(0));
  };
  Value isLong = arith::CmpIOp::create(b, arith::CmpIPredicate::uge,
                                       kernel.size(nest.length()),
                                       index(kernel.costs().minMergedLength));
  return ifOp(isLong, [&]() -> FailureOr<Value> {
    FailureOr<Value> count = findRuns(dims, from);
    if (failed(count))
      return failure();
    Value few = arith::CmpIOp::create(b, arith::CmpIPredicate::ule, *count,
                                      index(kernel.costs().maxRuns));
    return ifOp(few, [&] { return mergeFew(dims, *count); });
  });
}

} // namespace tensorc::codegen::simd
