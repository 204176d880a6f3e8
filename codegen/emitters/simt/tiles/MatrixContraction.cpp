//===- MatrixContraction.cpp - Contraction by matrix instructions on GPUs -===//
//
// for each tile of rows x columns of the output, by one block:
//   accumulators = 0, a part of the tile for each subgroup
//   fill the first buffers with slices of x and y
//   for each slice of k:
//     wait for the slice's copies; barrier
//     fill the buffer of the previous slice with a later slice
//     accumulators += x * y, in tiles of 16 x 16
//   for each row of tiles: patch = accumulators; epilogue, store
//
// An operand that is in memory in the type in which it is multiplied is copied
// asynchronously, if the target supports that. Other operands are computed by
// the expression emitter. Slices have the same contiguous dim in shared as in
// global memory, so both sides of a copy are contiguous. One barrier per slice
// suffices: after it, all threads are done with the previous slice, whose
// buffer is filled next.
//
// If the order splits k into chunks, there are two kernels. The first one
// stores the accumulators of each chunk in a temporary. The second one adds the
// chunks in order and emits the epilogue.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/plans/TileOperands.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simt/Skeletons.h"
#include "codegen/emitters/simt/tiles/ContractionTile.h"
#include "codegen/emitters/simt/tiles/TracedInput.h"
#include "codegen/kernel/GpuCosts.h"
#include "codegen/kernel/ops/Txk.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simt {

using analysis::Index;

/// Sizes in bytes of an asynchronous copy, which is also the padding of a row of
/// a slice, and of an accumulator.
static constexpr int64_t copyBytes = 16, sumBytes = 4;

namespace {
class MatrixContraction : ContractionTile {
public:
  explicit MatrixContraction(KernelBuilder &kernel) : ContractionTile(kernel) {}

  FailureOr<Offers> offer();
  LogicalResult prepare();
  /// Emits the kernel. If k is split, this is the first of the two kernels,
  /// which stores the accumulators of each part of k in the temporary.
  FailureOr<KernelSpec> emit();
  bool isSplit() const { return splits > 1; }
  KernelSpec::Temporary temporary();
  /// Emits the second kernel, which adds up the parts and emits the epilogue.
  FailureOr<KernelSpec> emitFinish();

private:
  /// Slices of an operand in shared memory: [row or column][k] if the operand
  /// is contiguous along k, and [k][row or column] otherwise.
  struct Slices : Operand {
    Slices(Operand o, txk::Role fragment, Type element)
        : Operand(std::move(o)), fragment(fragment), element(element) {}
    txk::Role fragment;
    /// Type in which tiles hold the operand.
    Type element;
    /// The input to copy asynchronously; null if the operand is computed.
    TracedInput copied = {};
    /// Memory of all buffers of the pipeline.
    Value memory = {};

    int64_t elementBytes() const { return tileElementBytes(element); }
    int64_t copyElements() const { return copyBytes / elementBytes(); }
    int64_t stride() const { return (alongK ? steps : size) + copyElements(); }
    int64_t elements() const { return stride() * (alongK ? size : steps); }
  };
  std::optional<Slices> x, y;
  int64_t buffers = 2;
  /// Number of K steps per slice.
  int64_t sliceSteps = 0;
  /// Number of parts into which the order splits k, and number of K steps per
  /// part. With 1 part there is a single kernel.
  int64_t splits = 1, stepsPerPart = 0;
  AffineExpr tiles;
  /// The grid of subgroups that share a tile.
  struct SubgroupGrid {
    int64_t width = 1;             // subgroups along the columns
    int64_t rows = 0, columns = 0; // size of a subgroup's part
    Value row, column;             // position of the subgroup
  };
  SubgroupGrid grid;
  int64_t patchRows = 0;
  Value patch;

