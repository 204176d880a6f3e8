//===- Transpose.cpp - Transposes through shared memory -------------------===//
//
// a block has a square of the dim along which reads are contiguous (read) and
// the dim along which writes are (write):
//   threads along `read`: tile[write][read] = input
//   barrier
//   threads along `write`: compute and store, loading from the tile
//
// If both dims are multiples of it, a thread reads and writes `width` elements at
// once, up to 16 bytes: a part of a row of the tile, and later a part of a column.
// A row is as long as 8 such parts or longer. Part i of row r is stored as part
// i xor r / width, so that threads which load neighboring parts of a column access
// different banks.
//
// Otherwise, rows of the tile are padded by one element, and by at least 4 bytes,
// for the same reason.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/simt/Transpose.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/kernel/GpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simt {

using analysis::Index;

/// Width of a bank of workgroup memory in bytes.
static constexpr int64_t bankBytes = 4;
/// Minimum number of parts in a row of a tile. With fewer, threads that load
/// parts of a column would share banks.
static constexpr int64_t minParts = 8;

static bool isLarge(AffineExpr size) {
  auto constant = dyn_cast<AffineConstantExpr>(size);
  return !constant || constant.getValue() >= gpuCosts.minTransposedDim;
}

void TransposeSkeleton::add(Value input, const Index &index) {
  AffineExpr position = space.linearize(index, kernel.dims(input));
  auto steps = [&](unsigned dim) -> AffineExpr {
    auto linear = analysis::linearIn(position, dim, space);
    return linear ? linear->coefficient : AffineExpr();
  };
  AffineExpr one = kernel.names.constant(1), zero = kernel.names.constant(0);
  AffineExpr along = steps(lane);
  if (!along || along == one || along == zero) {
    others.push_back(input);
    return;
  }
  for (unsigned dim = 0; dim < lane; ++dim)
    if (steps(dim) == one && isLarge(loops.sizes[dim]) &&
        (reads.empty() || dim == across)) {
      across = dim;
      reads.push_back({input, index, {}});
      return;
    }
  others.push_back(input);
}

bool TransposeSkeleton::find() {
  bool isGuarded = false;
  for (Value root : kernel.yield().getValues())
    analysis::walkReads(
        root, loops.index, space, [&](Value s) { return kernel.symbolOf(s); },
        [](Value) { return false; },
        [&](Value v, const Index &index) {
          auto input = dyn_cast<BlockArgument>(v);
          if (input && !kernel.isScalar(input))
            add(input, index);
        },
        [&](const analysis::Guard &) { isGuarded = true; });
  // A guarded read does not fit: other elements of the square may be outside of
  // the input.
  return !isGuarded && !reads.empty();
}

static Type elementOf(Value input) {
  return kernelType(getElementTypeOrSelf(input.getType()));
}

static int64_t bytesOf(Value input) {
  return llvm::divideCeil(elementOf(input).getIntOrFloatBitWidth(), 8);
}

/// Returns the number of elements that a thread may access at once: as many as
/// divide both dims, if all reads and writes are contiguous along one of them.
int64_t TransposeSkeleton::findWidth() {
  auto sizeOf = [&](unsigned dim) {
    auto size = dyn_cast<AffineConstantExpr>(loops.sizes[dim]);
    return size ? size.getValue() : 1;
  };
  auto isWhole = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    unsigned bits =
        tensor ? tensor.getElementType().getIntOrFloatBitWidth() : 32;
    return bits >= 8 && bits <= 32;
  };
  if (!llvm::all_of(kernel.body().getArgumentTypes(), isWhole) ||
      !llvm::all_of(kernel.yield().getOperandTypes(), isWhole))
    return 1;
  int64_t most = accessLanes(kernel);
  while (most > 1 && most * minParts > side &&
         most * minParts > std::min(sizeOf(across), sizeOf(lane)))
    most /= 2;
  most = dividingLanes(dividingLanes(most, sizeOf(across)), sizeOf(lane));
  auto isTransposed = [&](Value v) {
    return llvm::any_of(reads, [&](const Read &r) { return r.input == v; }) &&
           !llvm::is_contained(others, v);
  };
  SmallVector<std::pair<Value, Index>> roots;
  for (Value root : kernel.yield().getValues()) {
    auto position = analysis::linearIn(
        space.linearize(loops.index, kernel.dims(root)), lane, space);
    if (!position || position->coefficient != kernel.names.constant(1))
      return 1;
    roots.push_back({root, loops.index});
  }
  if (!readsVectors(kernel, space, roots, isTransposed, lane))
    return 1;
  for (const Read &read : reads)
    if (!readsVectors(
            kernel, space, {std::pair(read.input, read.index)},
            [](Value) { return false; }, across))
      return 1;
  return most;
}

/// Returns the number of elements in a row of the input's tile.
int64_t TransposeSkeleton::tileRow(Value input) {
  if (width > 1)
    return side;
  return side + std::max<int64_t>(1, bankBytes / bytesOf(input));
}

bool TransposeSkeleton::fits() {
  int64_t bytes = 0;
  for (Read &read : reads)
    bytes += side * tileRow(read.input) * bytesOf(read.input);
  return bytes <= kernel.target.getSharedMemoryBytes();
}

