//===- FftAcross.cpp - Fourier transforms of non-contiguous rows ----------===//
//
// for each group of neighbouring rows, one per lane (a vector holds the same
// element of each row):
//   short rows: all steps, then store
//   long rows: as a matrix of vectors: transform its columns, multiply by
//     roots, write to scratch, transform its rows, store
//
// The order of additions is that of FftSkeleton.cpp, so the results are the
// same bits.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simd/fft/FftSkeleton.h"
#include "codegen/kernel/CpuCosts.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using Values = SmallVector<Value>;

bool FftSkeleton::isAcross() {
  size_t rank = dimOf.size() - (partDim && *partDim + 1 == dimOf.size());
  unsigned dim = rank > 0 ? dimOf[rank - 1].value_or(0) : 0;
  if (dim == 0 || dim + 1 == shape.size() || arbitraryDim)
    return false;
  auto size = dyn_cast<AffineConstantExpr>(shape[dim]);
  laneDim = dim;
  return plan.length * lanes <= kernel.costs().maxElementsAcross &&
         (!size || 2 * size.getValue() >= lanes);
}

/// Transforms a group of rows. A long row is handled as a matrix whose elements
/// are vectors, with the same steps in the same order as in `emitAlong`.
LogicalResult FftSkeleton::transformAcross(ArrayRef<Value> row,
                                           const Planes &matrix, Value mask) {
  auto result = [&](Value position, Complex x) {
    return storeResult(x, row, position, mask);
  };
  if (!plan.isMatrix())
    return transform(
        plan.rowRadices(), plan.rows, plan.rowTable(),
        [&](Value position) { return emitOperand(row, position, mask); },
        result);
  // The stride is padded by one vector, because with a power of two the
  // elements of a column would map to the same L1 set.
  int64_t stride = plan.columns + 1;
  int64_t imaginary = plan.rows * plan.crossStride();
  auto column = [&](Value c) {
    auto load = [&](Value position) {
      return emitOperand(row, add(mul(position, plan.columns), c), mask);
    };
    auto store = [&](Value position, Complex x) {
      Value at = add(add(mul(position, plan.crossStride()), c),
                     index(plan.crossTable()));
      Complex w{root(at), root(add(at, index(imaginary)))};
      storeVector(math.multiply(x, w), matrix,
                  mul(add(mul(position, stride), c), lanes));
      return success();
    };
    return transform(plan.rowRadices(), plan.rows, plan.rowTable(), load,
                     store);
  };
  auto matrixRow = [&](Value j) {
    return transform(
        plan.columnRadices(), plan.columns, plan.columnTable(),
        [&](Value position) -> FailureOr<Complex> {
          return loadVector(matrix, mul(add(mul(j, stride), position), lanes));
        },
        [&](Value position, Complex x) {
          return result(add(mul(position, plan.rows), j), x);
        });
  };
  return success(succeeded(loop(plan.columns, 1, column)) &&
                 succeeded(loop(plan.rows, 1, matrixRow)));
}

FailureOr<KernelSpec> FftSkeleton::emitAcross() {
  int64_t maxLength = std::max(plan.rows, plan.columns);
  for (Planes &each : planes)
    each = takeScratch(maxLength * lanes);
  Planes matrix;
  if (plan.isMatrix())
    matrix = takeScratch(plan.rows * (plan.columns + 1) * lanes);
  // Groups of lanes are the innermost loop over work items, so that consecutive
  // items read neighbouring memory.
  SmallVector<AffineExpr> work(rowSizes());
  AffineExpr across = work[laneDim - 1];
  work.erase(work.begin() + (laneDim - 1));
  work.push_back(kernel.names.simplify(across.ceilDiv(lanes)));
  auto size = dyn_cast<AffineConstantExpr>(across);
  bool isFull = size && size.getValue() % lanes == 0;
  auto item = [&](Value i) -> LogicalResult {
    Values row = delinearize(kernel, i, work);
    Value first = mul(row.pop_back_val(), lanes);
    row.insert(row.begin() + (laneDim - 1), first);
    Value mask =
        isFull ? Value() : laneMask(kernel, first, kernel.size(across), lanes);
    return transformAcross(row, matrix, mask);
  };
  if (failed(loop(kernel.begin(), kernel.end(), 1, item)))
    return failure();
  return kernel.finish(kernel.names.product(work),
                       kernel.names.constant(llvm::divideCeil(
                           kernel.costs().transformGrain, plan.length * lanes)),
                       kernel.names.constant(scratchBytes));
}

} // namespace tensorc::codegen::simd