  void planOperands();
  int64_t stageBytes() {
    return (x->elements() + y->elements()) * x->elementBytes();
  }
  void partitionTile();
  void planMemory();
  void planOperand(Slices &o);
  void planCopies(Slices &o);
  bool isAsync() const { return x->copied.input || y->copied.input; }
  LogicalResult fill(Value k0, Value buffer);
  LogicalResult fill(const Slices &o, Value k0, Value buffer);
  LogicalResult put(const Slices &o, const Access &access, Value to);
  Value bufferBegin(const Slices &o, Value buffer);
  Values loadTiles(const Slices &o, Value begin, Value part, int64_t size,
                   int64_t step);
  Values multiply(Value buffer, ValueRange sums);
  FailureOr<Values> sum();
  LogicalResult emitTile(const Tile &tile);
  LogicalResult storePart(function_ref<Value(Value)> rowInTile);
  LogicalResult finishTile(const Tile &tile);
  Type accumulatorType() {
    return txk::FragmentType::get(b.getContext(), txk::Role::Sum, accumulator);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

/// Sets `copied` if every aligned group of 16 bytes of a slice is contiguous in
/// an input.
void MatrixContraction::planCopies(Slices &o) {
  if (!kernel.target.hasAsyncCopies() || o.lanes != o.copyElements())
    return;
  const analysis::IterationSpace &space = *o.nest.space;
  TracedInput traced = traceInput(kernel, o.value, o.index, o.element, space);
  if (!traced.input)
    return;
  AffineExpr rest = space.dropMultiples(
      space.linearize(traced.from, kernel.dims(traced.input)),
      o.nest.loops.sizes[o.laneLoop()]);
  SmallVector<AffineExpr> dims(space.identity());
  dims[o.laneLoop()] = dims[o.laneLoop()] * o.lanes;
  if (space.simplify(rest.replaceDims(dims)).isMultipleOf(o.lanes))
    o.copied = traced;
}

void MatrixContraction::planOperand(Slices &o) {
  auto size = dyn_cast<AffineConstantExpr>(o.nest.loops.sizes[o.laneLoop()]);
  std::pair<Value, Index> root{o.value, o.index};
  if (size && readsVectors(
                  kernel, *o.nest.space, root, [](Value) { return false; },
                  o.laneLoop()))
    o.lanes = dividingLanes(o.copyElements(), size.getValue());
  o.paddedAccessBytes = o.lanes * o.elementBytes();
  planCopies(o);
}

/// Creates the tile's operands for the current `rows` and `columns`.
void MatrixContraction::planOperands() {
  TileOperands types = *tileOperands(kernel.target, dot);
  sliceSteps = 2 * tileSteps(types.x);
  Operand left = leftOperand(sliceSteps), right = rightOperand(sliceSteps);
  bool isSwapped = left.value != dot.getX();
  x.emplace(std::move(left), txk::Role::Left, isSwapped ? types.y : types.x);
  y.emplace(std::move(right), txk::Role::Right, isSwapped ? types.x : types.y);
  planOperand(*x);
  planOperand(*y);
}

/// Offers the preferred tile with as many pipeline stages as fit in shared
/// memory, then the alternatives.
FailureOr<Offers> MatrixContraction::offer() {
  if (failed(prepareTile()))
    return failure();
  parts = 1;
  rows = columns = 1;
  int64_t side =
      contractionTile(kernel, planGrid().front(), rowCount, columnCount);
  SmallVector<std::array<int64_t, 3>> tiles{
      {side, side, side > 64 ? 256 : 128}};
  tiles.append(
      {{128, 128, 256}, {128, 64, 256}, {64, 128, 256}, {64, 64, 128}});
  Offers offers;
  for (auto [r, c, count] : tiles) {
    rows = r;
    columns = c;
    threads = count;
    planOperands();
    int64_t maxStages = rows > 64 ? gpuCosts.largeTileStages.value
                                  : gpuCosts.smallTileStages.value;
    int64_t stages =
        isAsync() ? std::clamp<int64_t>(
                        kernel.target.getMaxSharedMemoryBytes() / stageBytes(),
                        2, maxStages)
                  : 2;
    for (; stages >= 2; --stages)
      offers.push_back({{"rows", rows},
                        {"columns", columns},
                        {"threads", threads},
                        {"stages", stages}});
  }
  return offers;
}

/// Divides the tile among the subgroups.
void MatrixContraction::partitionTile() {
  int64_t subgroups = threads / kernel.target.getSubgroupSize();
  int64_t gridRows = subgroups >= 4 ? 2 : 1;
  grid.width = subgroups / gridRows;
  grid.rows = rows / gridRows;
  grid.columns = columns / grid.width;
  patchRows = gridRows * matrixSide;
}

void MatrixContraction::planMemory() {
  planOperands();
  int64_t patchElements = patchRows * (columns + tilePadding);
  Value shared = kernel.addWorkgroupMemory(
      std::max(buffers * stageBytes(), patchElements * sumBytes),
      b.getI8Type());
  auto inMemory = [&](Type element) -> Type {
    if (element.isInteger(8))
      return b.getI8Type();
    return element.isTF32() ? b.getF32Type() : element;
  };
  int64_t xElements = buffers * x->elements();
  x->memory = view(shared, 0, xElements, inMemory(x->element));
  y->memory = view(shared, xElements * x->elementBytes(),
                   buffers * y->elements(), inMemory(y->element));
  patch = view(shared, 0, patchElements, accumulator);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Returns the number of the buffer that follows `buffer`. Numbers are i32, and
/// are carried by the loop over slices: to compute one from k would take a
/// division by `buffers`.
static Value nextBuffer(ImplicitLocOpBuilder &b, Value buffer,
                        int64_t buffers) {
  Value one = constantOf(b, b.getLoc(), b.getI32Type(), 1);
  Value next = arith::AddIOp::create(b, buffer, one);
  Value end = constantOf(b, b.getLoc(), b.getI32Type(), buffers);
  Value isEnd = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next, end);
  Value zero = constantOf(b, b.getLoc(), b.getI32Type(), 0);
  return arith::SelectOp::create(b, isEnd, zero, next);
}

/// Returns the index at which a buffer begins.
Value MatrixContraction::bufferBegin(const Slices &o, Value buffer) {
  Value number = b.createOrFold<arith::IndexCastUIOp>(b.getIndexType(), buffer);
  return mul(kernel, number, indexConstant(kernel, o.elements()));
}

/// Stores `lanes` elements, or zeros if they are outside of the operand.
LogicalResult MatrixContraction::put(const Slices &o, const Access &access,
                                     Value to) {
  const analysis::IterationSpace &space = *o.nest.space;
  std::optional<ExpressionEmitter::Lanes> lanes;
  if (o.lanes > 1)
    lanes = {o.laneLoop(), o.lanes};
  ExpressionEmitter elements(kernel, space, access.dims, lanes);
  if (BlockArgument input = o.copied.input) {
    AffineExpr position = space.linearize(o.copied.from, kernel.dims(input));
    txk::CopyAsyncOp::create(
        b, kernel.buffer(input), elements.indexValue(position), o.memory, to,
        both(access.inside, elements.allHold(o.copied.guards)));
    return success();
  }
  Type type = kernelType(getElementTypeOrSelf(o.value));
  if (lanes) {
    elements.assumeAligned(o.nest.loops.sizes[o.laneLoop()]);
    type = VectorType::get({o.lanes}, type);
  }
  auto read = [&]() -> FailureOr<Values> {
    FailureOr<Value> element = elements.emitLanes(o.value, o.index);
    if (failed(element))
      return failure();
    return Values{*element};
  };
  auto zero = [&]() -> FailureOr<Values> {
    return Values{constantOf(b, b.getLoc(), type, 0)};
  };
  FailureOr<Values> element =
      access.inside ? choose(kernel, access.inside, type, read, zero) : read();
  if (failed(element))
    return failure();
  Value stored = element->front();
  if (o.element.isInteger(8) && !getElementTypeOrSelf(type).isInteger(8))
    stored =
        arith::TruncIOp::create(b, shapedLike(b.getI8Type(), type), stored);
  if (lanes)
    vector::StoreOp::create(b, stored, o.memory, to,
                            /*nontemporal=*/false,
                            llvm::MaybeAlign(o.lanes * o.elementBytes()));
  else
    memref::StoreOp::create(b, stored, o.memory, to);
  return success();
}

/// Fills a buffer with the operand's slice that begins at k0. Elements past its
/// end are zero.
LogicalResult MatrixContraction::fill(const Slices &o, Value k0, Value buffer) {
  Value begin = bufferBegin(o, buffer);
  return forAccesses(o, k0, [&](const Access &access) {
    Value row = o.alongK ? access.mn : access.step;
    Value inRow = o.alongK ? access.step : access.mn;
    Value to = mul(kernel, row, indexConstant(kernel, o.stride()));
    return put(o, access, add(kernel, add(kernel, begin, to), inRow));
  });
}

LogicalResult MatrixContraction::fill(Value k0, Value buffer) {
  return success(succeeded(fill(*x, k0, buffer)) &&
                 succeeded(fill(*y, k0, buffer)));
}

//===----------------------------------------------------------------------===//
// Accumulation
//===----------------------------------------------------------------------===//

/// Loads the subgroup's fragments of an operand at one step of the slice.
SmallVector<Value> MatrixContraction::loadTiles(const Slices &o, Value begin,
                                                Value part, int64_t size,
                                                int64_t step) {
  Values tiles;
  Type type = txk::FragmentType::get(b.getContext(), o.fragment, o.element);
  for (int64_t i = 0; i < size; i += matrixSide) {
    Value mn = add(kernel, mul(kernel, part, indexConstant(kernel, size)),
                   indexConstant(kernel, i));
    Value stride = indexConstant(kernel, o.stride());
    Value k = indexConstant(kernel, step);
    Value at = o.alongK ? add(kernel, mul(kernel, mn, stride), k)
                        : add(kernel, mul(kernel, k, stride), mn);
    tiles.push_back(txk::TileLoadOp::create(
        b, type, o.memory, add(kernel, begin, at), o.stride(), !o.alongK));
  }
  return tiles;
}

SmallVector<Value> MatrixContraction::multiply(Value buffer, ValueRange sums) {
  Value xBegin = bufferBegin(*x, buffer), yBegin = bufferBegin(*y, buffer);
  Values next(sums);
  for (int64_t step = 0; step < sliceSteps; step += sliceSteps / 2) {
    Values left = loadTiles(*x, xBegin, grid.row, grid.rows, step);
    Values right = loadTiles(*y, yBegin, grid.column, grid.columns, step);
    Value *sum = next.begin();
    for (Value l : left)
      for (Value r : right) {
        *sum = txk::TileMmaOp::create(b, accumulatorType(), l, r, *sum);
        ++sum;
      }
  }
  return next;
}

/// Accumulates over all slices. The results are ordered by rows of fragments.
FailureOr<SmallVector<Value>> MatrixContraction::sum() {
  Value begin = indexConstant(kernel, 0), end = kernel.size(count);
  if (isSplit()) {
    Value steps = indexConstant(kernel, stepsPerPart);
    begin = mul(kernel, part, steps);
    end = min(kernel, add(kernel, begin, steps), end);
  }
  // No copy is issued for which no iteration of the loop waits. Such a copy
  // could still be in flight when the patch reuses the memory.
  bool mayBeEmpty = isAsync() && !isa<AffineConstantExpr>(count);
  for (int64_t i = 0; i < buffers - 1; ++i) {
    Value k0 = add(kernel, begin, indexConstant(kernel, i * sliceSteps));
    Value exists = i || mayBeEmpty ? less(kernel, k0, end) : Value();
    Value buffer = constantOf(b, b.getLoc(), b.getI32Type(), i);
    if (failed(when(kernel, exists, [&] { return fill(k0, buffer); })))
      return failure();
    if (isAsync())
      txk::CopyCommitOp::create(b);
  }
  Values carried(grid.rows / matrixSide * (grid.columns / matrixSide),
                 txk::TileZeroOp::create(b, accumulatorType()));
  // The buffers of this slice and of the previous one.
  for (int64_t buffer : {int64_t(0), buffers - 1})
    carried.push_back(constantOf(b, b.getLoc(), b.getI32Type(), buffer));
  auto done = forRange(
      kernel, begin, end, sliceSteps, carried,
      [&](Value k0, ValueRange carried) -> FailureOr<Values> {
        Value buffer = carried.drop_back().back(), previous = carried.back();
        if (isAsync())
          txk::CopyWaitOp::create(b, buffers - 2);
        barrier(kernel);
        Value later =
            add(kernel, k0, indexConstant(kernel, (buffers - 1) * sliceSteps));
        if (failed(when(kernel, less(kernel, later, end),
                        [&] { return fill(later, previous); })))
          return failure();
        if (isAsync())
          txk::CopyCommitOp::create(b);
        Values next = multiply(buffer, carried.drop_back(2));
        next.append({nextBuffer(b, buffer, buffers), buffer});
        return next;
      });
  if (failed(done))
    return failure();
  return Values(ArrayRef(*done).drop_back(2));
}

/// Emits a tile. The patch holds one row of fragments per subgroup. A loop
/// stores all rows through the patch, so that the epilogue is emitted only
/// once.
LogicalResult MatrixContraction::emitTile(const Tile &tile) {
  findMNIndices(*x, tile);
  findMNIndices(*y, tile);
  Value subgroup = div(kernel, thread,
                       indexConstant(kernel, kernel.target.getSubgroupSize()));
  Value width = indexConstant(kernel, grid.width);
  grid.row = div(kernel, subgroup, width);
  grid.column = rem(kernel, subgroup, width);
  FailureOr<Values> sums = sum();
  if (failed(sums))
    return failure();
  int64_t perRow = grid.columns / matrixSide, stride = columns + tilePadding;
  Value side = indexConstant(kernel, matrixSide);
  auto done = forRange(
      kernel, indexConstant(kernel, 0), indexConstant(kernel, grid.rows),
      matrixSide, *sums,
      [&](Value row, ValueRange carried) -> FailureOr<Values> {
        barrier(kernel);
        Value first = add(
            kernel,
            mul(kernel, grid.row, indexConstant(kernel, matrixSide * stride)),
            mul(kernel, grid.column, indexConstant(kernel, grid.columns)));
        for (int64_t i = 0; i < perRow; ++i)
          txk::TileStoreOp::create(
              b, carried[i], patch,
              add(kernel, first, indexConstant(kernel, i * matrixSide)),
              stride);
        barrier(kernel);
        auto rowInTile = [&](Value r) {
          Value begin = mul(kernel, div(kernel, r, side),
                            indexConstant(kernel, grid.rows));
          return add(kernel, add(kernel, begin, row), rem(kernel, r, side));
        };
        auto load = [&](Value from, Type type) {
          return loadAccumulators(patch, from, type);
        };
        if (failed(isSplit()
                       ? storePart(rowInTile)
                       : epilogue(tile, {load, patchRows, stride,
                                         accessLanes(kernel), rowInTile})))
          return failure();
        Values next(carried);
        std::rotate(next.begin(), next.begin() + perRow, next.end());
        return next;
      });
  return success(succeeded(done));
}

//===----------------------------------------------------------------------===//
// Split K
//===----------------------------------------------------------------------===//

/// Returns the temporary, of shape [part, tile, row of the tile, column of the
/// tile]. It includes rows and columns past the edges.
KernelSpec::Temporary MatrixContraction::temporary() {
  return {accumulator,
          kernel.names.simplify(tiles * constant(splits * rows * columns))};
}

/// Stores the patch in the temporary, without the epilogue.
LogicalResult
MatrixContraction::storePart(function_ref<Value(Value)> rowInTile) {
  constexpr int64_t width = 4;
  auto type = VectorType::get({width}, accumulator);
  Value perRow = indexConstant(kernel, columns / width);
  Value begin = mul(kernel, item, indexConstant(kernel, rows * columns));
  auto done = forRange(
      kernel, thread, indexConstant(kernel, patchRows * columns / width),
      threads, {}, [&](Value i, ValueRange) -> FailureOr<Values> {
        Value row = div(kernel, i, perRow);
        Value column =
            mul(kernel, rem(kernel, i, perRow), indexConstant(kernel, width));
        Value from =
            add(kernel,
                mul(kernel, row, indexConstant(kernel, columns + tilePadding)),
                column);
        Value rowBegin =
            mul(kernel, rowInTile(row), indexConstant(kernel, columns));
        Value to = add(kernel, begin, add(kernel, rowBegin, column));
        vector::StoreOp::create(b, loadAccumulators(patch, from, type),
                                kernel.temporary(0), to, /*nontemporal=*/false,
                                alignment(width));
        return Values();
      });
  return success(succeeded(done));
}

/// Adds up the parts in order and emits the epilogue.
LogicalResult MatrixContraction::finishTile(const Tile &tile) {
  Value begin = mul(kernel, item, indexConstant(kernel, rows * columns));
  Value distance =
      mul(kernel, kernel.size(tiles), indexConstant(kernel, rows * columns));
  auto load = [&](Value from, Type type) {
    Value first = add(kernel, begin, from);
    Value sum = loadAccumulators(kernel.temporary(0), first, type);
    auto total = forRange(
        kernel, indexConstant(kernel, 1), indexConstant(kernel, splits), 1, sum,
        [&](Value i, ValueRange carried) -> FailureOr<Values> {
          Value at = add(kernel, first, mul(kernel, i, distance));
          Value next = loadAccumulators(kernel.temporary(0), at, type);
          if (isa<FloatType>(accumulator))
            return Values{arith::AddFOp::create(b, carried[0], next)};
          return Values{arith::AddIOp::create(b, carried[0], next)};
        });
    return total->front();
  };
  return epilogue(tile, {load, rows, columns, accessLanes(kernel),
                         [](Value row) { return row; }});
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

LogicalResult MatrixContraction::prepare() {
  if (failed(prepareTile()))
    return failure();
  rows = kernel.scheduled("rows");
  columns = kernel.scheduled("columns");
  threads = kernel.scheduled("threads");
  buffers = kernel.scheduled("stages");
  partitionTile();
  tiles = kernel.names.product(planGrid());
  if ((stepsPerPart = kernel.fusion.getOrderAttr().getChunk()))
    splits = llvm::divideCeil(cast<AffineConstantExpr>(count).getValue(),
                              stepsPerPart);
  return success();
}

FailureOr<KernelSpec> MatrixContraction::emit() {
  planMemory();
  parts = splits;
  return emitGrid([&](const Tile &tile) { return emitTile(tile); });
}

FailureOr<KernelSpec> MatrixContraction::emitFinish() {
  return emitGrid([&](const Tile &tile) { return finishTile(tile); });
}

static FailureOr<EmittedKernels> emitMatrixContraction(KernelBuilder &kernel) {
  MatrixContraction skeleton(kernel);
  if (failed(skeleton.prepare()))
    return failure();
  if (!skeleton.isSplit())
    return single(skeleton.emit());
  EmittedKernels result;
  result.temporaries = {skeleton.temporary()};
  KernelBuilder first(kernel, "_parts");
  first.addTemporaries(result.temporaries);
  kernel.addTemporaries(result.temporaries);
  MatrixContraction parts(first);
  if (failed(parts.prepare()))
    return failure();
  FailureOr<KernelSpec> sums = parts.emit();
  FailureOr<KernelSpec> finish = skeleton.emitFinish();
  if (failed(sums) || failed(finish))
    return failure();
  result.launches = {*sums, *finish};
  return result;
}

const Skeleton matrixContraction = {"mma",
                                    tx::kinds::contraction,
                                    [](KernelBuilder &, tx::OrderAttr order) {
                                      return order.getInstruction() ==
                                             matrixOrder;
                                    },
                                    [](KernelBuilder &fusion, tx::OrderAttr) {
                                      return MatrixContraction(fusion).offer();
                                    },
                                    emitMatrixContraction,
                                    contractionOrder};

} // namespace tensorc::codegen::simt