std::optional<TransposeSkeleton>
TransposeSkeleton::match(KernelBuilder &kernel, const CollapsedDims &loops) {
  TransposeSkeleton skeleton(kernel, loops);
  if (loops.sizes.size() < 2 || !isLarge(loops.sizes.back()) ||
      !skeleton.find())
    return std::nullopt;
  skeleton.width = skeleton.findWidth();
  skeleton.side = std::max(skeleton.side, minParts * skeleton.width);
  if (!skeleton.fits())
    return std::nullopt;
  return skeleton;
}

/// Emits `body` for the square's elements, or for the first of `width` elements
/// along the dim `fast`, with consecutive threads along that dim.
LogicalResult TransposeSkeleton::forSquare(const Values &origin, unsigned fast,
                                           unsigned slow, At body) {
  Value thread = threadId(kernel, blockThreads);
  int64_t perRow = side / width;
  Value parts = indexConstant(kernel, perRow);
  Value x =
      mul(kernel, rem(kernel, thread, parts), indexConstant(kernel, width));
  Value y = div(kernel, thread, parts);
  auto done = forRange(
      kernel, y, indexConstant(kernel, side), blockThreads / perRow, {},
      [&](Value step, ValueRange) -> FailureOr<Values> {
        Values dims = origin;
        dims[fast] = simt::add(kernel, origin[fast], x);
        dims[slow] = simt::add(kernel, origin[slow], step);
        Place inTile{fast == lane ? x : step, fast == lane ? step : x};
        Value inside = kernel.b.createOrFold<arith::AndIOp>(
            less(kernel, dims[fast], kernel.size(loops.sizes[fast])),
            less(kernel, dims[slow], kernel.size(loops.sizes[slow])));
        if (failed(when(kernel, inside, [&] { return body(dims, inTile); })))
          return failure();
        return Values();
      });
  return success(succeeded(done));
}

/// Returns the index in the tile of an input.
Value TransposeSkeleton::indexOf(const Read &read, const Place &place) {
  Value row =
      mul(kernel, place.row, indexConstant(kernel, tileRow(read.input)));
  Value column = place.column;
  if (width > 1) {
    Value size = indexConstant(kernel, width);
    Value part = kernel.b.createOrFold<arith::XOrIOp>(
        div(kernel, column, size), div(kernel, place.row, size));
    column =
        simt::add(kernel, mul(kernel, part, size), rem(kernel, column, size));
  }
  return simt::add(kernel, row, column);
}

/// Loads `width` elements of a column of the tile. The first one is in a row
/// that is a multiple of the width, so all of them have the same column.
Value TransposeSkeleton::loadColumn(const Read &read, const Place &first) {
  Value index = indexOf(read, first);
  Values elements;
  for (int64_t i = 0; i < width; ++i)
    elements.push_back(memref::LoadOp::create(
        kernel.b, read.tile,
        simt::add(kernel, index,
                  indexConstant(kernel, i * tileRow(read.input)))));
  if (width == 1)
    return elements.front();
  auto type = VectorType::get({width}, elements.front().getType());
  return vector::FromElementsOp::create(kernel.b, type, elements);
}

LogicalResult TransposeSkeleton::load(const Values &dims, const Place &inTile) {
  std::optional<ExpressionEmitter::Lanes> lanes;
  if (width > 1)
    lanes = {across, width};
  ExpressionEmitter elements(kernel, space, dims, lanes);
  if (lanes)
    elements.assumeAligned(loops.sizes[across]);
  for (Read &read : reads) {
    FailureOr<Value> element = elements.emitLanes(read.input, read.index);
    if (failed(element))
      return failure();
    Value index = indexOf(read, inTile);
    if (lanes)
      vector::StoreOp::create(kernel.b, *element, read.tile, index,
                              /*nontemporal=*/false,
                              llvm::MaybeAlign(width * bytesOf(read.input)));
    else
      memref::StoreOp::create(kernel.b, *element, read.tile, index);
  }
  return success();
}

LogicalResult TransposeSkeleton::store(const Values &dims,
                                       const Place &inTile) {
  std::optional<ExpressionEmitter::Lanes> lanes;
  if (width > 1)
    lanes = {lane, width};
  ExpressionEmitter elements(kernel, space, dims, lanes);
  if (lanes)
    elements.assumeAligned(loops.sizes[lane]);
  for (Read &read : reads)
    elements.bindElement(read.input, read.index, loadColumn(read, inTile));
  return elements.storeOutputs(loops.index);
}

FailureOr<KernelSpec> TransposeSkeleton::emit() {
  for (Read &read : reads)
    read.tile = kernel.addWorkgroupMemory(side * tileRow(read.input),
                                          elementOf(read.input));
  SmallVector<AffineExpr> work(loops.sizes);
  for (unsigned dim : {across, lane})
    work[dim] = kernel.names.simplify(work[dim].ceilDiv(side));
  AffineExpr squares = kernel.names.product(work);
  auto body = [&](Value item) -> LogicalResult {
    Values origin = delinearize(kernel, item, work);
    for (unsigned dim : {across, lane})
      origin[dim] = mul(kernel, origin[dim], indexConstant(kernel, side));
    if (failed(forSquare(
            origin, across, lane,
            [&](const Values &at, const Place &i) { return load(at, i); })))
      return failure();
    barrier(kernel);
    if (failed(forSquare(
            origin, lane, across,
            [&](const Values &at, const Place &i) { return store(at, i); })))
      return failure();
    if (mayRepeat(squares, blockThreads))
      barrier(kernel);
    return success();
  };
  if (failed(forBlocks(kernel, squares, blockThreads, body)))
    return failure();
  return finish(kernel, squares, blockThreads);
}

} // namespace tensorc::codegen::simt
