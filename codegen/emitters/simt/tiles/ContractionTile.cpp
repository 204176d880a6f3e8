//===- ContractionTile.cpp - A block's tile of a contraction --------------===//

#include "codegen/emitters/simt/tiles/ContractionTile.h"
#include "codegen/emitters/scalar/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simt {

using analysis::Index;
using Values = SmallVector<Value>;

/// The widest access of a thread.
static constexpr int64_t accessBytes = 16;

llvm::MaybeAlign ContractionTile::alignment(int64_t elements) {
  int64_t bytes = llvm::divideCeil(accumulator.getIntOrFloatBitWidth(), 8);
  return llvm::MaybeAlign(std::min(elements * bytes, accessBytes));
}

Value ContractionTile::view(Value shared, int64_t byte, int64_t count,
                            Type element) {
  auto space = cast<MemRefType>(shared.getType()).getMemorySpace();
  auto type =
      MemRefType::get({count}, element, MemRefLayoutAttrInterface{}, space);
  return memref::ViewOp::create(b, type, shared, indexConstant(kernel, byte),
                                ValueRange());
}

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

void ContractionTile::planSums() {
  for (unsigned loop : sumLoops)
    sumSizes.push_back(loops.sizes[loop]);
  count = kernel.names.product(sumSizes);
}

SmallVector<AffineExpr> ContractionTile::planGrid() {
  SmallVector<AffineExpr> grid;
  if (parts > 1)
    grid.push_back(constant(parts));
  for (unsigned loop : outerLoops)
    grid.push_back(loops.sizes[loop]);
  grid.push_back(kernel.names.simplify(loops.sizes[laneLoop].ceilDiv(columns)));
  grid.push_back(kernel.names.simplify(loops.sizes[rowLoop].ceilDiv(rows)));
  return grid;
}

Values ContractionTile::beginTile(Value number, ArrayRef<AffineExpr> grid) {
  Values at = delinearize(kernel, number, grid), dims(loops.sizes.size());
  item = number;
  thread = threadId(kernel, threads);
  if (parts > 1) {
    part = at.front();
    at.erase(at.begin());
  }
  dims[rowLoop] = mul(kernel, at.pop_back_val(), indexConstant(kernel, rows));
  dims[laneLoop] =
      mul(kernel, at.pop_back_val(), indexConstant(kernel, columns));
  for (auto [loop, value] : llvm::zip(outerLoops, at))
    dims[loop] = value;
  return dims;
}

FailureOr<KernelSpec> ContractionTile::emitGrid(
    function_ref<LogicalResult(const Values &dims)> tile) {
  SmallVector<AffineExpr> grid = planGrid();
  AffineExpr tiles = kernel.names.product(grid);
  bool repeats = mayRepeat(tiles, threads);
  if (failed(forBlocks(kernel, tiles, threads, [&](Value item) {
        if (failed(tile(beginTile(item, grid))))
          return failure();
        if (repeats)
          barrier(kernel);
        return success();
      })))
    return failure();
  return finish(kernel, tiles, threads);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool ContractionTile::isAlong(Value value, const Index &index, unsigned loop) {
  bool result = false;
  analysis::walkReads(
      value, index, *space, [&](Value s) { return kernel.symbolOf(s); },
      [](Value) { return false; },
      [&](Value v, const Index &at) {
        auto input = dyn_cast<BlockArgument>(v);
        if (!input || kernel.scalar(input))
          return;
        auto linear = analysis::linearIn(space->linearize(at, kernel.dims(v)),
                                         loop, *space);
        result |= linear && linear->coefficient == constant(1);
      },
      [](const analysis::Guard &) {});
  return result;
}

Value ContractionTile::isBelow(Value i, AffineExpr size, int64_t step) {
  auto known = dyn_cast<AffineConstantExpr>(size);
  if (known && known.getValue() % step == 0)
    return {};
  return less(kernel, i, kernel.size(size));
}

Value ContractionTile::both(Value p, Value q) {
  if (!p || !q)
    return p ? p : q;
  return b.createOrFold<arith::AndIOp>(p, q);
}

//===----------------------------------------------------------------------===//
// Epilogue
//===----------------------------------------------------------------------===//

int64_t ContractionTile::epilogueLanes(int64_t most) {
  auto size = dyn_cast<AffineConstantExpr>(loops.sizes[laneLoop]);
  SmallVector<std::pair<Value, Index>> roots;
  for (Value root : kernel.yield().getValues())
    roots.push_back({root, outIndex});
  if (!size || most == 1 ||
      !readsVectors(
          kernel, *space, roots, [&](Value v) { return v == dot.getResult(); },
          laneLoop))
    return 1;
  return dividingLanes(most, size.getValue());
}

Value ContractionTile::loadSums(Value memory, Value place, Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return memref::LoadOp::create(b, memory, place);
  return vector::LoadOp::create(b, vector, memory, place,
                                /*nontemporal=*/false,
                                alignment(vector.getNumElements()));
}

/// Some columns of a row, whose sums are at `place`.
LogicalResult ContractionTile::store(const Values &dims, const Patch &patch,
                                     Value place, int64_t width) {
  std::optional<ExpressionEmitter::Lanes> lanes;
  if (width > 1)
    lanes = {laneLoop, width};
  ExpressionEmitter elements(kernel, *space, dims, lanes);
  Type type = accumulator;
  if (lanes) {
    elements.assumeAligned(loops.sizes[laneLoop]);
    type = VectorType::get({width}, accumulator);
  }
  Value sum = patch.load(place, type);
  Type to = kernelType(dot.getType().getElementType());
  if (to != accumulator)
    sum = arith::TruncFOp::create(b, shapedLike(to, type), sum);
  elements.bind(dot.getResult(), sum);
  for (auto [i, root] : llvm::enumerate(kernel.yield().getValues())) {
    FailureOr<Value> element = elements.emit(root, outIndex);
    if (failed(element))
      return failure();
    elements.store(*element, i, outIndex);
  }
  return success();
}

LogicalResult ContractionTile::epilogue(const Values &dims,
                                        const Patch &patch) {
  int64_t width = epilogueLanes(patch.lanes);
  Value perRow = indexConstant(kernel, columns / width);
  auto done = forRange(
      kernel, thread, indexConstant(kernel, patch.rows * columns / width),
      threads, {}, [&](Value i, ValueRange) -> FailureOr<Values> {
        Value row = div(kernel, i, perRow);
        Value column =
            mul(kernel, rem(kernel, i, perRow), indexConstant(kernel, width));
        Values at = dims;
        at[rowLoop] = add(kernel, dims[rowLoop], patch.rowInTile(row));
        at[laneLoop] = add(kernel, dims[laneLoop], column);
        Value inside =
            both(isBelow(at[rowLoop], loops.sizes[rowLoop], rows),
                 isBelow(at[laneLoop], loops.sizes[laneLoop], columns));
        Value place =
            patch.stride == columns
                ? mul(kernel, i, indexConstant(kernel, width))
                : add(kernel,
                      mul(kernel, row, indexConstant(kernel, patch.stride)),
                      column);
        if (failed(when(kernel, inside,
                        [&] { return store(at, patch, place, width); })))
          return failure();
        return Values();
      });
  return success(succeeded(done));
}

} // namespace tensorc::codegen::simt
