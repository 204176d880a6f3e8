//===- Contraction.cpp - Contraction by multiply-adds on GPUs -------------===//
//
// for each tile of rows x columns of the output, by one block:
//   accumulators = 0, a few rows and columns per thread
//   for each slice of k:
//     xs[k][row] = x, ys[k][column] = y; barrier
//     for k in the slice: accumulators += xs[k] * ys[k]; barrier
//   tile = accumulators; barrier
//   for each element of the tile: epilogue, store
//
// x and y are read through the expression emitter, which fuses the ops that
// compute them. The epilogue is fused too; it is emitted once, with threads
// along the columns. Each accumulator adds its products in the order of k with
// FMAs, whatever the tile size. If the target has matrix instructions for the
// dtype, MatrixContraction.cpp is used instead.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simt/Skeletons.h"
#include "codegen/emitters/simt/tiles/ContractionTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simt {

/// Number of K steps per slice in shared memory. With 16 steps, the loads in
/// flight make registers spill on some chips.
static constexpr int64_t slice = 8;
/// Number of threads along each side of a tile, and maximum number of rows or
/// columns per thread.
static constexpr int64_t side = 16;
static constexpr int64_t perThread = 4;

namespace {
class ContractionSkeleton : ContractionTile {
public:
  explicit ContractionSkeleton(KernelBuilder &kernel)
      : ContractionTile(kernel) {}

  FailureOr<Offers> offer();
  FailureOr<KernelSpec> emit();

private:
  /// A slice of an operand in shared memory, as [k][row] or [k][column].
  struct Slice : Operand {
    explicit Slice(Operand o) : Operand(std::move(o)) {}
    /// Number of rows or columns of the slice that a thread multiplies, and the
    /// offset of the slice in shared memory in elements.
    int64_t part = 1;
    int64_t begin = 0;
    int64_t rowElements() const { return size + accumulatorPadding; }
  };
  std::optional<Slice> x, y;
  /// Shared memory. It first holds the slices, and finally the tile of results.
  Value shared;

  void planTile();
  LogicalResult load(const Slice &o, Value k0);
  Value part(const Slice &o, Value k, Value at);
  FailureOr<Values> multiply(ValueRange sums);
  FailureOr<Values> sum();
  LogicalResult emitTile(const Tile &tile);
  VectorType partType() { return VectorType::get({y->part}, accumulator); }
};
} // namespace

/// Offers tile sizes: small ones first if there are few rows or columns, then
/// smaller ones for tuning.
FailureOr<Offers> ContractionSkeleton::offer() {
  if (failed(prepareTile()))
    return failure();
  auto sizeOf = [](AffineExpr count) -> int64_t {
    auto size = dyn_cast<AffineConstantExpr>(count);
    return size && size.getValue() <= side ? side : side * perThread;
  };
  int64_t maxRows = sizeOf(rowCount), maxColumns = sizeOf(columnCount);
  Offers offers;
  for (int64_t r = maxRows; r >= side; r /= 2)
    for (int64_t c = maxColumns; c >= side; c /= 2)
      offers.push_back({{"rows", r}, {"columns", c}});
  return offers;
}

void ContractionSkeleton::planTile() {
  threads = side * side;
  rows = kernel.scheduled("rows");
  columns = kernel.scheduled("columns");
  x.emplace(leftOperand(slice));
  y.emplace(rightOperand(slice));
  x->part = rows / side;
  y->part = columns / side;
  y->begin = slice * x->rowElements();
  int64_t slices = y->begin + slice * y->rowElements();
  shared =
      kernel.addWorkgroupMemory(std::max(slices, rows * columns), accumulator);
}

/// Loads the operand's slice that begins at k0. Elements past its end are zero.
LogicalResult ContractionSkeleton::load(const Slice &o, Value k0) {
  return forAccesses(o, k0, [&](const Access &access) {
    auto read = [&]() -> FailureOr<Values> {
      ExpressionEmitter elements(kernel, *o.nest.space, access.dims);
      FailureOr<Value> element = elements.emit(o.value, o.index);
      if (failed(element))
        return failure();
      return Values{widen(*element)};
    };
    auto zero = [&]() -> FailureOr<Values> {
      return Values{constantOf(b, b.getLoc(), accumulator, 0)};
    };
    FailureOr<Values> element =
        access.inside ? choose(kernel, access.inside, accumulator, read, zero)
                      : read();
    if (failed(element))
      return failure();
    Value row =
        mul(kernel, access.step, indexConstant(kernel, o.rowElements()));
    Value to = add(kernel, add(kernel, row, access.mn),
                   indexConstant(kernel, o.begin));
    memref::StoreOp::create(b, element->front(), shared, to);
    return success();
  });
}

/// Loads the thread's rows or columns at step k of the slice.
Value ContractionSkeleton::part(const Slice &o, Value k, Value at) {
  Value row = mul(kernel, k, indexConstant(kernel, o.rowElements()));
  Value to = add(kernel, add(kernel, row, indexConstant(kernel, o.begin)),
                 mul(kernel, at, indexConstant(kernel, o.part)));
  return vector::LoadOp::create(b, VectorType::get({o.part}, accumulator),
                                shared, to, /*nontemporal=*/false,
                                alignment(o.part));
}

/// Multiplies all steps of the slice for the thread's part of the tile.
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

FailureOr<Values> ContractionSkeleton::sum() {
  Values zeros(x->part, constantOf(b, b.getLoc(), partType(), 0));
  return forRange(kernel, indexConstant(kernel, 0), kernel.size(count), slice,
                  zeros, [&](Value k0, ValueRange sums) -> FailureOr<Values> {
                    if (failed(load(*x, k0)) || failed(load(*y, k0)))
                      return failure();
                    barrier(kernel);
                    FailureOr<Values> next = multiply(sums);
                    barrier(kernel);
                    return next;
                  });
}

LogicalResult ContractionSkeleton::emitTile(const Tile &tile) {
  findMNIndices(*x, tile);
  findMNIndices(*y, tile);
  FailureOr<Values> sums = sum();
  if (failed(sums))
    return failure();
  Value size = indexConstant(kernel, side);
  Value row = mul(kernel, div(kernel, thread, size),
                  indexConstant(kernel, x->part * columns));
  Value column =
      mul(kernel, rem(kernel, thread, size), indexConstant(kernel, y->part));
  for (auto [r, v] : llvm::enumerate(*sums)) {
    Value to = add(kernel, add(kernel, row, column),
                   indexConstant(kernel, r * columns));
    vector::StoreOp::create(b, v, shared, to, /*nontemporal=*/false,
                            alignment(y->part));
  }
  barrier(kernel);
  auto load = [&](Value from, Type type) {
    return loadAccumulators(shared, from, type);
  };
  return epilogue(
      tile, {load, rows, columns, y->part, [](Value row) { return row; }});
}

FailureOr<KernelSpec> ContractionSkeleton::emit() {
  if (failed(prepareTile()))
    return failure();
  planTile();
  return emitGrid([&](const Tile &tile) { return emitTile(tile); });
}

const Skeleton fmaContraction = {"fma",
                                 tx::kinds::contraction,
                                 [](KernelBuilder &, tx::OrderAttr order) {
                                   return order.getInstruction() == fmaOrder;
                                 },
                                 [](KernelBuilder &fusion, tx::OrderAttr) {
                                   return ContractionSkeleton(fusion).offer();
                                 },
                                 [](KernelBuilder &kernel) {
                                   return single(
                                       ContractionSkeleton(kernel).emit());
                                 },
                                 contractionOrder};

} // namespace tensorc::codegen::simt
