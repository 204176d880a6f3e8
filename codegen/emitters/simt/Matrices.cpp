//===- Matrices.cpp - Factorizations of small matrices on GPUs ------------===//
//
// A block processes several matrices, with one thread per row of each:
//   a = matrix, y = right-hand sides, in shared memory; barrier
//   the method of the call (MatrixMethods.cpp); barrier
//   for each element of the result: epilogue, store
//
// The number of threads per matrix is a power of two. Excess threads at the end
// of the batch repeat the last matrix and store nothing. The real and imaginary
// parts of complex numbers form a last dim of size two, and one thread handles
// both.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/simt/Grid.h"
#include "codegen/emitters/simt/MatrixMethods.h"
#include "codegen/emitters/simt/Skeletons.h"
#include "codegen/kernel/GpuCosts.h"

using namespace mlir;

namespace tensorc::codegen::simt {

namespace {
class MatricesSkeleton : public MatrixMethods {
public:
  using MatrixMethods::MatrixMethods;

  FailureOr<Offers> offer();
  FailureOr<KernelSpec> emit();

private:
  LogicalResult verify();
  int64_t maxPerBlock();
  int64_t batchRank();
  SmallVector<AffineExpr> batchDims();
  AffineExpr count() { return kernel.names.product(batchDims()); }
  LogicalResult emitBlock(Value block, int64_t perBlock);
  LogicalResult load(Value v, const SharedMatrix &to, int64_t columns,
                     ValueRange batch);
  LogicalResult store(ValueRange batch, const ElementAt &of);
  /// Calls body(part, dims) for the real and for the imaginary part, with the
  /// index of the part appended to `dims`. If numbers are real, calls it once,
  /// without that index.
  LogicalResult
  forParts(ValueRange dims,
           function_ref<LogicalResult(Value Element::*, ValueRange)> body);
};
} // namespace

LogicalResult MatricesSkeleton::verify() {
  Value result = call.getResult(0);
  SmallVector<AffineExpr> shape = kernel.dims(result);
  analysis::Index all =
      analysis::IterationSpace(kernel.names, shape).identity();
  SmallVector<std::pair<Value, analysis::Index>> roots;
  for (Value root : kernel.yield().getValues()) {
    if (kernel.dims(root) != shape)
      return call.emitError("is of another shape than its fusion's outputs");
    roots.push_back({root, all});
  }
  return verifyReadInPlace(
      kernel, shape, roots, [&](Value v) { return v == result; }, all);
}

int64_t MatricesSkeleton::batchRank() {
  auto matrices = cast<RankedTensorType>(call.getInputs()[0].getType());
  return matrices.getRank() - (isComplex ? 3 : 2);
}

SmallVector<AffineExpr> MatricesSkeleton::batchDims() {
  SmallVector<AffineExpr> dims = kernel.dims(call.getInputs()[0]);
  dims.truncate(batchRank());
  return dims;
}

/// Returns the maximum number of matrices per block, a power of two.
int64_t MatricesSkeleton::maxPerBlock() {
  auto all = dyn_cast<AffineConstantExpr>(count());
  int64_t perBlock = 1;
  while (2 * perBlock * lanes <= gpuCosts.matrixBlockThreads &&
         2 * perBlock * bytes() <= gpuCosts.matrixBlockBytes &&
         (!all || perBlock < all.getValue()))
    perBlock *= 2;
  return perBlock;
}

FailureOr<Offers> MatricesSkeleton::offer() {
  if (failed(verify()))
    return failure();
  Offers offers;
  for (int64_t matrices = maxPerBlock(); matrices > 0; matrices /= 2)
    offers.push_back({{"matrices", matrices}});
  return offers;
}

LogicalResult MatricesSkeleton::forParts(
    ValueRange dims,
    function_ref<LogicalResult(Value Element::*, ValueRange)> body) {
  if (!isComplex)
    return body(&Element::re, dims);
  Values at(dims);
  at.push_back(index(0));
  if (failed(body(&Element::re, at)))
    return failure();
  at.back() = index(1);
  return body(&Element::im, at);
}

/// Loads a matrix to shared memory with coalesced reads by all of its threads.
LogicalResult MatricesSkeleton::load(Value v, const SharedMatrix &to,
                                     int64_t columns, ValueRange batch) {
  analysis::IterationSpace space(kernel.names, kernel.dims(v));
  auto body = [&](Value e, ValueRange) -> FailureOr<Values> {
    Value i = div(kernel, e, index(columns));
    Value j = rem(kernel, e, index(columns));
    Values dims(batch);
    dims.append({i, j});
    Element loaded;
    auto read = [&](Value Element::*part, ValueRange at) -> LogicalResult {
      ExpressionEmitter elements(kernel, space, at);
      FailureOr<Value> value = elements.emit(v, space.identity());
      if (failed(value))
        return failure();
      loaded.*part = *value;
      return success();
    };
    if (failed(forParts(dims, read)))
      return failure();
    set(to, i, j, loaded);
    return Values();
  };
  return success(succeeded(forStrided(kernel, row, index(to.rows * columns),
                                      index(lanes), {}, body)));
}

/// Stores the outputs. `of` returns the elements of the call's result.
LogicalResult MatricesSkeleton::store(ValueRange batch, const ElementAt &of) {
  Value result = call.getResult(0);
  analysis::IterationSpace space(kernel.names, kernel.dims(result));
  // The result is a scalar, a vector or a matrix per batch index.
  ArrayRef<int64_t> sizes = cast<RankedTensorType>(result.getType())
                                .getShape()
                                .drop_back(isComplex ? 1 : 0)
                                .drop_front(batchRank());
  int64_t columns = sizes.empty() ? 1 : sizes.back();
  int64_t rows = sizes.size() > 1 ? sizes[0] : 1;
  auto body = [&](Value e, ValueRange) -> FailureOr<Values> {
    Value i = div(kernel, e, index(columns));
    Value j = rem(kernel, e, index(columns));
    Values dims(batch);
    Value ofMatrix[] = {i, j};
    llvm::append_range(dims, ArrayRef(ofMatrix).take_back(sizes.size()));
    Element element = of(i, j);
    auto write = [&](Value Element::*part, ValueRange at) {
      ExpressionEmitter elements(kernel, space, at);
      elements.bindValue(result, element.*part);
      return elements.storeOutputs(space.identity());
    };
    if (failed(forParts(dims, write)))
      return failure();
    return Values();
  };
  return success(succeeded(
      forStrided(kernel, row, index(rows * columns), index(lanes), {}, body)));
}

LogicalResult MatricesSkeleton::emitBlock(Value block, int64_t perBlock) {
  Value thread = threadId(kernel, perBlock * lanes);
  Value slot = div(kernel, thread, index(lanes));
  row = rem(kernel, thread, index(lanes));
  isRow = less(kernel, row, index(a.rows));
  for (SharedMatrix *each : {&a, &y})
    each->base = mul(kernel, slot, index(each->elements()));
  Value matrix = simt::add(kernel, mul(kernel, block, index(perBlock)), slot);
  Value all = kernel.size(count());
  Value inside = less(kernel, matrix, all);
  matrix = min(kernel, matrix, sub(kernel, all, index(1)));
  Values batch = delinearize(kernel, matrix, batchDims());
  if (failed(load(call.getInputs()[0], a, numColumns, batch)))
    return failure();
  if (call.getInputs().size() > 1 &&
      failed(load(call.getInputs()[1], y, y.columns, batch)))
    return failure();
  barrier(kernel);
  ElementAt result = run();
  return when(kernel, inside, [&] { return store(batch, result); });
}

FailureOr<KernelSpec> MatricesSkeleton::emit() {
  if (failed(verify()))
    return failure();
  int64_t perBlock = kernel.scheduled("matrices"), threads = perBlock * lanes;
  for (SharedMatrix *each : {&a, &y}) {
    int64_t elements = perBlock * each->elements();
    if (elements == 0)
      continue;
    each->memory = kernel.addWorkgroupMemory(elements, type);
    if (isComplex)
      each->imaginary = kernel.addWorkgroupMemory(elements, type);
  }
  AffineExpr blocks = kernel.names.simplify(count().ceilDiv(perBlock));
  auto body = [&](Value block) -> LogicalResult {
    if (failed(emitBlock(block, perBlock)))
      return failure();
    if (mayRepeat(blocks, threads))
      barrier(kernel);
    return success();
  };
  if (failed(forBlocks(kernel, blocks, threads, body)))
    return failure();
  return finish(kernel, blocks, threads);
}

static FailureOr<MatricesSkeleton> skeletonOf(KernelBuilder &kernel) {
  for (Operation &op : kernel.body().without_terminator())
    if (tx::isOfSmallMatrices(&op))
      return MatricesSkeleton(kernel, cast<tx::CustomCallOp>(op));
  return kernel.fusion.emitOpError("has no factorization of small matrices");
}

const Skeleton matrices = {
    .name = "rows",
    .kind = tx::kinds::matrices,
    .match = matchAll,
    .schedules = [](KernelBuilder &fusion, tx::OrderAttr) -> FailureOr<Offers> {
      FailureOr<MatricesSkeleton> skeleton = skeletonOf(fusion);
      if (failed(skeleton))
        return failure();
      return skeleton->offer();
    },
    .emit = [](KernelBuilder &kernel) -> FailureOr<EmittedKernels> {
      FailureOr<MatricesSkeleton> skeleton = skeletonOf(kernel);
      if (failed(skeleton))
        return failure();
      return single(skeleton->emit());
    }};

} // namespace tensorc::codegen::simt
