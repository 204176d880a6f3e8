//===- MatrixContraction.cpp - A contraction by instructions on tiles -----===//
//
// for each tile of rows x columns of the output, by one block:
//   sums = 0, a part of the tile for each subgroup
//   fill the first buffers with slices of x and y
//   for each slice of k:
//     wait for its copies; barrier
//     fill the buffer of the slice before with one that comes later
//     sums += x * y, in tiles of 16 x 16
//   for each row of tiles: patch = sums; epilogue, store
//
// An operand that is in memory as it is multiplied is copied asynchronously, if
// the target can; another one is computed through the expression emitter.
// Slices lie in shared memory as they do in global memory, so that both sides
// of a copy are contiguous. One barrier per slice: behind it all have left the
// slice before, whose buffer is filled next.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/ScalarOps.h"
#include "codegen/emitters/simt/tiles/ContractionRoute.h"
#include "codegen/emitters/simt/tiles/ContractionTile.h"
#include "codegen/kernel/ops/Txk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simt {

using analysis::Index;

/// Of a tile that an instruction takes.
static constexpr int64_t tileSide = 16;
/// Steps of k in a slice.
static constexpr int64_t slice = 32;
/// Elements between rows of a slice beyond their own: rows of 16 bytes begin in
/// different banks and stay aligned. The same for the patch.
static constexpr int64_t padding = 8;
/// Elements of 16 bytes.
static constexpr int64_t copyElements = 8, elementBytes = 2, sumBytes = 4;
/// With fewer large tiles, small ones keep more of the chip busy.
static constexpr int64_t enoughTiles = 96;

namespace {
class MatrixContraction : ContractionTile {
public:
  explicit MatrixContraction(KernelBuilder &kernel) : ContractionTile(kernel) {}

  FailureOr<KernelSpec> emit();

private:
  struct Operand {
    Value value;
    Index index;
    unsigned loop;
    /// Of the tile along `loop`.
    int64_t size;
    txk::Role role;
    /// Slices are [place][k], else [k][place].
    bool alongSum = false;
    /// Elements that are read at once.
    int64_t lanes = 1;
    bool async = false;
    /// All buffers.
    Value memory = {};

    int64_t stride() const { return (alongSum ? slice : size) + padding; }
    int64_t elements() const { return stride() * (alongSum ? size : slice); }
  };
  std::optional<Operand> x, y;
  int64_t buffers = 2;
  /// Subgroups along the rows and columns, and the part of each of them.
  int64_t gridColumns = 1, partRows = 0, partColumns = 0, patchRows = 0;
  Value patch, subgroupRow, subgroupColumn;

