//===- Contraction.cpp - Skeleton around a dot_general, for a grid --------===//
//
// for each tile of rows x columns of the output, by one block:
//   accumulators = 0, a few rows and columns for each thread
//   for each slice of k:
//     xs[k][row] = x, ys[k][column] = y; barrier
//     for k of the slice: accumulators += xs[k] * ys[k]; barrier
//   tile = accumulators; barrier
//   for each element of the tile: epilogue, store
//
// x and y are read through the expression emitter, so what computes them is
// fused; so is the epilogue, emitted once, with threads along the columns. k is
// in order and each step one fused multiply-add, whatever the tile. Where the
// target multiplies tiles of the dtype, MatrixContraction.cpp does instead.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simt/Skeletons.h"
#include "codegen/emitters/simt/tiles/ContractionRoute.h"
#include "codegen/emitters/simt/tiles/ContractionTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simt {

using analysis::Index;

/// Steps of k in shared memory at once: with 16, loads that wait for each other
/// make registers spill on some chips.
static constexpr int64_t slice = 8;
/// Threads along either side of a tile, and rows or columns of each of them.
static constexpr int64_t side = 16;
static constexpr int64_t perThread = 4;
/// Elements between rows of xs and ys beyond their own: writes along k meet
/// different banks, and vectors stay aligned.
static constexpr int64_t padding = 4;

namespace {
class ContractionSkeleton : ContractionTile {
public:
  explicit ContractionSkeleton(KernelBuilder &kernel)
      : ContractionTile(kernel) {}

  FailureOr<KernelSpec> emit();

private:
  /// One operand's slice in shared memory.
  struct Operand {
    Value value;
    Index index;
    unsigned loop;
    /// Of the tile along `loop`, and of a thread's part.
    int64_t size, part;
    int64_t begin = 0;
    int64_t rowElements() const { return size + padding; }
  };
  std::optional<Operand> x, y;
  /// The slices, and later the tile of results.
  Value shared;

  Operand operand(Value value, const Index &index, unsigned loop);
  void planTile();
  LogicalResult load(const Operand &o, const Values &dims, Value k0);
  Value part(const Operand &o, Value k, Value at);
  FailureOr<Values> multiply(ValueRange sums);
  FailureOr<Values> sum(const Values &dims);
  LogicalResult emitTile(const Values &dims);
  VectorType partType() { return VectorType::get({y->part}, accumulator); }
};
} // namespace

ContractionSkeleton::Operand
ContractionSkeleton::operand(Value value, const Index &index, unsigned loop) {
  auto size = dyn_cast<AffineConstantExpr>(loops.sizes[loop]);
  int64_t part = size && size.getValue() <= side ? 1 : perThread;
  return {value, index, loop, side * part, part};
}

void ContractionSkeleton::planTile() {
  planSums();
  x = operand(dot.getX(), xIndex, rowLoop);
  y = operand(dot.getY(), yIndex, laneLoop);
  threads = side * side;
  rows = x->size;
  columns = y->size;
  y->begin = slice * x->rowElements();
  int64_t slices = y->begin + slice * y->rowElements();
  shared = kernel.addWorkgroupMemory(std::max(slices, x->size * y->size),
                                     accumulator);
}

/// The operand's slice from k0 on; zeros beyond its end. Consecutive threads
/// read consecutive memory.
LogicalResult ContractionSkeleton::load(const Operand &o, const Values &dims,
                                        Value k0) {
  bool alongSum = isAlongSum(o.value, o.index);
  Value inner = indexConstant(kernel, alongSum ? slice : o.size);
  auto step = [&](Value i, ValueRange) -> FailureOr<Values> {
    Value fast = rem(kernel, i, inner), slow = div(kernel, i, inner);
    Value k = alongSum ? fast : slow, place = alongSum ? slow : fast;
    Values at = dims;
    at[o.loop] = add(kernel, dims[o.loop], place);
    Value sum = add(kernel, k0, k);
    Value inside = both(isBelow(at[o.loop], loops.sizes[o.loop], o.size),
                        isBelow(sum, count, slice));
    auto read = [&]() -> FailureOr<Values> {
      for (auto [loop, v] :
           llvm::zip(sumLoops, delinearize(kernel, sum, sumSizes)))
        at[loop] = v;
      ExpressionEmitter elements(kernel, *space, at);
      FailureOr<Value> element = elements.emit(o.value, o.index);
      if (failed(element))
        return failure();
      return Values{widen(*element)};
    };
    auto zero = [&]() -> FailureOr<Values> {
      return Values{constantOf(b, b.getLoc(), accumulator, 0)};
    };
    FailureOr<Values> element =
        inside ? choose(kernel, inside, accumulator, read, zero) : read();
    if (failed(element))
      return failure();
    Value row = mul(kernel, k, indexConstant(kernel, o.rowElements()));
    Value to =
        add(kernel, add(kernel, row, place), indexConstant(kernel, o.begin));
    memref::StoreOp::create(b, element->front(), shared, to);
    return Values();
  };
  auto done = forRange(kernel, thread, indexConstant(kernel, o.size * slice),
                       side * side, {}, step);
  return success(succeeded(done));
}

