//===- AttentionTile.cpp - A block's tile of an attention -----------------===//

#include "codegen/emitters/simt/attention/AttentionTile.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/kernel/ops/Txk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <limits>

using namespace mlir;

namespace tensorc::codegen::simt {

using analysis::Index;
using Values = SmallVector<Value>;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

AttentionTile::AttentionTile(KernelBuilder &kernel, AttentionPattern pattern)
    : ContractionTile(kernel), keys(kernel.fusion.getOrderAttr().getKeys()),
      depth(*pattern.sizes().depth), pattern(std::move(pattern)) {
  rows = kernel.scheduled("rows");
  columns = kernel.scheduled("columns");
  threads = kernel.scheduled("threads");
  perRow = kernel.fusion.getOrderAttr().getLanes().front();
  scoreStride = keys + accumulatorPadding;
  patchStride = columns + accumulatorPadding;
}

/// Plans one loop per dim. Collapsing dims would rarely apply here.
LogicalResult AttentionTile::planLoops() {
  dot = pattern.result;
  if (failed(findOutput()))
    return failure();
  accumulator = pattern.accumulator;
  shape = pattern.shape(kernel.names);
  loops.sizes = shape;
  space.emplace(kernel.names, loops.sizes);
  Index all = space->identity();
  loops.index = all;
  loops.innermost = llvm::to_vector(llvm::seq<unsigned>(0, shape.size()));
  laneLoop = pattern.keyDim() - 1;
  rowLoop = laneLoop - 1;
  outerLoops = llvm::to_vector(llvm::seq<unsigned>(0, rowLoop));
  kLoops = {pattern.keyDim()};
  outIndex = outputAt(all);
  useOneNest();
  auto indices = pattern.indices(all);
  unsigned key = pattern.keyDim(), step = pattern.depthDim();
  q = {pattern.products.getX(), indices.q, rowLoop, step, rows, depth};
  k = {pattern.products.getY(), indices.k, key, step, keys, depth};
  v = {dot.getY(), indices.v, laneLoop, key, columns, keys};
  weightIndex = pattern.scoreIndex(indices, *space,
                                   [&](Value s) { return kernel.symbolOf(s); });
  return success();
}

int64_t AttentionTile::arrayBytes(int64_t count, Type element) {
  return llvm::alignTo(count * bytesOf(element),
                       kernel.target.getVectorBytes());
}

Value AttentionTile::array(int64_t count, Type element) {
  Value result = view(shared, nextByte, count, element);
  nextByte += arrayBytes(count, element);
  return result;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Emits the code for the tile of keys that begins at `dims`. `carried` holds
/// the row's running maximum and sum, and the skeleton's accumulators.
/// Asynchronous copies overlap computation: v is copied during the first
/// product, and the next tile of k after it.
FailureOr<Values> AttentionTile::step(const Values &dims, ValueRange carried) {
  if (v.isCopied() && failed(beginCopy(v, dims)))
    return failure();
  if (k.isCopied())
    txk::CopyWaitOp::create(b, v.isCopied() ? 1 : 0);
  else if (failed(fill(k, dims)))
    return failure();
  barrier(kernel);
  multiplyScores();
  barrier(kernel);
  Values next = dims;
  next[kLoops[0]] = add(kernel, dims[kLoops[0]], indexConstant(kernel, keys));
  if (k.isCopied() && failed(beginCopy(k, next)))
    return failure();
  FailureOr<Value> here = scoreRow(dims);
  if (failed(here))
    return failure();
  Value max = arith::MaximumFOp::create(b, carried[0], *here);
  Value shift = finite(max);
  Value factor = exp(arith::SubFOp::create(b, carried[0], shift));
  FailureOr<Value> sum =
      computeRowWeights(shift, arith::MulFOp::create(b, carried[1], factor));
  if (failed(sum) ||
      failed(when(kernel, equal(kernel, slot, indexConstant(kernel, 0)), [&] {
        memref::StoreOp::create(b, factor, rowFactors, row);
        return success();
      })))
    return failure();
  if (v.isCopied())
    txk::CopyWaitOp::create(b, k.isCopied() ? 1 : 0);
  else if (failed(fill(v, dims)))
    return failure();
  barrier(kernel);
  FailureOr<Values> sums = multiplyValues(carried.drop_front(2));
  if (failed(sums))
    return failure();
  barrier(kernel);
  Values results{max, *sum};
  llvm::append_range(results, *sums);
  return results;
}

LogicalResult AttentionTile::storeResults(const Tile &tile) {
  Value stride = indexConstant(kernel, patchStride);
  auto load = [&](Value from, Type type) -> Value {
    Value sum = loadAccumulators(patch, from, type);
    Value factor =
        memref::LoadOp::create(b, rowFactors, div(kernel, from, stride));
    if (isa<VectorType>(type))
      factor = vector::BroadcastOp::create(b, type, factor);
    if (pattern.divides)
      return arith::DivFOp::create(b, sum, factor);
    return arith::MulFOp::create(b, sum, factor);
  };
  int64_t lanes = std::min<int64_t>(accessLanes(kernel), accumulatorPadding);
  return epilogue(
      tile, {load, rows, patchStride, lanes, [](Value row) { return row; }});
}

LogicalResult AttentionTile::emitTile(const Tile &tile) {
  Values dims = dimsOf(tile);
  Value zero = indexConstant(kernel, 0);
  for (Value &dim : dims)
    dim = dim ? dim : zero;
  Value perRowValue = indexConstant(kernel, perRow);
  row = div(kernel, thread, perRowValue);
  slot = rem(kernel, thread, perRowValue);
  if (failed(fill(q, dims)) || (k.isCopied() && failed(beginCopy(k, dims))))
    return failure();
  // Barriers in the loop separate loads of q from stores of the results. This
  // one does so if the loop has no iterations.
  if (!isa<AffineConstantExpr>(count))
    barrier(kernel);
  Values first{constantOf(b, b.getLoc(), accumulator, -infinity),
               constantOf(b, b.getLoc(), accumulator, 0)};
  llvm::append_range(first, zeroSums());
  auto last = forRange(kernel, zero, kernel.size(count), keys, first,
                       [&](Value key, ValueRange carried) {
                         Values at = dims;
                         at[kLoops[0]] = key;
                         return step(at, carried);
                       });
  if (failed(last) || failed(finishRow(dims, (*last)[0], (*last)[1])))
    return failure();
  storeSums(ValueRange(*last).drop_front(2));
  barrier(kernel);
  return storeResults(tile);
}

FailureOr<KernelSpec> AttentionTile::emit() {
  if (failed(planLoops()))
    return failure();
  planMemory();
  return emitGrid([&](const Tile &tile) { return emitTile(tile); });
}

} // namespace tensorc::codegen::simt
