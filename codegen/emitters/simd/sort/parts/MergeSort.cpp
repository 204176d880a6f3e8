//===- MergeSort.cpp - Merge sort of short rows ---------------------------===//

#include "codegen/emitters/simd/sort/parts/MergeSort.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Emits one element of the merged run: the smaller of both heads, or the left
/// one if they are equal. Heads are loaded even after their run has ended,
/// which avoids branches.
FailureOr<MergeSort::Values> MergeSort::mergeStep(const Merge &pass,
                                                  Value middle, Value end,
                                                  Value at, ValueRange heads) {
  auto less = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
  };
  Value last = b.createOrFold<arith::SubIOp>(pass.length, index(1));
  Value x = add(pass.from, smaller(heads[0], last));
  Value y = add(pass.from, smaller(heads[1], last));
  Value left = buffers.key(x), right = buffers.key(y);
  Value noLeft =
      arith::CmpIOp::create(b, arith::CmpIPredicate::uge, heads[0], middle);
  Value wins = arith::OrIOp::create(b, noLeft, order.isBefore(right, left));
  Value takesRight = arith::AndIOp::create(b, wins, less(heads[1], end));
  Value target = add(pass.to, at);
  memref::StoreOp::create(b,
                          arith::SelectOp::create(b, takesRight, right, left),
                          buffers.keys, target);
  if (buffers.positions) {
    Value source = arith::SelectOp::create(b, takesRight, y, x);
    memref::StoreOp::create(
        b, memref::LoadOp::create(b, buffers.positions, source),
        buffers.positions, target);
  }
  Value step = arith::IndexCastUIOp::create(b, b.getIndexType(), takesRight);
  Value other = arith::SubIOp::create(b, index(1), step);
  return Values{add(heads[0], other), add(heads[1], step)};
}

LogicalResult MergeSort::mergeRuns(const Merge &pass, Value width) {
  Value pair = add(width, width);
  auto loop = scf::ForOp::create(b, index(0), pass.length, pair);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value begin = loop.getInductionVar();
  Value middle = smaller(add(begin, width), pass.length);
  Value end = smaller(add(begin, pair), pass.length);
  return forRange(kernel, begin, end, 1, {begin, middle},
                  [&](Value at, ValueRange heads) {
                    return mergeStep(pass, middle, end, at, heads);
                  });
}

FailureOr<Value> MergeSort::sort(Value length) {
  return mergePasses(kernel, length, index(0), length,
                     [&](Value width, Value from, Value to) {
                       return mergeRuns({length, from, to}, width);
                     });
}

} // namespace tensorc::codegen::simd