/// A thread's rows or columns at step k of the slice.
Value ContractionSkeleton::part(const Operand &o, Value k, Value at) {
  Value row = mul(kernel, k, indexConstant(kernel, o.rowElements()));
  Value place = add(kernel, add(kernel, row, indexConstant(kernel, o.begin)),
                    mul(kernel, at, indexConstant(kernel, o.part)));
  return vector::LoadOp::create(b, VectorType::get({o.part}, accumulator),
                                shared, place, /*nontemporal=*/false,
                                alignment(o.part));
}

/// The slice's steps, for the thread's part of the tile.
FailureOr<Values> ContractionSkeleton::multiply(ValueRange sums) {
  Value size = indexConstant(kernel, side);
  Value row = div(kernel, thread, size), column = rem(kernel, thread, size);
  return forRange(
      kernel, indexConstant(kernel, 0), indexConstant(kernel, slice), 1, sums,
      [&](Value k, ValueRange carried) -> FailureOr<Values> {
        Value xs = part(*x, k, row), ys = part(*y, k, column);
        Values next;
        for (auto [r, sum] : llvm::enumerate(carried)) {
          Value one =
              vector::ExtractOp::create(b, xs, ArrayRef<int64_t>{int64_t(r)});
          next.push_back(multiplyAdd(
              vector::BroadcastOp::create(b, partType(), one), ys, sum));
        }
        return next;
      });
}

FailureOr<Values> ContractionSkeleton::sum(const Values &dims) {
  Values zeros(x->part, constantOf(b, b.getLoc(), partType(), 0));
  return forRange(kernel, indexConstant(kernel, 0), kernel.size(count), slice,
                  zeros, [&](Value k0, ValueRange sums) -> FailureOr<Values> {
                    if (failed(load(*x, dims, k0)) ||
                        failed(load(*y, dims, k0)))
                      return failure();
                    barrier(kernel);
                    FailureOr<Values> next = multiply(sums);
                    barrier(kernel);
                    return next;
                  });
}

LogicalResult ContractionSkeleton::emitTile(const Values &dims) {
  FailureOr<Values> sums = sum(dims);
  if (failed(sums))
    return failure();
  Value size = indexConstant(kernel, side);
  Value row = mul(kernel, div(kernel, thread, size),
                  indexConstant(kernel, x->part * y->size));
  Value column =
      mul(kernel, rem(kernel, thread, size), indexConstant(kernel, y->part));
  for (auto [r, v] : llvm::enumerate(*sums)) {
    Value place = add(kernel, add(kernel, row, column),
                      indexConstant(kernel, r * y->size));
    vector::StoreOp::create(b, v, shared, place, /*nontemporal=*/false,
                            alignment(y->part));
  }
  barrier(kernel);
  auto load = [&](Value place, Type type) {
    return loadSums(shared, place, type);
  };
  return epilogue(
      dims, {load, rows, columns, y->part, [](Value row) { return row; }});
}

FailureOr<KernelSpec> ContractionSkeleton::emit() {
  if (failed(plan()))
    return failure();
  planTile();
  return emitGrid([&](const Values &dims) { return emitTile(dims); });
}

FailureOr<EmittedKernels> emitContraction(KernelBuilder &kernel) {
  if (chooseRoute(kernel.fusion, kernel.target).onTiles)
    return emitMatrixContraction(kernel);
  return single(ContractionSkeleton(kernel).emit());
}

} // namespace tensorc::codegen::simt
