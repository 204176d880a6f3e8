//===- Scan.cpp - Scans on GPUs -------------------------------------------===//
//
// row:    one block per row, which loops over tiles of one element per thread:
//           compute prefixes in the tile by log-step doubling in shared memory
//           result = running + prefix
// column: one thread per row, if adjacent rows are contiguous; loops over the
//         row's elements
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/plans/ScanPlan.h"
#include "codegen/emitters/simt/Grid.h"
#include "codegen/emitters/simt/Skeletons.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simt {

namespace {
class ScanSkeleton : ScanPlan {
public:
  ScanSkeleton(KernelBuilder &kernel, AxisNest nest)
      : ScanPlan(kernel, std::move(nest)) {}

  FailureOr<KernelSpec> emit() {
    return nest.axisIsInnermost() ? emitRows() : emitColumns();
  }

private:
  /// Double buffer with one state per thread.
  Value shared[2];

  Value index(int64_t v) { return indexConstant(kernel, v); }
  Value nothing() { return combiner.neutral(0)[0]; }

  FailureOr<Value> element(ValueRange dims) {
    ExpressionEmitter elements(kernel, space, dims);
    FailureOr<Value> value = elements.emit(nest.operand(), nest.loops.index);
    if (failed(value))
      return failure();
    return combiner.of(*value, {})[0];
  }
  LogicalResult storeResult(ValueRange dims, Value state) {
    ExpressionEmitter elements(kernel, space, dims);
    elements.bindValue(op->getResult(0), combiner.result(state));
    return elements.storeOutputs(nest.loops.index);
  }

  FailureOr<KernelSpec> emitRows();
  FailureOr<Value> tile(Values dims, Value lower, Value thread, Value running);
  FailureOr<Value> prefix(Value state, Value rank);
  FailureOr<KernelSpec> emitColumns();
  FailureOr<Value> step(Values dims, Value at, Value running);
};
} // namespace

/// Emits an inclusive scan of `state` over the threads, in the order of `rank`.
/// The result is in the first buffer.
FailureOr<Value> ScanSkeleton::prefix(Value state, Value rank) {
  memref::StoreOp::create(b, state, shared[0], rank);
  barrier(kernel);
  unsigned current = 0;
  for (int64_t by = 1; by < blockThreads; by *= 2) {
    Value hasOther =
        arith::CmpIOp::create(b, arith::CmpIPredicate::uge, rank, index(by));
    Value from = arith::SelectOp::create(
        b, hasOther, sub(kernel, rank, index(by)), index(0));
    Value other = memref::LoadOp::create(b, shared[current], from);
    FailureOr<Value> both = combine(other, state);
    if (failed(both))
      return failure();
    state = arith::SelectOp::create(b, hasOther, *both, state);
    current = 1 - current;
    memref::StoreOp::create(b, state, shared[current], rank);
    barrier(kernel);
  }
  static_assert(llvm::isPowerOf2_64(blockThreads) &&
                    llvm::ConstantLog2<blockThreads>() % 2 == 0,
                "the first buffer is the last written");
  return state;
}

/// Scans a tile of the row, which begins at `lower`, with one element per
/// thread. Returns the running state after it.
FailureOr<Value> ScanSkeleton::tile(Values dims, Value lower, Value thread,
                                    Value running) {
  Value at = add(kernel, lower, thread);
  dims[nest.axisLoop] = at;
  Value inside = less(kernel, at, kernel.size(nest.length()));
  Type type = combiner.stateTypes()[0];
  auto own = choose(
      kernel, inside, type,
      [&]() -> FailureOr<Values> {
        FailureOr<Value> value = element(dims);
        if (failed(value))
          return failure();
        return Values{*value};
      },
      [&]() -> FailureOr<Values> { return Values{nothing()}; });
  if (failed(own))
    return failure();
  Value rank = inOrder(thread, index(blockThreads));
  FailureOr<Value> state = prefix((*own)[0], rank);
  if (failed(state))
    return failure();
  Value total = memref::LoadOp::create(b, shared[0], index(blockThreads - 1));
  Value scanned = *state;
  if (exclusive) {
    Value isFirst = equal(kernel, rank, index(0));
    Value from = arith::SelectOp::create(b, isFirst, index(0),
                                         sub(kernel, rank, index(1)));
    Value before = memref::LoadOp::create(b, shared[0], from);
    scanned = arith::SelectOp::create(b, isFirst, nothing(), before);
  }
  FailureOr<Value> combined = combine(running, scanned);
  if (failed(combined) || failed(when(kernel, inside, [&] {
        return storeResult(dims, *combined);
      })))
    return failure();
  // The next tile overwrites what this one reads.
  barrier(kernel);
  return combine(running, total);
}

