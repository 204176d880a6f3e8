//===- Grid.cpp - Blocks, threads and loops over them ---------------------===//

#include "codegen/emitters/simt/Grid.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simt {

using analysis::Index;

/// Maximum number of threads in a grid. Some targets cannot launch more.
static constexpr int64_t gridThreads = int64_t(1) << 31;

Value threadId(KernelBuilder &kernel, int64_t threads) {
  auto id = gpu::ThreadIdOp::create(kernel.b, gpu::Dimension::x);
  id.setUpperBoundAttr(kernel.b.getIndexAttr(threads));
  return id;
}

void barrier(KernelBuilder &kernel) { gpu::BarrierOp::create(kernel.b); }

bool mayRepeat(AffineExpr items, int64_t threads) {
  auto count = dyn_cast<AffineConstantExpr>(items);
  return !count || count.getValue() > gridThreads / threads;
}

/// Returns the number of items per block. Uses floor(x) + 1 instead of a
/// ceiling, because extents must stay affine.
static AffineExpr itemsPerBlock(AffineExpr items, int64_t threads) {
  return items.floorDiv(gridThreads / threads) + 1;
}

LogicalResult forBlocks(KernelBuilder &kernel, AffineExpr items,
                        int64_t threads, ItemBody body) {
  // With known upper bounds, a later pass can compute indices in 32 bits.
  auto block = gpu::BlockIdOp::create(kernel.b, gpu::Dimension::x);
  auto count = dyn_cast<AffineConstantExpr>(items);
  int64_t maxBlocks = gridThreads / threads;
  block.setUpperBoundAttr(kernel.b.getIndexAttr(
      count ? std::clamp<int64_t>(count.getValue(), 1, maxBlocks) : maxBlocks));
  if (!mayRepeat(items, threads))
    return body(block);
  Value share = kernel.size(itemsPerBlock(items, threads));
  Value lower = mul(kernel, block, share);
  Value upper = min(kernel, add(kernel, lower, share), kernel.size(items));
  auto done = forRange(kernel, lower, upper, 1, {},
                       [&](Value item, ValueRange) -> FailureOr<Values> {
                         if (failed(body(item)))
                           return failure();
                         return Values();
                       });
  return success(succeeded(done));
}

FailureOr<KernelSpec> finish(KernelBuilder &kernel, AffineExpr items,
                             int64_t threads, AffineExpr maxItems) {
  AffineExpr blocks = items;
  if (!maxItems)
    maxItems = items;
  if (mayRepeat(maxItems, threads))
    blocks =
        items.ceilDiv(kernel.names.simplify(itemsPerBlock(maxItems, threads)));
  return kernel.finishSimt(blocks, threads);
}

FailureOr<Values> forStrided(KernelBuilder &kernel, Value lower, Value upper,
                             Value step, ValueRange carried, ForBody body) {
  ImplicitLocOpBuilder &b = kernel.b;
  auto loop = scf::ForOp::create(b, lower, upper, step, carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  FailureOr<Values> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (failed(next))
    return failure();
  if (!carried.empty())
    scf::YieldOp::create(b, *next);
  return Values(loop.getResults());
}

LogicalResult when(KernelBuilder &kernel, Value condition,
                   function_ref<LogicalResult()> body) {
  if (!condition)
    return body();
  auto ifOp = scf::IfOp::create(kernel.b, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(kernel.b);
  kernel.b.setInsertionPointToStart(ifOp.thenBlock());
  return body();
}

FailureOr<Values> choose(KernelBuilder &kernel, Value condition,
                         TypeRange types, Branch then, Branch otherwise) {
  ImplicitLocOpBuilder &b = kernel.b;
  auto ifOp = scf::IfOp::create(b, types, condition, /*withElse=*/true);
  for (auto [block, branch] :
       {std::pair(ifOp.thenBlock(), then), {ifOp.elseBlock(), otherwise}}) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(block);
    FailureOr<Values> values = branch();
    if (failed(values))
      return failure();
    if (!types.empty())
      scf::YieldOp::create(b, *values);
  }
  return Values(ifOp.getResults());
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

int64_t accessLanes(KernelBuilder &kernel) {
  int64_t bytes = 1;
  auto add = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      bytes = std::max<int64_t>(
          bytes,
          llvm::divideCeil(tensor.getElementType().getIntOrFloatBitWidth(), 8));
  };
  llvm::for_each(kernel.body().getArgumentTypes(), add);
  llvm::for_each(kernel.yield().getOperandTypes(), add);
  return std::max<int64_t>(1, kernel.target.getVectorBytes() / bytes);
}

bool readsVectors(KernelBuilder &kernel, const analysis::IterationSpace &space,
                  ArrayRef<std::pair<Value, Index>> roots,
                  function_ref<bool(Value)> stop, unsigned dim) {
  bool result = true;
  auto onRead = [&](Value v, const Index &index) {
    auto input = dyn_cast<BlockArgument>(v);
    if (!input || stop(v) || kernel.isScalar(input))
      return;
    AffineExpr position = space.linearize(index, kernel.dims(v));
    if (!position.isFunctionOfDim(dim))
      return;
    auto linear = analysis::linearIn(position, dim, space);
    result &= linear && linear->coefficient == kernel.names.constant(1);
  };
  for (auto &[value, index] : roots)
    analysis::walkReads(
        value, index, space, [&](Value s) { return kernel.symbolOf(s); }, stop,
        onRead,
        [&](const analysis::Guard &guard) {
          result &= !guard.value.isFunctionOfDim(dim);
        });
  return result;
}

int64_t dividingLanes(int64_t limit, int64_t size) {
  while (limit > 1 && size % limit != 0)
    limit /= 2;
  return limit;
}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

Value add(KernelBuilder &kernel, Value x, Value y) {
  return kernel.b.createOrFold<arith::AddIOp>(x, y);
}
Value sub(KernelBuilder &kernel, Value x, Value y) {
  return kernel.b.createOrFold<arith::SubIOp>(x, y);
}
Value mul(KernelBuilder &kernel, Value x, Value y) {
  return kernel.b.createOrFold<arith::MulIOp>(x, y);
}
Value div(KernelBuilder &kernel, Value x, Value y) {
  return kernel.b.createOrFold<arith::DivUIOp>(x, y);
}
Value rem(KernelBuilder &kernel, Value x, Value y) {
  return kernel.b.createOrFold<arith::RemUIOp>(x, y);
}
Value min(KernelBuilder &kernel, Value x, Value y) {
  return kernel.b.createOrFold<arith::MinUIOp>(x, y);
}
Value less(KernelBuilder &kernel, Value x, Value y) {
  return kernel.b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ult, x, y);
}
Value equal(KernelBuilder &kernel, Value x, Value y) {
  return kernel.b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, x, y);
}

} // namespace tensorc::codegen::simt
