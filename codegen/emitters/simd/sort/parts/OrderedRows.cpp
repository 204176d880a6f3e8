//===- OrderedRows.cpp - Rows that are already in order -------------------===//
//
// descends = element 1 comes before element 0
// compare pairs of neighbours, step by step, while all of them agree with
//   `descends`
// if all agree: store the row, reversed if it descends
// else: merge it if it consists of few runs (MergedRuns.cpp), or sort it
//
// A row of random elements leaves the loop after the first step. The outputs of
// a sort never alias its input, so the row may be loaded while it is stored.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/sort/parts/OrderedRows.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Compares all pairs of neighbours, in steps. The last step overlaps the
/// previous one.
FailureOr<OrderedRows::Ordered> OrderedRows::findOrder(const Values &dims) {
  FailureOr<Value> first = elements.loadAt(dims, index(0), 1);
  FailureOr<Value> second = elements.loadAt(dims, index(1), 1);
  if (failed(first) || failed(second))
    return failure();
  Value descends = order.isBefore(*second, *first), wanted = descends;
  if (elements.lanes > 1)
    wanted = vector::BroadcastOp::create(
        b, VectorType::get({elements.lanes}, b.getI1Type()), descends);
  int64_t step = elements.pairsPerStep();
  Value pairs = kernel.size(nest.length() - 1);
  Value last = kernel.size(nest.length() - 1 - step);
  Value yes = arith::ConstantIntOp::create(b, 1, 1);
  LogicalResult made = success();
  auto loop = scf::WhileOp::create(
      b, TypeRange{b.getIndexType(), b.getI1Type()}, ValueRange{index(0), yes},
      [&](OpBuilder &builder, Location loc, ValueRange at) {
        Value more = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, at[0], pairs);
        scf::ConditionOp::create(
            builder, loc, arith::AndIOp::create(builder, loc, more, at[1]), at);
      },
      [&](OpBuilder &builder, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        FailureOr<Value> holds = elements.agree(
            dims, b.createOrFold<arith::MinUIOp>(at[0], last), wanted);
        made = holds;
        scf::YieldOp::create(b, ValueRange{add(at[0], index(step)),
                                           succeeded(holds) ? *holds : at[1]});
      });
  if (failed(made))
    return failure();
  // A row whose first pair descends was compared with descending order.
  // Ascending order may already fail in its first step.
  Value until = arith::SubIOp::create(b, loop.getResult(0), index(step));
  until = arith::SelectOp::create(b, descends, index(0), until);
  return Ordered{loop.getResult(1), descends, until};
}

/// Stores the outputs of a row that is in order, or whose reverse is
/// (`isMirrored`).
LogicalResult OrderedRows::storeOrdered(const Values &dims, bool isMirrored) {
  Value length = kernel.size(nest.length());
  return elements.forRow(
      dims, nest.storedLength,
      [&](ExpressionEmitter &emitter, Value i, int64_t width) {
        Value from = i;
        if (isMirrored)
          from = b.createOrFold<arith::SubIOp>(
              b.createOrFold<arith::SubIOp>(length, index(width)), i);
        FailureOr<Value> keys = elements.loadAt(dims, from, width);
        if (failed(keys))
          return failure();
        if (isMirrored && width > 1) {
          auto lanesDown =
              llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, width)));
          keys = Value(vector::ShuffleOp::create(b, *keys, *keys, lanesDown));
        }
        return order.store(emitter, *keys, from);
      });
}

/// Emits the check for order, unless elements are expensive to compute. Such
/// rows are loaded to scratch memory and sorted without a check.
LogicalResult OrderedRows::sortUnlessOrdered(
    const Values &dims, function_ref<LogicalResult(Values dims)> sortRow) {
  // A step of n pairs loads n + 1 elements.
  int64_t minLength = std::max<int64_t>(kernel.costs().minOrderedLength,
                                        elements.pairsPerStep() + 1);
  Value isLong = b.createOrFold<arith::CmpIOp>(
      arith::CmpIPredicate::uge, kernel.size(nest.length()), index(minLength));
  if (matchPattern(isLong, m_Zero()) || !isCheap(kernel))
    return sortRow(dims);
  Type type = b.getI1Type();
  auto ifLong =
      scf::IfOp::create(b, TypeRange{type, type, b.getIndexType()}, isLong,
                        /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifLong.thenBlock());
  FailureOr<Ordered> found = findOrder(dims);
  if (failed(found))
    return failure();
  scf::YieldOp::create(b,
                       ValueRange{found->holds, found->descends, found->until});
  b.setInsertionPointToStart(ifLong.elseBlock());
  scf::YieldOp::create(b, ValueRange{isLong, isLong, index(0)});
  b.setInsertionPointAfter(ifLong);
  auto ifOrdered = scf::IfOp::create(b, ifLong.getResult(0), /*withElse=*/true);
  b.setInsertionPointToStart(ifOrdered.thenBlock());
  auto ifDescends =
      scf::IfOp::create(b, ifLong.getResult(1), /*withElse=*/true);
  for (bool descends : {true, false}) {
    b.setInsertionPointToStart(descends ? ifDescends.thenBlock()
                                        : ifDescends.elseBlock());
    if (failed(storeOrdered(dims, descends)))
      return failure();
  }
  b.setInsertionPointToStart(ifOrdered.elseBlock());
  if (runs) {
    FailureOr<Value> stored = runs->storeRuns(dims, ifLong.getResult(2));
    if (failed(stored))
      return failure();
    auto ifStored = scf::IfOp::create(b, *stored, /*withElse=*/true);
    b.setInsertionPointToStart(ifStored.elseBlock());
  }
  if (failed(sortRow(dims)))
    return failure();
  b.setInsertionPointAfter(ifOrdered);
  return success();
}

} // namespace tensorc::codegen::simd
