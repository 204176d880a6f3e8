//===- Transpose.cpp - Transposes through shared memory -------------------===//
//
// a block has a square of the dim along which reads are contiguous (read) and
// the dim along which writes are (write):
//   threads along `read`: tile[write][read] = input
//   barrier
//   threads along `write`: compute and store, loading from the tile
//
// Rows of the tile are padded by one element, and by at least 4 bytes, so that
// threads which load a column access different banks.
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
  if (!along || along == one || along == zero)
    return;
  for (unsigned dim = 0; dim < lane; ++dim)
    if (steps(dim) == one && isLarge(loops.sizes[dim]) &&
        (reads.empty() || dim == across)) {
      across = dim;
      reads.push_back({input, index, {}});
      return;
    }
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

/// Returns the number of elements in a padded row of the input's tile.
int64_t TransposeSkeleton::tileRow(Value input) {
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
      !skeleton.find() || !skeleton.fits())
    return std::nullopt;
  return skeleton;
}

/// Emits `body` for the square's elements, with consecutive threads along the
/// dim `fast`.
LogicalResult TransposeSkeleton::forSquare(const Values &origin, unsigned fast,
                                           unsigned slow, At body) {
  Value thread = threadId(kernel, blockThreads);
  Value size = indexConstant(kernel, side);
  Value x = rem(kernel, thread, size), y = div(kernel, thread, size);
  auto done = forRange(
      kernel, y, size, blockThreads / side, {},
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
  return simt::add(kernel, row, place.column);
}

LogicalResult TransposeSkeleton::load(const Values &dims, const Place &inTile) {
  ExpressionEmitter elements(kernel, space, dims);
  for (Read &read : reads) {
    FailureOr<Value> element = elements.emit(read.input, read.index);
    if (failed(element))
      return failure();
    memref::StoreOp::create(kernel.b, *element, read.tile,
                            indexOf(read, inTile));
  }
  return success();
}

LogicalResult TransposeSkeleton::store(const Values &dims,
                                       const Place &inTile) {
  ExpressionEmitter elements(kernel, space, dims);
  for (Read &read : reads)
    elements.bindElement(
        read.input, read.index,
        memref::LoadOp::create(kernel.b, read.tile, indexOf(read, inTile)));
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