  void planTile();
  void planOperand(Operand &o);
  bool isCopied(const Operand &o);
  bool isAsync() const { return x->async || y->async; }
  Value view(Value shared, int64_t byte, int64_t count, Type element);
  LogicalResult fill(const Values &dims, Value k0);
  LogicalResult fill(const Operand &o, const Values &dims, Value k0);
  LogicalResult put(const Operand &o, const Values &at, Value inside, Value to);
  Value bufferBegin(const Operand &o, Value k0);
  Values loadTiles(const Operand &o, Value begin, Value part, int64_t size,
                   int64_t step);
  Values multiply(Value k0, ValueRange sums);
  FailureOr<Values> sum(const Values &dims);
  LogicalResult emitTile(const Values &dims);
  Type sumType() {
    return txk::FragmentType::get(b.getContext(), txk::Role::Sum, accumulator);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

/// Whether 16 bytes of an input are what lies in the slice.
bool MatrixContraction::isCopied(const Operand &o) {
  auto input = dyn_cast<BlockArgument>(o.value);
  if (!kernel.target.hasAsyncCopies() || o.lanes != copyElements || !input ||
      kernel.scalar(input))
    return false;
  unsigned loop = o.alongSum ? sumLoops.back() : o.loop;
  AffineExpr rest = space->dropMultiples(
      space->linearize(o.index, kernel.dims(o.value)), loops.sizes[loop]);
  SmallVector<AffineExpr> dims(space->identity());
  dims[loop] = dims[loop] * o.lanes;
  return space->simplify(rest.replaceDims(dims)).isMultipleOf(o.lanes);
}

void MatrixContraction::planOperand(Operand &o) {
  o.alongSum = isAlongSum(o.value, o.index);
  unsigned loop = o.alongSum ? sumLoops.back() : o.loop;
  auto size = dyn_cast<AffineConstantExpr>(loops.sizes[loop]);
  std::pair<Value, Index> root{o.value, o.index};
  if (size &&
      readsVectors(kernel, *space, root, [](Value) { return false; }, loop))
    o.lanes = dividingLanes(copyElements, size.getValue());
  o.async = isCopied(o);
}

/// A constant view of the block's bytes.
Value MatrixContraction::view(Value shared, int64_t byte, int64_t count,
                              Type element) {
  auto space = cast<MemRefType>(shared.getType()).getMemorySpace();
  auto type =
      MemRefType::get({count}, element, MemRefLayoutAttrInterface{}, space);
  return memref::ViewOp::create(b, type, shared, indexConstant(kernel, byte),
                                ValueRange());
}

void MatrixContraction::planTile() {
  planSums();
  auto isLarge = [&](unsigned loop) {
    auto size = dyn_cast<AffineConstantExpr>(loops.sizes[loop]);
    return !size || size.getValue() > 64;
  };
  rows = columns = 128;
  auto tiles = dyn_cast<AffineConstantExpr>(kernel.names.product(planGrid()));
  bool large = isLarge(rowLoop) && isLarge(laneLoop) &&
               !(tiles && tiles.getValue() < enoughTiles);
  if (!large)
    rows = columns = 64;
  threads = large ? 256 : 128;
  int64_t subgroups = threads / kernel.target.getSubgroupSize();
  int64_t gridRows = subgroups >= 4 ? 2 : 1;
  gridColumns = subgroups / gridRows;
  partRows = rows / gridRows;
  partColumns = columns / gridColumns;
  patchRows = gridRows * tileSide;

  x = Operand{dot.getX(), xIndex, rowLoop, rows, txk::Role::Left};
  y = Operand{dot.getY(), yIndex, laneLoop, columns, txk::Role::Right};
  planOperand(*x);
  planOperand(*y);
  int64_t each = (x->elements() + y->elements()) * elementBytes;
  if (isAsync() && 3 * each <= kernel.target.getSharedMemoryBytes())
    buffers = 3;
  int64_t patchElements = patchRows * (columns + padding);
  Value shared = kernel.addWorkgroupMemory(
      std::max(buffers * each, patchElements * sumBytes), b.getI8Type());
  Type element = dot.getX().getType().getElementType();
  int64_t xElements = buffers * x->elements();
  x->memory = view(shared, 0, xElements, element);
  y->memory =
      view(shared, xElements * elementBytes, buffers * y->elements(), element);
  patch = view(shared, 0, patchElements, accumulator);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// The buffer of the slice that begins at k0.
Value MatrixContraction::bufferBegin(const Operand &o, Value k0) {
  Value number = rem(kernel, div(kernel, k0, indexConstant(kernel, slice)),
                     indexConstant(kernel, buffers));
  return mul(kernel, number, indexConstant(kernel, o.elements()));
}

/// `lanes` elements, or zeros where not `inside`.
LogicalResult MatrixContraction::put(const Operand &o, const Values &at,
                                     Value inside, Value to) {
  unsigned loop = o.alongSum ? sumLoops.back() : o.loop;
  std::optional<ExpressionEmitter::Lanes> lanes;
  if (o.lanes > 1)
    lanes = {loop, o.lanes};
  ExpressionEmitter elements(kernel, *space, at, lanes);
  if (o.async) {
    AffineExpr position = space->linearize(o.index, kernel.dims(o.value));
    txk::CopyAsyncOp::create(b, kernel.buffer(cast<BlockArgument>(o.value)),
                             elements.indexValue(position), o.memory, to,
                             inside);
    return success();
  }
  Type type = kernelType(getElementTypeOrSelf(o.value));
  if (lanes) {
    elements.assumeAligned(loops.sizes[loop]);
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
      inside ? choose(kernel, inside, type, read, zero) : read();
  if (failed(element))
    return failure();
  if (lanes)
    vector::StoreOp::create(b, element->front(), o.memory, to,
                            /*nontemporal=*/false,
                            llvm::MaybeAlign(o.lanes * elementBytes));
  else
    memref::StoreOp::create(b, element->front(), o.memory, to);
  return success();
}

/// The operand's slice from k0 on; zeros beyond its end. Consecutive threads
/// read consecutive memory.
LogicalResult MatrixContraction::fill(const Operand &o, const Values &dims,
                                      Value k0) {
  Value begin = bufferBegin(o, k0);
  Value width = indexConstant(kernel, o.lanes);
  Value perRow = indexConstant(kernel, (o.alongSum ? slice : o.size) / o.lanes);
  auto step = [&](Value i, ValueRange) -> FailureOr<Values> {
    Value fast = mul(kernel, rem(kernel, i, perRow), width);
    Value slow = div(kernel, i, perRow);
    Value k = add(kernel, k0, o.alongSum ? fast : slow);
    Values at = dims;
    at[o.loop] = add(kernel, dims[o.loop], o.alongSum ? slow : fast);
    for (auto [loop, v] : llvm::zip(sumLoops, delinearize(kernel, k, sumSizes)))
      at[loop] = v;
    Value inside = both(isBelow(at[o.loop], loops.sizes[o.loop], o.size),
                        isBelow(k, count, slice));
    Value row = mul(kernel, slow, indexConstant(kernel, o.stride()));
    Value to = add(kernel, add(kernel, begin, row), fast);
    if (failed(put(o, at, inside, to)))
      return failure();
    return Values();
  };
  auto done =
      forRange(kernel, thread, indexConstant(kernel, o.size * slice / o.lanes),
               threads, {}, step);
  return success(succeeded(done));
}

LogicalResult MatrixContraction::fill(const Values &dims, Value k0) {
  return success(succeeded(fill(*x, dims, k0)) &&
                 succeeded(fill(*y, dims, k0)));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// The subgroup's tiles of an operand at one step of the slice.
SmallVector<Value> MatrixContraction::loadTiles(const Operand &o, Value begin,
                                                Value part, int64_t size,
                                                int64_t step) {
  Values tiles;
  Type type = txk::FragmentType::get(b.getContext(), o.role,
                                     getElementTypeOrSelf(o.value));
  for (int64_t i = 0; i < size; i += tileSide) {
    Value place = add(kernel, mul(kernel, part, indexConstant(kernel, size)),
                      indexConstant(kernel, i));
    Value stride = indexConstant(kernel, o.stride());
    Value k = indexConstant(kernel, step);
    Value at = o.alongSum ? add(kernel, mul(kernel, place, stride), k)
                          : add(kernel, mul(kernel, k, stride), place);
    tiles.push_back(txk::TileLoadOp::create(
        b, type, o.memory, add(kernel, begin, at), o.stride(), !o.alongSum));
  }
  return tiles;
}

SmallVector<Value> MatrixContraction::multiply(Value k0, ValueRange sums) {
  Value xBegin = bufferBegin(*x, k0), yBegin = bufferBegin(*y, k0);
  Values next(sums);
  for (int64_t step = 0; step < slice; step += tileSide) {
    Values left = loadTiles(*x, xBegin, subgroupRow, partRows, step);
    Values right = loadTiles(*y, yBegin, subgroupColumn, partColumns, step);
    Value *sum = next.begin();
    for (Value l : left)
      for (Value r : right) {
        *sum = txk::TileMmaOp::create(b, sumType(), l, r, *sum);
        ++sum;
      }
  }
  return next;
}

/// Rows of tiles, one after the other.
FailureOr<SmallVector<Value>> MatrixContraction::sum(const Values &dims) {
  for (int64_t i = 0; i < buffers - 1; ++i) {
    Value k0 = indexConstant(kernel, i * slice);
    Value exists = i ? less(kernel, k0, kernel.size(count)) : Value();
    if (failed(when(kernel, exists, [&] { return fill(dims, k0); })))
      return failure();
    if (isAsync())
      txk::CopyCommitOp::create(b);
  }
  Values zeros(partRows / tileSide * (partColumns / tileSide),
               txk::TileZeroOp::create(b, sumType()));
  return forRange(
      kernel, indexConstant(kernel, 0), kernel.size(count), slice, zeros,
      [&](Value k0, ValueRange sums) -> FailureOr<Values> {
        if (isAsync())
          txk::CopyWaitOp::create(b, buffers - 2);
        barrier(kernel);
        Value later =
            add(kernel, k0, indexConstant(kernel, (buffers - 1) * slice));
        if (failed(when(kernel, less(kernel, later, kernel.size(count)),
                        [&] { return fill(dims, later); })))
          return failure();
        if (isAsync())
          txk::CopyCommitOp::create(b);
        return multiply(k0, sums);
      });
}

/// The patch has a row of tiles of each subgroup. The loop hands the rows on,
/// so that the epilogue is emitted once.
LogicalResult MatrixContraction::emitTile(const Values &dims) {
  Value subgroup = div(kernel, thread,
                       indexConstant(kernel, kernel.target.getSubgroupSize()));
  Value grid = indexConstant(kernel, gridColumns);
  subgroupRow = div(kernel, subgroup, grid);
  subgroupColumn = rem(kernel, subgroup, grid);
  FailureOr<Values> sums = sum(dims);
  if (failed(sums))
    return failure();
  int64_t perRow = partColumns / tileSide, stride = columns + padding;
  Value side = indexConstant(kernel, tileSide);
  auto done = forRange(
      kernel, indexConstant(kernel, 0), indexConstant(kernel, partRows),
      tileSide, *sums, [&](Value row, ValueRange carried) -> FailureOr<Values> {
        barrier(kernel);
        Value first = add(
            kernel,
            mul(kernel, subgroupRow, indexConstant(kernel, tileSide * stride)),
            mul(kernel, subgroupColumn, indexConstant(kernel, partColumns)));
        for (int64_t i = 0; i < perRow; ++i)
          txk::TileStoreOp::create(
              b, carried[i], patch,
              add(kernel, first, indexConstant(kernel, i * tileSide)), stride);
        barrier(kernel);
        auto rowInTile = [&](Value r) {
          Value part = mul(kernel, div(kernel, r, side),
                           indexConstant(kernel, partRows));
          return add(kernel, add(kernel, part, row), rem(kernel, r, side));
        };
        if (failed(epilogue(dims, {patch, patchRows, stride,
                                   accessLanes(kernel), rowInTile})))
          return failure();
        Values next(carried);
        std::rotate(next.begin(), next.begin() + perRow, next.end());
        return next;
      });
  return success(succeeded(done));
}

FailureOr<KernelSpec> MatrixContraction::emit() {
  if (failed(plan()))
    return failure();
  planTile();
  return emitGrid([&](const Values &dims) { return emitTile(dims); });
}

FailureOr<KernelSpec> emitMatrixContraction(KernelBuilder &kernel) {
  return MatrixContraction(kernel).emit();
}

} // namespace tensorc::codegen::simt
