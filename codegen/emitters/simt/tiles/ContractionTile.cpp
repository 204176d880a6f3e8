//===- ContractionTile.cpp - A block's tile of a contraction on GPUs ------===//

#include "codegen/emitters/simt/tiles/ContractionTile.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/kernel/GpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simt {

using analysis::Index;
using Values = SmallVector<Value>;

llvm::MaybeAlign ContractionTile::alignment(int64_t elements) {
  int64_t bytes = llvm::divideCeil(accumulator.getIntOrFloatBitWidth(), 8);
  return llvm::MaybeAlign(
      std::min<int64_t>(elements * bytes, kernel.target.getVectorBytes()));
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
// Loops
//===----------------------------------------------------------------------===//

Index ContractionTile::Nest::indexOf(const Index &index) const {
  return Index(llvm::map_range(
      index, [&](AffineExpr e) { return e.replaceDims(loops.index); }));
}

ContractionTile::Nest
ContractionTile::nestOf(ArrayRef<std::pair<Value, Index>> roots) {
  Nest nest;
  nest.loops = collapseDims(
      kernel, shape, roots, [&](Value v) { return v == dot.getResult(); },
      [&](unsigned d) { return roles[d] == roles[d + 1]; });
  auto list = [&]() {
    for (SmallVector<unsigned> &loops : nest.byRole)
      loops.clear();
    for (auto [loop, d] : llvm::enumerate(nest.loops.innermost))
      nest.byRole[static_cast<unsigned>(roles[d])].push_back(loop);
  };
  list();
  for (Role role : {Role::Row, Role::Lane, Role::Sum})
    if (nest.of(role).empty())
      nest.loops.addUnitLoop(llvm::find(roles, role) - roles.begin(),
                             kernel.names);
  list();
  nest.space.emplace(kernel.names, nest.loops.sizes);
  return nest;
}

AffineExpr ContractionTile::sizeOf(Role role) {
  SmallVector<AffineExpr> sizes;
  for (unsigned loop : output->of(role))
    sizes.push_back(output->loops.sizes[loop]);
  return kernel.names.product(sizes);
}

void ContractionTile::useOneNest() {
  output.emplace();
  output->loops = loops;
  output->space.emplace(kernel.names, loops.sizes);
  auto list = [&](Role role) -> SmallVector<unsigned> & {
    return output->byRole[static_cast<unsigned>(role)];
  };
  list(Role::Batch) = outerLoops;
  list(Role::Row) = {rowLoop};
  list(Role::Lane) = {laneLoop};
  list(Role::Sum) = kLoops;
  outputIndex = outIndex;
  rowCount = sizeOf(Role::Row);
  columnCount = sizeOf(Role::Lane);
  count = sizeOf(Role::Sum);
}

SmallVector<Value> ContractionTile::dimsOf(const Tile &tile) {
  Values dims(loops.sizes.size());
  setIndices(*output, Role::Batch, tile.batch, dims);
  dims[rowLoop] = tile.row;
  dims[laneLoop] = tile.column;
  return dims;
}

LogicalResult ContractionTile::prepareTile() {
  if (failed(planDims()))
    return failure();
  // Columns should be the dims along which stores are contiguous.
  AffineExpr one = constant(1);
  for (AffineExpr e : llvm::reverse(outIndex)) {
    unsigned d = cast<AffineDimExpr>(e).getPosition();
    if (shape[d] == one)
      continue;
    swapped = roles[d] == Role::Row;
    break;
  }
  if (swapped)
    for (Role &role : roles)
      role = role == Role::Row    ? Role::Lane
             : role == Role::Lane ? Role::Row
                                  : role;
  SmallVector<std::pair<Value, Index>> roots;
  for (Value root : kernel.yield().getValues())
    roots.push_back({root, outIndex});
  output.emplace(nestOf(roots));
  outputIndex = output->indexOf(outIndex);
  rowCount = sizeOf(Role::Row);
  columnCount = sizeOf(Role::Lane);
  count = sizeOf(Role::Sum);
  return success();
}

void ContractionTile::setIndices(const Nest &nest, Role role, Value number,
                                 Values &dims) {
  SmallVector<AffineExpr> sizes;
  for (unsigned loop : nest.of(role))
    sizes.push_back(nest.loops.sizes[loop]);
  for (auto [loop, value] :
       llvm::zip(nest.of(role), delinearize(kernel, number, sizes)))
    dims[loop] = value;
}

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

SmallVector<AffineExpr> ContractionTile::planGrid() {
  SmallVector<AffineExpr> grid;
  if (parts > 1)
    grid.push_back(constant(parts));
  grid.push_back(sizeOf(Role::Batch));
  grid.push_back(kernel.names.simplify(columnCount.ceilDiv(columns)));
  grid.push_back(kernel.names.simplify(rowCount.ceilDiv(rows)));
  return grid;
}

ContractionTile::Tile ContractionTile::beginTile(Value number,
                                                 ArrayRef<AffineExpr> grid) {
  Values at = delinearize(kernel, number, grid);
  item = number;
  thread = threadId(kernel, threads);
  if (parts > 1) {
    part = at.front();
    at.erase(at.begin());
  }
  return {at[0], mul(kernel, at[2], indexConstant(kernel, rows)),
          mul(kernel, at[1], indexConstant(kernel, columns))};
}

FailureOr<KernelSpec>
ContractionTile::emitGrid(function_ref<LogicalResult(const Tile &tile)> body) {
  SmallVector<AffineExpr> grid = planGrid();
  AffineExpr tiles = kernel.names.product(grid);
  bool repeats = mayRepeat(tiles, threads);
  if (failed(forBlocks(kernel, tiles, threads, [&](Value item) {
        if (failed(body(beginTile(item, grid))))
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

ContractionTile::Operand ContractionTile::operand(Role role, int64_t steps) {
  bool isX = (role == Role::Row) != swapped;
  Value value = isX ? dot.getX() : dot.getY();
  const Index &index = isX ? xIndex : yIndex;
  Operand o{value, role, role == Role::Row ? rows : columns, steps,
            nestOf(std::pair(value, index))};
  o.index = o.nest.indexOf(index);
  o.alongK = isAlongK(o);
  return o;
}

bool ContractionTile::isAlong(Value value, const Index &index, unsigned loop,
                              const analysis::IterationSpace &space) {
  bool result = false;
  analysis::walkReads(
      value, index, space, [&](Value s) { return kernel.symbolOf(s); },
      [](Value) { return false; },
      [&](Value v, const Index &at) {
        auto input = dyn_cast<BlockArgument>(v);
        if (!input || kernel.isScalar(input))
          return;
        auto linear = analysis::linearIn(space.linearize(at, kernel.dims(v)),
                                         loop, space);
        result |= linear && linear->coefficient == constant(1);
      },
      [](const analysis::Guard &) {});
  return result;
}

/// True if the ops that compute the operand read memory contiguously along k.
/// Windows of an image may be contiguous along both k and rows (or columns).
/// The longer run then decides.
bool ContractionTile::isAlongK(const Operand &o) {
  auto isAlongRole = [&](Role role) {
    return isAlong(o.value, o.index, o.nest.innermost(role), *o.nest.space);
  };
  if (!isAlongRole(Role::Sum))
    return false;
  auto k = dyn_cast<AffineConstantExpr>(o.nest.innerSize(Role::Sum));
  auto size = dyn_cast<AffineConstantExpr>(o.nest.innerSize(o.role));
  bool longer = !k || (size && k.getValue() >= size.getValue());
  return longer || !isAlongRole(o.role);
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

ContractionTile::Operand::MNIndex ContractionTile::mnIndexAt(const Operand &o,
                                                             Value number) {
  Operand::MNIndex at{number, {}, Values(o.nest.loops.sizes.size())};
  Value linearIndex =
      add(kernel, o.role == Role::Row ? o.tile.row : o.tile.column, number);
  at.inside = isBelow(linearIndex, countOf(o.role), o.size);
  setIndices(o.nest, Role::Batch, o.tile.batch, at.dims);
  setIndices(o.nest, o.role, linearIndex, at.dims);
  return at;
}

/// Returns the row of the thread's first access to a slice. A pass over the
/// banks serves 8 threads with 16 bytes each. If rows have 4 such accesses and a
/// padding of one, rows r and r + 1 share banks, and rows r and r + 4 do not. The
/// latter are then accessed by the same 8 threads.
Value ContractionTile::Operand::rowOf(KernelBuilder &kernel, Value thread,
                                      int64_t threads) const {
  Value row = div(kernel, thread, indexConstant(kernel, perRow()));
  if (!alongK || perRow() != 4 || paddedAccessBytes != 16 ||
      threads / perRow() % 8 != 0)
    return row;
  auto number = [&](int64_t value) { return indexConstant(kernel, value); };
  Value group = mul(kernel, div(kernel, row, number(8)), number(8));
  Value half = mul(kernel, rem(kernel, row, number(2)), number(4));
  Value inHalf = rem(kernel, div(kernel, row, number(2)), number(4));
  return add(kernel, add(kernel, group, half), inHalf);
}

void ContractionTile::findMNIndices(Operand &o, const Tile &tile) {
  Value perRow = indexConstant(kernel, o.perRow());
  o.tile = tile;
  o.mnIndices.clear();
  if (!o.alongK) {
    Value number = mul(kernel, rem(kernel, thread, perRow),
                       indexConstant(kernel, o.lanes));
    o.mnIndices.push_back(mnIndexAt(o, number));
    return;
  }
  int64_t distance = threads / o.perRow();
  if (o.size % distance != 0 || o.size / distance > gpuCosts.maxKeptMNIndices)
    return;
  Value first = o.rowOf(kernel, thread, threads);
  for (int64_t i = 0; i < o.size; i += distance)
    o.mnIndices.push_back(
        mnIndexAt(o, add(kernel, first, indexConstant(kernel, i))));
}

LogicalResult ContractionTile::forAccesses(const Operand &o, Value k0,
                                           AccessBody body) {
  auto access = [&](const Operand::MNIndex &at, Value step) {
    Access access{at.dims, {}, at.number, step};
    Value k = add(kernel, k0, step);
    access.inside = both(at.inside, isBelow(k, count, o.steps));
    setIndices(o.nest, Role::Sum, k, access.dims);
    return body(access);
  };
  Value perRow = indexConstant(kernel, o.perRow());
  Value slow = o.rowOf(kernel, thread, threads);
  Value fast =
      mul(kernel, rem(kernel, thread, perRow), indexConstant(kernel, o.lanes));
  if (o.alongK && !o.mnIndices.empty()) {
    for (const Operand::MNIndex &at : o.mnIndices)
      if (failed(access(at, fast)))
        return failure();
    return success();
  }
  int64_t end = o.alongK ? o.size : o.steps, distance = threads / o.perRow();
  // All threads have the same constant number of iterations.
  bool even = end % distance == 0;
  Value from = even ? indexConstant(kernel, 0) : slow;
  auto done = forRange(kernel, from, indexConstant(kernel, end), distance, {},
                       [&](Value i, ValueRange) -> FailureOr<Values> {
                         Value at = even ? add(kernel, slow, i) : i;
                         if (failed(o.alongK ? access(mnIndexAt(o, at), fast)
                                             : access(o.mnIndices.front(), at)))
                           return failure();
                         return Values();
                       });
  return success(succeeded(done));
}

//===----------------------------------------------------------------------===//
// Epilogue
//===----------------------------------------------------------------------===//

int64_t ContractionTile::epilogueLanes(int64_t maxLanes) {
  auto size = dyn_cast<AffineConstantExpr>(output->innerSize(Role::Lane));
  unsigned loop = output->innermost(Role::Lane);
  SmallVector<std::pair<Value, Index>> roots;
  for (Value root : kernel.yield().getValues())
    roots.push_back({root, outputIndex});
  auto position = analysis::linearIn(
      output->space->linearize(outputIndex, kernel.dims(roots.front().first)),
      loop, *output->space);
  if (!size || maxLanes == 1 || !position ||
      position->coefficient != constant(1) ||
      !readsVectors(
          kernel, *output->space, roots,
          [&](Value v) { return v == dot.getResult(); }, loop))
    return 1;
  return dividingLanes(maxLanes, size.getValue());
}

Value ContractionTile::loadAccumulators(Value memory, Value from, Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return memref::LoadOp::create(b, memory, from);
  return vector::LoadOp::create(b, vector, memory, from,
                                /*nontemporal=*/false,
                                alignment(vector.getNumElements()));
}

/// Stores `width` columns of a row, with accumulators from index `from` on.
LogicalResult ContractionTile::store(const Values &dims, const Patch &patch,
                                     Value from, int64_t width) {
  std::optional<ExpressionEmitter::Lanes> lanes;
  if (width > 1)
    lanes = {output->innermost(Role::Lane), width};
  ExpressionEmitter elements(kernel, *output->space, dims, lanes);
  Type type = accumulator;
  if (lanes) {
    elements.assumeAligned(output->innerSize(Role::Lane));
    type = VectorType::get({width}, accumulator);
  }
  Value sum = patch.load(from, type);
  Type to = kernelType(dot.getType().getElementType());
  if (to != accumulator)
    sum = arith::TruncFOp::create(b, shapedLike(to, type), sum);
  elements.bindValue(dot.getResult(), sum);
  return elements.storeOutputs(outputIndex);
}

LogicalResult ContractionTile::epilogue(const Tile &tile, const Patch &patch) {
  int64_t width = epilogueLanes(patch.lanes);
  Values batch(output->loops.sizes.size());
  setIndices(*output, Role::Batch, tile.batch, batch);
  Value perRow = indexConstant(kernel, columns / width);
  auto done = forRange(
      kernel, thread, indexConstant(kernel, patch.rows * columns / width),
      threads, {}, [&](Value i, ValueRange) -> FailureOr<Values> {
        Value row = div(kernel, i, perRow);
        Value column =
            mul(kernel, rem(kernel, i, perRow), indexConstant(kernel, width));
        Value fullRow = add(kernel, tile.row, patch.rowInTile(row));
        Value fullColumn = add(kernel, tile.column, column);
        Values at = batch;
        setIndices(*output, Role::Row, fullRow, at);
        setIndices(*output, Role::Lane, fullColumn, at);
        Value inside = both(isBelow(fullRow, rowCount, rows),
                            isBelow(fullColumn, columnCount, columns));
        Value from =
            patch.stride == columns
                ? mul(kernel, i, indexConstant(kernel, width))
                : add(kernel,
                      mul(kernel, row, indexConstant(kernel, patch.stride)),
                      column);
        if (failed(when(kernel, inside,
                        [&] { return store(at, patch, from, width); })))
          return failure();
        return Values();
      });
  return success(succeeded(done));
}

} // namespace tensorc::codegen::simt
