//===- Sort.cpp - Sorts on GPUs -------------------------------------------===//
//
// Merge sort with one block per row. Keys (and original positions, for an
// argsort) are in a temporary, whose two halves are a double buffer. In each
// merge pass, each thread moves its elements to their positions in the merged
// run: the number of elements before them in their own run plus the number in
// the other run, which is found by binary search.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/simt/Grid.h"
#include "codegen/emitters/simt/Skeletons.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simt {

namespace {
class SortSkeleton {
public:
  SortSkeleton(KernelBuilder &kernel, const AxisNest &nest)
      : kernel(kernel), b(kernel.b), nest(nest), order(kernel, nest),
        space(kernel.names, nest.loops.sizes) {}

  SmallVector<KernelSpec::Temporary> temporaries();
  FailureOr<KernelSpec> emit();

private:
  KernelBuilder &kernel;
  ImplicitLocOpBuilder &b;
  const AxisNest &nest;
  SortOrder order;
  analysis::IterationSpace space;
  Value thread, length, stored;

  Value index(int64_t v) { return indexConstant(kernel, v); }
  Value keys() { return kernel.temporary(0); }
  Value positions() {
    return order.hasPositions() ? kernel.temporary(1) : Value();
  }
  /// Emits `body` for this thread's part of the row's first `count` elements.
  LogicalResult forOwn(Value count, function_ref<LogicalResult(Value)> body);
  LogicalResult loadRow(Values dims, Value first);
  LogicalResult storeRow(Values dims, Value from);
  LogicalResult moveOwn(Value width, Value from, Value to);
  Value countBefore(Value key, Value isRight, Value begin, Value end,
                    Value from);
};
} // namespace

/// Returns the temporaries, of shape [row, half, element], one per sorted
/// value.
SmallVector<KernelSpec::Temporary> SortSkeleton::temporaries() {
  AffineExpr count = kernel.names.simplify(
      kernel.names.product(nest.rowSizes()) * nest.length() * 2);
  SmallVector<KernelSpec::Temporary> result{{order.keyType(), count}};
  if (order.hasPositions())
    result.push_back({b.getI64Type(), count});
  return result;
}

LogicalResult SortSkeleton::forOwn(Value count,
                                   function_ref<LogicalResult(Value)> body) {
  return forStrided(kernel, thread, count, index(blockThreads), {},
                    [&](Value i, ValueRange) -> FailureOr<Values> {
                      if (failed(body(i)))
                        return failure();
                      return Values();
                    });
}

LogicalResult SortSkeleton::loadRow(Values dims, Value first) {
  return forOwn(length, [&](Value i) -> LogicalResult {
    dims[nest.axisLoop] = i;
    ExpressionEmitter elements(kernel, space, dims);
    FailureOr<Value> key = order.load(elements);
    if (failed(key))
      return failure();
    Value target = add(kernel, first, i);
    memref::StoreOp::create(b, *key, keys(), target);
    if (positions())
      memref::StoreOp::create(b,
                              arith::IndexCastOp::create(b, b.getI64Type(), i),
                              positions(), target);
    return success();
  });
}

LogicalResult SortSkeleton::storeRow(Values dims, Value from) {
  return forOwn(stored, [&](Value i) {
    dims[nest.axisLoop] = i;
    ExpressionEmitter elements(kernel, space, dims);
    Value source = add(kernel, from, i);
    Value key = memref::LoadOp::create(b, keys(), source), position;
    if (positions())
      position = arith::IndexCastOp::create(
          b, b.getIndexType(), memref::LoadOp::create(b, positions(), source));
    return order.store(elements, key, position);
  });
}

