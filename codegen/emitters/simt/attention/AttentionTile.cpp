//===- AttentionTile.cpp - A block's tile of an attention -----------------===//

#include "codegen/emitters/simt/attention/AttentionTile.h"

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

LogicalResult AttentionTile::storeResults(const Tile &tile) {
  auto load = [&](Value from, Type type) -> Value {
    return resultsOf(loadAccumulators(patch, from, type), from);
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
  if (failed(fill(q, dims)))
    return failure();
  FailureOr<Values> first = begin(dims);
  if (failed(first))
    return failure();
  auto last = forRange(kernel, zero, kernel.size(count), keys, *first,
                       [&](Value key, ValueRange carried) {
                         Values at = dims;
                         at[kLoops[0]] = key;
                         return step(at, carried);
                       });
  if (failed(last) || failed(finish(dims, *last)))
    return failure();
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
