//===- ReducedLoops.cpp - Loops over reduced dims -------------------------===//

#include "codegen/emitters/simd/ReducedLoops.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/SaveAndRestore.h"
#include <numeric>

using namespace mlir;

namespace tensorc::codegen::simd {

/// Returns the mask of the lanes l with lower <= i + l < upper. i may be less
/// than `lower`, by less than the width.
static Value lanesBetween(KernelBuilder &kernel, Value i, Value lower,
                          Value upper, int64_t width) {
  ImplicitLocOpBuilder &b = kernel.b;
  auto fromHere = [&](Value end) -> Value {
    Value count = arith::SubIOp::create(b, end, i);
    count = arith::MaxSIOp::create(b, count, indexConstant(kernel, 0));
    count = arith::MinSIOp::create(b, count, indexConstant(kernel, width));
    return arith::IndexCastOp::create(b, b.getI32Type(), count);
  };
  Value first = fromHere(lower), last = fromHere(upper);
  auto type = VectorType::get({width}, b.getI32Type());
  SmallVector<int32_t> steps(width);
  std::iota(steps.begin(), steps.end(), 0);
  Value lanes = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef<int32_t>(steps)));
  // The comparison is unsigned, so that it also clears the lanes before
  // `lower`.
  Value after = arith::SubIOp::create(
      b, lanes, vector::BroadcastOp::create(b, type, first));
  Value count = arith::SubIOp::create(b, last, first);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, after,
                               vector::BroadcastOp::create(b, type, count));
}

/// True if a row has so few vectors that its loop is unrolled.
bool ReducedLoops::isFewSteps(AffineExpr size) {
  auto count = dyn_cast_or_null<AffineConstantExpr>(size);
  return count && count.getValue() % lanes->width == 0 &&
         count.getValue() <=
             kernel.costs().maxUnrolledRowVectors * lanes->width;
}

/// Emits the loop over [lower, upper) of the innermost reduced loop. `before`
/// is the number of elements before its index 0 in the reduced space, or null
/// if that is a multiple of the number of lanes.
FailureOr<ReducedLoops::Values>
ReducedLoops::innermost(Values dims, Value mask, ValueRange carried,
                        Value lower, Value upper, AffineExpr size, Value before,
                        Step step) {
  unsigned loop = reducedLoops.back();
  llvm::SaveAndRestore starts(startsAtMultiples, isRow && !before);
  if (!isRow)
    return forRange(kernel, lower, upper, 1, carried,
                    [&](Value i, ValueRange values) {
                      dims[loop] = i;
                      return step(dims, mask, values);
                    });
  if (!before && isFewSteps(size) && matchPattern(lower, m_Zero())) {
    Values values(carried);
    for (int64_t i = 0; i < cast<AffineConstantExpr>(size).getValue();
         i += lanes->width) {
      dims[loop] = indexConstant(kernel, i);
      FailureOr<Values> next = step(dims, Value(), values);
      if (failed(next))
        return failure();
      values = *next;
    }
    return values;
  }
  if (!before)
    return forLanes(kernel, lower, upper, lanes->width, size, carried,
                    [&](Value i, Value laneMask, ValueRange values) {
                      dims[loop] = i;
                      return step(dims, laneMask, values);
                    });
  // The loop begins at the element of lane 0, which may lie in the previous
  // row, and masks off the lanes before `lower`.
  Value lane = b.createOrFold<arith::RemUIOp>(
      b.createOrFold<arith::AddIOp>(before, lower),
      indexConstant(kernel, lanes->width));
  Value begin = b.createOrFold<arith::SubIOp>(lower, lane);
  return forRange(
      kernel, begin, upper, lanes->width, carried,
      [&](Value i, ValueRange values) {
        dims[loop] = i;
        return step(dims, lanesBetween(kernel, i, lower, upper, lanes->width),
                    values);
      });
}

AffineExpr ReducedLoops::count() {
  SmallVector<AffineExpr> sizes;
  for (unsigned loop : reducedLoops)
    sizes.push_back(loops.sizes[loop]);
  return kernel.names.product(sizes);
}

/// Emits loops over the positions [lower, upper) of the reduced space, in
/// row-major order. `size` is upper - lower if that is constant. The lane of a
/// position depends only on the position, so the results do not depend on which
/// dims were collapsed.
FailureOr<ReducedLoops::Values>
ReducedLoops::forPositions(Values dims, Value mask, ValueRange carried,
                           Value lower, Value upper, AffineExpr size,
                           Step step) {
  if (reducedLoops.size() == 1)
    return innermost(dims, mask, carried, lower, upper, size, {}, step);
  SmallVector<AffineExpr> outerSizes;
  for (unsigned loop : ArrayRef(reducedLoops).drop_back())
    outerSizes.push_back(loops.sizes[loop]);
  AffineExpr inner = loops.sizes[reducedLoops.back()];
  Value rowSize = kernel.size(inner), zero = indexConstant(kernel, 0);
  bool isAll = size && size == count();
  Value first = zero, last = kernel.size(kernel.names.product(outerSizes));
  if (!isAll) {
    first = b.createOrFold<arith::DivUIOp>(lower, rowSize);
    last = b.createOrFold<arith::CeilDivUIOp>(upper, rowSize);
  }
  return forRange(
      kernel, first, last, 1, carried, [&](Value row, ValueRange values) {
        Values at = dims, outer = delinearize(kernel, row, outerSizes);
        for (auto [loop, i] : llvm::zip(reducedLoops, outer))
          at[loop] = i;
        Value before = b.createOrFold<arith::MulIOp>(row, rowSize);
        Value begin = zero, end = rowSize;
        if (!isAll) {
          auto within = [&](Value bound) {
            return b.createOrFold<arith::SubIOp>(bound, before);
          };
          begin = within(b.createOrFold<arith::MaxUIOp>(lower, before));
          end = within(b.createOrFold<arith::MinUIOp>(
              upper, b.createOrFold<arith::AddIOp>(before, rowSize)));
        }
        auto known = dyn_cast<AffineConstantExpr>(inner);
        bool even = known && known.getValue() % lanes->width == 0;
        return innermost(at, mask, values, begin, end, inner,
                         even ? Value() : before, step);
      });
}

/// Emits loops over all indices of the reduced loops from `level` inwards, in
/// any order.
FailureOr<ReducedLoops::Values>
ReducedLoops::forAll(unsigned level, Values dims, Value mask, Step step) {
  unsigned loop = reducedLoops[level];
  Value zero = indexConstant(kernel, 0);
  Value upper = kernel.size(loops.sizes[loop]);
  if (level + 1 == reducedLoops.size())
    return innermost(dims, mask, {}, zero, upper, loops.sizes[loop], {}, step);
  return forRange(kernel, zero, upper, 1, {}, [&](Value i, ValueRange) {
    Values at = dims;
    at[loop] = i;
    return forAll(level + 1, at, mask, step);
  });
}

} // namespace tensorc::codegen::simd