/// Returns the number of elements in the run [begin, end) that come before
/// `key`. If that run is the left one, elements equal to the key count too.
Value SortSkeleton::countBefore(Value key, Value isRight, Value begin,
                                Value end, Value from) {
  auto loop = scf::WhileOp::create(
      b, TypeRange{b.getIndexType(), b.getIndexType()}, ValueRange{begin, end},
      [&](OpBuilder &builder, Location loc, ValueRange at) {
        Value more = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, at[0], at[1]);
        scf::ConditionOp::create(builder, loc, more, at);
      },
      [&](OpBuilder &builder, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        Value middle = div(kernel, add(kernel, at[0], at[1]), index(2));
        Value other =
            memref::LoadOp::create(b, keys(), add(kernel, from, middle));
        Value notAfter = arith::XOrIOp::create(
            b, order.isBefore(key, other),
            arith::ConstantIntOp::create(b, 1, /*width=*/1));
        Value goes = arith::SelectOp::create(b, isRight, notAfter,
                                             order.isBefore(other, key));
        Value low = arith::SelectOp::create(
            b, goes, add(kernel, middle, index(1)), at[0]);
        Value high = arith::SelectOp::create(b, goes, at[1], middle);
        scf::YieldOp::create(b, ValueRange{low, high});
      });
  return sub(kernel, loop.getResult(0), begin);
}

/// Emits a merge pass: moves this thread's elements to their positions in the
/// merged run.
LogicalResult SortSkeleton::moveOwn(Value width, Value from, Value to) {
  Value pair = add(kernel, width, width);
  return forOwn(length, [&](Value i) -> LogicalResult {
    Value key = memref::LoadOp::create(b, keys(), add(kernel, from, i));
    Value run = sub(kernel, i, rem(kernel, i, width));
    Value merged = sub(kernel, i, rem(kernel, i, pair));
    Value isRight =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne, run, merged);
    Value right = min(kernel, add(kernel, merged, width), length);
    Value begin = arith::SelectOp::create(b, isRight, merged, right);
    Value rightEnd = min(kernel, add(kernel, merged, pair), length);
    Value end = arith::SelectOp::create(b, isRight, right, rightEnd);
    Value count = countBefore(key, isRight, begin, end, from);
    Value position =
        add(kernel, merged, add(kernel, sub(kernel, i, run), count));
    Value target = add(kernel, to, position);
    memref::StoreOp::create(b, key, keys(), target);
    if (positions())
      memref::StoreOp::create(
          b, memref::LoadOp::create(b, positions(), add(kernel, from, i)),
          positions(), target);
    return success();
  });
}

FailureOr<KernelSpec> SortSkeleton::emit() {
  length = kernel.size(nest.length());
  stored = kernel.size(nest.storedLength);
  thread = threadId(kernel, blockThreads);
  SmallVector<AffineExpr> sizes = nest.rowSizes();
  AffineExpr rows = kernel.names.product(sizes);
  auto body = [&](Value row) -> LogicalResult {
    Values dims = nest.dimsOf(delinearize(kernel, row, sizes));
    Value first = mul(kernel, row, add(kernel, length, length));
    if (failed(loadRow(dims, first)))
      return failure();
    barrier(kernel);
    auto pass = [&](Value width, Value from, Value to) {
      LogicalResult moved = moveOwn(width, from, to);
      barrier(kernel);
      return moved;
    };
    FailureOr<Value> from =
        mergePasses(kernel, length, first, add(kernel, first, length), pass);
    if (failed(from))
      return failure();
    return storeRow(dims, *from);
  };
  if (failed(forBlocks(kernel, rows, blockThreads, body)))
    return failure();
  return finish(kernel, rows, blockThreads);
}

static FailureOr<EmittedKernels> emitSort(KernelBuilder &kernel) {
  FailureOr<AxisNest> nest = AxisNest::create(kernel);
  if (failed(nest))
    return failure();
  SortSkeleton skeleton(kernel, *nest);
  EmittedKernels result;
  result.temporaries = skeleton.temporaries();
  kernel.addTemporaries(result.temporaries, /*areExchanged=*/true);
  FailureOr<KernelSpec> spec = skeleton.emit();
  if (failed(spec))
    return failure();
  result.launches.push_back(*spec);
  return result;
}

const Skeleton sort = {"merge", tx::kinds::sort, matchAll, offerNothing,
                       emitSort};

} // namespace tensorc::codegen::simt