FailureOr<KernelSpec> ScanSkeleton::emitRows() {
  for (Value &memory : shared)
    memory = kernel.addWorkgroupMemory(blockThreads, combiner.stateTypes()[0]);
  SmallVector<AffineExpr> sizes = nest.rowSizes();
  AffineExpr rows = kernel.names.product(sizes);
  auto body = [&](Value row) -> LogicalResult {
    Value thread = threadId(kernel, blockThreads);
    Values dims = nest.dimsOf(delinearize(kernel, row, sizes));
    Value tiles =
        kernel.size(kernel.names.simplify(nest.length().ceilDiv(blockThreads)));
    return forRange(kernel, index(0), tiles, 1, nothing(),
                    [&](Value i, ValueRange running) -> FailureOr<Values> {
                      Value lower =
                          mul(kernel, inOrder(i, tiles), index(blockThreads));
                      FailureOr<Value> next =
                          tile(dims, lower, thread, running[0]);
                      if (failed(next))
                        return failure();
                      return Values{*next};
                    });
  };
  if (failed(forBlocks(kernel, rows, blockThreads, body)))
    return failure();
  return finish(kernel, rows, blockThreads);
}

FailureOr<Value> ScanSkeleton::step(Values dims, Value at, Value running) {
  dims[nest.axisLoop] = at;
  FailureOr<Value> value = element(dims);
  if (failed(value))
    return failure();
  FailureOr<Value> state = combine(running, *value);
  if (failed(state) || failed(storeResult(dims, exclusive ? running : *state)))
    return failure();
  return state;
}

FailureOr<KernelSpec> ScanSkeleton::emitColumns() {
  SmallVector<AffineExpr> sizes = nest.rowSizes();
  AffineExpr rows = kernel.names.product(sizes);
  AffineExpr blocks = kernel.names.simplify(rows.ceilDiv(blockThreads));
  auto body = [&](Value block) {
    Value row = add(kernel, mul(kernel, block, index(blockThreads)),
                    threadId(kernel, blockThreads));
    return when(kernel, less(kernel, row, kernel.size(rows)),
                [&]() -> LogicalResult {
                  Values dims = nest.dimsOf(delinearize(kernel, row, sizes));
                  Value count = kernel.size(nest.length());
                  return forRange(
                      kernel, index(0), count, 1, nothing(),
                      [&](Value i, ValueRange running) -> FailureOr<Values> {
                        FailureOr<Value> next =
                            step(dims, inOrder(i, count), running[0]);
                        if (failed(next))
                          return failure();
                        return Values{*next};
                      });
                });
  };
  if (failed(forBlocks(kernel, blocks, blockThreads, body)))
    return failure();
  return finish(kernel, blocks, blockThreads);
}

static FailureOr<EmittedKernels> emitScan(KernelBuilder &kernel) {
  FailureOr<AxisNest> nest = AxisNest::create(kernel);
  if (failed(nest))
    return failure();
  return single(ScanSkeleton(kernel, *nest).emit());
}

/// Chooses the order of additions. A tile of a row has one element per thread
/// of a block.
FailureOr<tx::OrderAttr> scanOrder(KernelBuilder &fusion) {
  FailureOr<AxisNest> nest = AxisNest::create(fusion);
  if (failed(nest))
    return failure();
  int64_t lanes = nest->axisIsInnermost() ? blockThreads : 1;
  return tx::OrderAttr::get(fusion.b.getContext(), slotsOrder, lanes, 0, 0);
}

const Skeleton scan = {"scan",       tx::kinds::scan, matchAll,
                       offerNothing, emitScan,        scanOrder};

} // namespace tensorc::codegen::simt
