//===- RowElements.cpp - Loads the elements of a row to sort --------------===//

#include "codegen/emitters/simd/sort/parts/RowElements.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/sort/parts/PackedLanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Returns the number of elements that are loaded as a vector. It is 1 for i1,
/// which is a byte in memory but a bit in a vector.
static int64_t loadedLanes(KernelBuilder &kernel, const AxisNest &nest,
                           SortOrder &order) {
  Type key = order.keyType();
  if (!nest.axisIsInnermost() || key.isInteger(1))
    return 1;
  return std::min<int64_t>(maxKeyLanes, kernel.target.getLanes(key));
}

RowElements::RowElements(KernelBuilder &kernel, const AxisNest &nest,
                         SortOrder &order)
    : IndexCode(kernel), nest(nest), order(order),
      lanes(loadedLanes(kernel, nest, order)),
      space(kernel.names, nest.loops.sizes) {}

LogicalResult RowElements::forRow(
    Values dims, AffineExpr length,
    function_ref<LogicalResult(ExpressionEmitter &, Value, int64_t)> body) {
  auto range = [&](Value lower, Value upper, int64_t width) {
    return success(succeeded(
        forRange(kernel, lower, upper, width, {},
                 [&](Value i, ValueRange) -> FailureOr<Values> {
                   dims[nest.axisLoop] = i;
                   std::optional<ExpressionEmitter::Lanes> wide;
                   if (width > 1)
                     wide = {nest.axisLoop, width};
                   ExpressionEmitter elements(kernel, space, dims, wide);
                   if (failed(body(elements, i, width)))
                     return failure();
                   return Values();
                 })));
  };
  int64_t width = order.hasPositions() ? 1 : lanes;
  Value upper = kernel.size(length);
  Value fullEnd =
      width == 1 ? index(0) : kernel.size(length.floorDiv(width) * width);
  if (width > 1 && failed(range(index(0), fullEnd, width)))
    return failure();
  return range(fullEnd, upper, 1);
}

FailureOr<Value> RowElements::loadAt(Values dims, Value i, int64_t width) {
  dims[nest.axisLoop] = i;
  std::optional<ExpressionEmitter::Lanes> wide;
  if (width > 1)
    wide = {nest.axisLoop, width};
  ExpressionEmitter elements(kernel, space, dims, wide);
  return order.load(elements);
}

//===----------------------------------------------------------------------===//
// Comparison of neighbours
//===----------------------------------------------------------------------===//

/// Returns a mask of the lanes whose element is followed by one that comes
/// before it.
FailureOr<Value> RowElements::isBreak(const Values &dims, Value at) {
  FailureOr<Value> x = loadAt(dims, at, lanes);
  FailureOr<Value> y = loadAt(dims, add(at, index(1)), lanes);
  if (failed(x) || failed(y))
    return failure();
  return order.isBefore(*y, *x);
}

/// Compares the pairs of a step. Returns an i1 that is true if all pairs agree
/// with `descends`: the second element comes before the first in all pairs if
/// it is set, and in none if it is not.
FailureOr<Value> RowElements::agree(const Values &dims, Value at,
                                    Value descends) {
  Value differ;
  for (int64_t read = 0; read < readsPerStep; ++read) {
    FailureOr<Value> comesFirst = isBreak(dims, add(at, index(read * lanes)));
    if (failed(comesFirst))
      return failure();
    Value other = arith::XOrIOp::create(b, *comesFirst, descends);
    differ = differ ? arith::OrIOp::create(b, differ, other) : other;
  }
  if (lanes > 1)
    differ = vector::ReductionOp::create(b, vector::CombiningKind::OR, differ);
  Value yes = arith::ConstantIntOp::create(b, 1, 1);
  return Value(arith::XOrIOp::create(b, differ, yes));
}

/// Returns, as an i32, the number of pairs of a step in which the second
/// element comes before the first.
FailureOr<Value> RowElements::countBreaks(const Values &dims, Value at) {
  Value sum;
  for (int64_t read = 0; read < readsPerStep; ++read) {
    FailureOr<Value> comesFirst = isBreak(dims, add(at, index(read * lanes)));
    if (failed(comesFirst))
      return failure();
    Value breaks = arith::ExtUIOp::create(
        b, shapedLike(b.getI32Type(), comesFirst->getType()), *comesFirst);
    sum = sum ? arith::AddIOp::create(b, sum, breaks) : breaks;
  }
  if (lanes > 1)
    sum = vector::ReductionOp::create(b, vector::CombiningKind::ADD, sum);
  return sum;
}

} // namespace tensorc::codegen::simd
