//===- LoopNest.cpp - Loops from which skeletons are composed -------------===//

#include "codegen/emitters/LoopNest.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/kernel/CpuCosts.h"
#include "ir/analysis/Products.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen {

using analysis::Index;

Value indexConstant(KernelBuilder &kernel, int64_t value) {
  return arith::ConstantIndexOp::create(kernel.b, value);
}

static bool isOne(AffineExpr e) {
  auto c = dyn_cast<AffineConstantExpr>(e);
  return c && c.getValue() == 1;
}

LogicalResult verifyReadInPlace(KernelBuilder &kernel,
                                ArrayRef<AffineExpr> sizes,
                                ArrayRef<std::pair<Value, Index>> roots,
                                function_ref<bool(Value)> bound,
                                const Index &expected) {
  analysis::IterationSpace space(kernel.names, sizes);
  Value other;
  auto onRead = [&](Value v, const Index &index) {
    if (!bound(v))
      return;
    // Along a dim of size 1, all index expressions are equal.
    for (auto [i, e] : llvm::enumerate(index))
      if (i >= expected.size() ||
          (e != expected[i] && !isOne(kernel.dims(v)[i])))
        other = v;
  };
  for (auto &[value, index] : roots)
    analysis::walkReads(
        value, index, space, [&](Value s) { return kernel.symbolOf(s); }, bound,
        onRead, [](const analysis::Guard &) {});
  if (!other)
    return success();
  return other.getDefiningOp()->emitError(
      "is read at another index than its fusion computes it");
}

//===----------------------------------------------------------------------===//
// Collapsing of dims
//===----------------------------------------------------------------------===//

/// True if `position` is linear in the merged loop of dims a and b, that is, if
/// its stride along a is its stride along b times the size of b.
static bool runsThrough(AffineExpr position, unsigned a, unsigned b,
                        const analysis::IterationSpace &space) {
  auto inA = analysis::linearIn(position, a, space);
  auto inB = analysis::linearIn(position, b, space);
  return inA && inB &&
         analysis::areSameProduct(
             inA->coefficient,
             space.simplify(inB->coefficient * space.getSizes()[b]));
}

namespace {
/// The accesses that restrict merging. Positions of reads and writes must be
/// linear in a merged dim, and index expressions of guards and iotas must not
/// depend on one.
struct Accesses {
  SmallVector<AffineExpr> positions, values;
};
} // namespace

static Accesses accessesOf(KernelBuilder &kernel,
                           const analysis::IterationSpace &space,
                           ArrayRef<std::pair<Value, Index>> roots,
                           function_ref<bool(Value)> stop) {
  Accesses result;
  auto onRead = [&](Value v, const Index &index) {
    if (stop(v))
      return;
    if (auto iota = v.getDefiningOp<tx::IotaOp>())
      result.values.push_back(index[iota.getDim()]);
    else if (v.getDefiningOp<tx::RandomBitsOp>() ||
             !kernel.isScalar(cast<BlockArgument>(v)))
      result.positions.push_back(space.linearize(index, kernel.dims(v)));
  };
  for (auto &[value, index] : roots) {
    result.positions.push_back(space.linearize(index, kernel.dims(value)));
    analysis::walkReads(
        value, index, space, [&](Value s) { return kernel.symbolOf(s); }, stop,
        onRead,
        [&](const analysis::Guard &guard) {
          result.values.push_back(guard.value);
        });
  }
  return result;
}

/// True if the accesses are the same in terms of the merged loops. They differ
/// if an expression was simplified under the assumption that a dim is below its
/// size, because a merged loop exceeds it. An example is (2 * o + k) floordiv
/// 2, for windows of two over a repeated tensor.
static bool holdsBeyondSizes(KernelBuilder &kernel, const CollapsedDims &loops,
                             ArrayRef<std::pair<Value, Index>> roots,
                             function_ref<bool(Value)> stop,
                             const Accesses &wanted) {
  analysis::IterationSpace space(kernel.names, loops.sizes);
  auto merged = [&](ArrayRef<AffineExpr> exprs) {
    return llvm::map_to_vector(exprs, [&](AffineExpr e) {
      return space.simplify(e.replaceDims(loops.index));
    });
  };
  auto inLoops = llvm::map_to_vector(roots, [&](auto &root) {
    return std::pair<Value, Index>(root.first, merged(root.second));
  });
  Accesses found = accessesOf(kernel, space, inLoops, stop);
  return found.positions == merged(wanted.positions) &&
         found.values == merged(wanted.values);
}

static CollapsedDims collapse(KernelBuilder &kernel, ArrayRef<AffineExpr> sizes,
                              const Accesses &accesses,
                              function_ref<bool(unsigned)> mayMerge) {
  analysis::IterationSpace space(kernel.names, sizes);
  CollapsedDims result;
  MLIRContext *context = kernel.b.getContext();
  AffineExpr zero = kernel.names.constant(0);
  result.index.assign(sizes.size(), zero);
  std::optional<unsigned> previous;
  for (unsigned d = 0; d < sizes.size(); ++d) {
    if (isOne(sizes[d]))
      continue;
    bool merge = previous.has_value();
    for (unsigned i = previous.value_or(d); merge && i < d; ++i)
      merge = mayMerge(i);
    merge = merge && llvm::all_of(accesses.positions, [&](AffineExpr p) {
              return runsThrough(p, *previous, d, space);
            });
    merge = merge && llvm::none_of(accesses.values, [&](AffineExpr v) {
              return v.isFunctionOfDim(d) || v.isFunctionOfDim(*previous);
            });
    if (merge) {
      result.index[*previous] = zero;
      result.sizes.back() = space.simplify(result.sizes.back() * sizes[d]);
      result.innermost.back() = d;
    } else {
      result.sizes.push_back(sizes[d]);
      result.innermost.push_back(d);
    }
    result.index[d] = getAffineDimExpr(result.sizes.size() - 1, context);
    previous = d;
  }
  return result;
}

CollapsedDims collapseDims(KernelBuilder &kernel, ArrayRef<AffineExpr> sizes,
                           ArrayRef<std::pair<Value, Index>> roots,
                           function_ref<bool(Value)> stop,
                           function_ref<bool(unsigned)> mayMerge) {
  analysis::IterationSpace space(kernel.names, sizes);
  Accesses accesses = accessesOf(kernel, space, roots, stop);
  CollapsedDims result = collapse(kernel, sizes, accesses, mayMerge);
  size_t apart = sizes.size() - llvm::count_if(sizes, isOne);
  if (result.sizes.size() < apart &&
      !holdsBeyondSizes(kernel, result, roots, stop, accesses))
    return collapse(kernel, sizes, accesses, [](unsigned) { return false; });
  return result;
}

void CollapsedDims::addUnitLoop(unsigned dim, tx::DimSpace &names) {
  index[dim] = getAffineDimExpr(sizes.size(), names.constant(1).getContext());
  sizes.push_back(names.constant(1));
  innermost.push_back(dim);
}

int64_t CollapsedDims::sizeOfShortRow() const {
  if (sizes.size() < 2)
    return 0;
  auto size = dyn_cast<AffineConstantExpr>(sizes.back());
  bool isShort = size && size.getValue() >= 2 &&
                 size.getValue() <= ExpressionEmitter::longestRow;
  if (!isShort ||
      index.back() != getAffineDimExpr(sizes.size() - 1, size.getContext()))
    return 0;
  return size.getValue();
}

void CollapsedDims::dropShortRowLoop(tx::DimSpace &names) {
  sizes.pop_back();
  innermost.pop_back();
  index.back() = names.constant(0);
}

FailureOr<CollapsedDims> collapseOutputs(KernelBuilder &kernel) {
  SmallVector<AffineExpr> shape = kernel.dims(kernel.yield().getValues()[0]);
  analysis::IterationSpace outputSpace(kernel.names, shape);
  SmallVector<std::pair<Value, Index>> roots;
  for (Value root : kernel.yield().getValues()) {
    if (kernel.dims(root) != shape)
      return kernel.fusion.emitOpError("outputs of a loop differ in shape");
    roots.push_back({root, outputSpace.identity()});
  }
  return collapseDims(
      kernel, shape, roots, [](Value) { return false; },
      [](unsigned) { return true; });
}

SmallVector<BlockArgument> keptInputs(KernelBuilder &kernel) {
  SmallVector<BlockArgument> kept;
  for (Value root : kernel.yield().getValues()) {
    Operation *op = root.getDefiningOp();
    if (!isa_and_nonnull<tx::DynamicUpdateSliceOp, tx::ScatterOp>(op))
      return {};
    auto x = dyn_cast<BlockArgument>(op->getOperand(0));
    if (!x || !x.hasOneUse() || !kernel.buffer(x) ||
        cast<RankedTensorType>(x.getType()).getRank() == 0)
      return {};
    kept.push_back(x);
  }
  return kept;
}

Value keepsInputs(KernelBuilder &kernel) {
  ImplicitLocOpBuilder &b = kernel.b;
  auto address = [&](Value buffer) {
    return memref::ExtractAlignedPointerAsIndexOp::create(b, buffer);
  };
  Value all;
  for (auto [i, x] : llvm::enumerate(keptInputs(kernel))) {
    Value same = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                       address(kernel.buffer(x)),
                                       address(kernel.output(i)));
    all = all ? arith::AndIOp::create(b, all, same) : same;
  }
  return all;
}

bool gathersRows(Operation &op) {
  auto gather = dyn_cast<tx::GatherOp>(op);
  return gather && !gather.getOffsetDimOfX().empty() &&
         gather.getOffsetDimOfX().back() + 1 == gather.getType().getRank();
}

/// True if the input is read only as the row numbers of gathers, which are the
/// same for all lanes.
static bool areRowNumbers(BlockArgument v) {
  return !v.use_empty() && llvm::all_of(v.getUses(), [](OpOperand &use) {
    return gathersRows(*use.getOwner()) &&
           cast<tx::GatherOp>(use.getOwner()).getIndices() == use.get();
  });
}

int64_t registerLanes(KernelBuilder &kernel) {
  unsigned bytes = 1;
  auto add = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      bytes = std::max(bytes, kernel.target.getComputeBytes(
                                  kernelType(tensor.getElementType())));
  };
  for (BlockArgument v : kernel.body().getArguments())
    if (!areRowNumbers(v))
      add(v.getType());
  for (Operation &op : kernel.body())
    llvm::for_each(op.getResultTypes(), add);
  return std::max<int64_t>(1, kernel.target.getVectorBytes() / bytes);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> forRange(KernelBuilder &kernel, Value lower,
                                       Value upper, int64_t step,
                                       ValueRange carried, ForBody body) {
  ImplicitLocOpBuilder &b = kernel.b;
  auto loop =
      scf::ForOp::create(b, lower, upper, indexConstant(kernel, step), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  FailureOr<SmallVector<Value>> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (failed(next))
    return failure();
  // Without loop-carried values, ForOp's builder has already created the
  // terminator.
  if (!carried.empty())
    scf::YieldOp::create(b, *next);
  return SmallVector<Value>(loop.getResults());
}

Value laneMask(KernelBuilder &kernel, Value i, Value upper, int64_t width) {
  ImplicitLocOpBuilder &b = kernel.b;
  Value left = b.createOrFold<arith::MinSIOp>(
      b.createOrFold<arith::SubIOp>(upper, i), indexConstant(kernel, width));
  left = b.createOrFold<arith::MaxSIOp>(left, indexConstant(kernel, 0));
  // The comparison is done in i32, so that for 32-bit elements the vector takes
  // as many registers as the data.
  Value left32 = arith::IndexCastOp::create(b, b.getI32Type(), left);
  auto type = VectorType::get({width}, b.getI32Type());
  SmallVector<int32_t> steps(width);
  std::iota(steps.begin(), steps.end(), 0);
  Value lanes = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef<int32_t>(steps)));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, lanes,
                               vector::BroadcastOp::create(b, type, left32));
}

/// Returns the minimum number of elements of an output for which non-temporal
/// stores pay off. If outputs have several types, the widest one is used.
static int64_t streamingElements(KernelBuilder &kernel) {
  int64_t widest = 1;
  for (Type type : kernel.fusion.getResultTypes())
    widest = std::max<int64_t>(
        widest, llvm::divideCeil(
                    getElementTypeOrSelf(type).getIntOrFloatBitWidth(), 8));
  return kernel.costs().streamingStoreBytes / widest;
}

bool exceedCaches(KernelBuilder &kernel, AffineExpr count) {
  auto constant = dyn_cast<AffineConstantExpr>(count);
  return constant && constant.getValue() >= streamingElements(kernel);
}

/// True if an output is i1. Its stores are widened to bytes, so that a vector
/// does not fill whole cache lines.
static bool storesBooleans(KernelBuilder &kernel) {
  return llvm::any_of(kernel.fusion.getResultTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isInteger(1);
  });
}

bool streamsUnalignedRows(KernelBuilder &kernel, AffineExpr count,
                          AffineExpr rowSize, int64_t width) {
  auto row = dyn_cast_or_null<AffineConstantExpr>(rowSize);
  return row && row.getValue() % width != 0 &&
         row.getValue() >= kernel.costs().minStreamedRowVectors * width &&
         exceedCaches(kernel, count) && isCheap(kernel) &&
         !storesBooleans(kernel);
}

Value streamingStores(KernelBuilder &kernel, AffineExpr count,
                      AffineExpr rowSize, Value i, Value upper, int64_t width) {
  ImplicitLocOpBuilder &b = kernel.b;
  if (storesBooleans(kernel))
    return {};
  bool isConstant = isa<AffineConstantExpr>(count);
  if (isConstant && !exceedCaches(kernel, count))
    return {};
  auto row = dyn_cast_or_null<AffineConstantExpr>(rowSize);
  if (row && row.getValue() % width != 0)
    return {};
  // If rows consist of whole vectors, the condition is constant and LLVM can
  // unroll the loop.
  Value full;
  if (!row)
    full = b.createOrFold<arith::CmpIOp>(
        arith::CmpIPredicate::ule,
        b.createOrFold<arith::AddIOp>(i, indexConstant(kernel, width)), upper);
  auto require = [&](arith::CmpIPredicate predicate, Value x, int64_t y) {
    Value holds =
        b.createOrFold<arith::CmpIOp>(predicate, x, indexConstant(kernel, y));
    full = full ? b.createOrFold<arith::AndIOp>(full, holds) : holds;
  };
  if (!isConstant)
    require(arith::CmpIPredicate::uge, kernel.size(count),
            streamingElements(kernel));
  if (rowSize && !row)
    require(arith::CmpIPredicate::eq,
            b.createOrFold<arith::RemUIOp>(kernel.size(rowSize),
                                           indexConstant(kernel, width)),
            0);
  return full ? full : constantOf(b, b.getLoc(), b.getI1Type(), 1);
}

void prefetchNextRow(KernelBuilder &kernel, ExpressionEmitter &elements,
                     const analysis::IterationSpace &space, const Index &index,
                     ArrayRef<AffineExpr> shape, AffineExpr rowSize, Value i,
                     int64_t width) {
  int64_t lineBytes = kernel.target.getCacheLineBytes();
  ImplicitLocOpBuilder &b = kernel.b;
  auto row = dyn_cast<AffineConstantExpr>(rowSize);
  if (!row || row.getValue() < kernel.costs().minPrefetchedRowElements)
    return;
  for (BlockArgument input : kernel.body().getArguments()) {
    Value buffer = kernel.buffer(input);
    if (!buffer || ArrayRef(kernel.dims(input)) != shape)
      continue;
    int64_t bytes = llvm::divideCeil(
        cast<MemRefType>(buffer.getType()).getElementTypeBitWidth(), 8);
    if (row.getValue() * bytes > kernel.target.getL2Bytes() / 4)
      continue;
    // Prefetch to L1 only if this row and the next one fit in it.
    bool fitsInL1 = 2 * row.getValue() * bytes <= kernel.target.getL1Bytes();
    Value position = b.createOrFold<arith::AddIOp>(
        elements.indexValue(space.linearize(index, shape)),
        indexConstant(kernel, row.getValue()));
    int64_t lines = llvm::divideCeil(width * bytes, lineBytes);
    for (int64_t line = 0; line < lines; ++line)
      memref::PrefetchOp::create(
          b, buffer,
          b.createOrFold<arith::AddIOp>(
              position, indexConstant(kernel, line * (lineBytes / bytes))),
          /*isWrite=*/false, /*localityHint=*/fitsInL1 ? 3 : 2,
          /*isDataCache=*/true);
  }
}

/// Returns the size in bytes of the narrowest element that the kernel reads or
/// writes.
static unsigned narrowestMemory(KernelBuilder &kernel) {
  unsigned bytes = 8;
  auto add = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      bytes = std::min<unsigned>(
          bytes,
          llvm::divideCeil(tensor.getElementType().getIntOrFloatBitWidth(), 8));
  };
  llvm::for_each(kernel.body().getArgumentTypes(), add);
  llvm::for_each(kernel.yield().getOperandTypes(), add);
  return bytes;
}

/// True if the op interleaves a few tensors along a new last dim, such as the
/// parts of complex numbers.
static bool makesShortRows(Operation &op) {
  auto concat = dyn_cast<tx::ConcatenateOp>(op);
  auto count = static_cast<int64_t>(concat ? concat.getInputs().size() : 0);
  return count >= 2 && count <= ExpressionEmitter::longestRow &&
         concat.getType().getShape().back() == count &&
         static_cast<int64_t>(concat.getDim()) + 1 ==
             concat.getType().getRank();
}

/// Returns the element-wise ops that run once per result of a reduction, such
/// as the division of a mean. They are not counted as work of the loop.
static SmallPtrSet<Operation *, 8> opsOfResults(KernelBuilder &kernel) {
  SmallPtrSet<Operation *, 8> result;
  auto ops = kernel.body().without_terminator();
  auto reduction = llvm::find_if(
      ops, [](Operation &op) { return op.hasTrait<tx::Reduction>(); });
  if (reduction == ops.end())
    return result;
  SmallVector<AffineExpr> shape = kernel.dims(reduction->getOperand(0));
  for (Operation &op : ops)
    if (op.hasTrait<tx::Elementwise>() && kernel.dims(op.getResult(0)) != shape)
      result.insert(&op);
  return result;
}

bool isCheap(KernelBuilder &kernel) {
  unsigned maxOps = 8, count = 0;
  SmallPtrSet<Operation *, 8> once = opsOfResults(kernel);
  for (Operation &op : kernel.body().without_terminator()) {
    if (once.contains(&op))
      continue;
    // The limit allows for the six ops of a complex product, whose two parts
    // are interleaved and stored without a branch.
    if (makesShortRows(op)) {
      maxOps = 24;
      continue;
    }
    if (gathersRows(op)) {
      ++count;
      continue;
    }
    // Guards become branches, and gathers other than those of rows are not
    // contiguous.
    if (op.hasTrait<tx::Costly>() ||
        isa<tx::PadOp, tx::ConcatenateOp, tx::GatherOp, tx::DivOp,
            tx::DynamicSliceOp, tx::DynamicUpdateSliceOp, tx::RandomBitsOp>(op))
      return false;
    count += op.hasTrait<tx::Elementwise>() || op.hasTrait<tx::Reduction>();
  }
  return count <= maxOps;
}

FailureOr<SmallVector<Value>> forLanes(KernelBuilder &kernel, Value lower,
                                       Value upper, int64_t width,
                                       AffineExpr size, ValueRange carried,
                                       LaneBody body, bool mayRepeat) {
  ImplicitLocOpBuilder &b = kernel.b;
  auto constant = dyn_cast_or_null<AffineConstantExpr>(size);
  if (constant && constant.getValue() % width == 0)
    return forRange(
        kernel, lower, upper, width, carried,
        [&](Value i, ValueRange values) { return body(i, Value(), values); });
  if (kernel.target.hasMaskedMemory(narrowestMemory(kernel)) &&
      !(mayRepeat && isCheap(kernel)))
    return forRange(kernel, lower, upper, width, carried,
                    [&](Value i, ValueRange values) {
                      return body(i, laneMask(kernel, i, upper, width), values);
                    });
  Value w = indexConstant(kernel, width);
  Value count = b.createOrFold<arith::SubIOp>(upper, lower);
  Value fullEnd = b.createOrFold<arith::AddIOp>(
      lower, b.createOrFold<arith::MulIOp>(
                 b.createOrFold<arith::DivUIOp>(count, w), w));
  FailureOr<SmallVector<Value>> values =
      forRange(kernel, lower, fullEnd, width, carried,
               [&](Value i, ValueRange v) { return body(i, Value(), v); });
  if (failed(values))
    return failure();
  Value rest =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, fullEnd, upper);
  auto ifOp = scf::IfOp::create(b, TypeRange(ValueRange(*values)), rest,
                                /*withElse=*/!values->empty());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  FailureOr<SmallVector<Value>> last =
      body(fullEnd, laneMask(kernel, fullEnd, upper, width), *values);
  if (failed(last))
    return failure();
  if (!values->empty()) {
    scf::YieldOp::create(b, *last);
    b.setInsertionPointToStart(ifOp.elseBlock());
    scf::YieldOp::create(b, *values);
  }
  return SmallVector<Value>(ifOp.getResults());
}

LogicalResult forLanesOfOutputs(KernelBuilder &kernel, Value position,
                                Value upper, int64_t width, LaneBody body) {
  ImplicitLocOpBuilder &b = kernel.b;
  Value w = indexConstant(kernel, width), zero = indexConstant(kernel, 0);
  Value end = b.createOrFold<arith::AddIOp>(position, upper);
  for (unsigned i = 0; i < kernel.yield().getNumOperands(); ++i)
    memref::PrefetchOp::create(b, kernel.output(i), end, /*isWrite=*/true,
                               /*localityHint=*/3, /*isDataCache=*/true);
  Value misalignment = b.createOrFold<arith::RemUIOp>(position, w);
  Value first = b.createOrFold<arith::RemUIOp>(
      b.createOrFold<arith::SubIOp>(w, misalignment), w);
  Value fullEnd = b.createOrFold<arith::SubIOp>(
      upper, b.createOrFold<arith::RemUIOp>(
                 b.createOrFold<arith::SubIOp>(upper, first), w));
  auto ofAll = [&](Value i, ValueRange v) { return body(i, Value(), v); };
  return success(
      succeeded(body(zero, laneMask(kernel, zero, first, width), {})) &&
      succeeded(forRange(kernel, first, fullEnd, width, {}, ofAll)) &&
      succeeded(body(fullEnd, laneMask(kernel, fullEnd, upper, width), {})));
}

LogicalResult forLanesOfPart(KernelBuilder &kernel, int64_t size, int64_t width,
                             LaneBody body) {
  Value begin = indexConstant(kernel, 0), upper = indexConstant(kernel, size);
  Value fullEnd = indexConstant(kernel, size - size % width);
  if (failed(
          forRange(kernel, begin, fullEnd, width, {},
                   [&](Value i, ValueRange v) { return body(i, Value(), v); })))
    return failure();
  Value mask = laneMask(kernel, fullEnd, upper, width);
  return success(size % width == 0 || succeeded(body(fullEnd, mask, {})));
}

SmallVector<Value> delinearize(KernelBuilder &kernel, Value position,
                               ArrayRef<AffineExpr> sizes) {
  ImplicitLocOpBuilder &b = kernel.b;
  SmallVector<Value> result(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    if (i == 0) {
      result[i] = position;
      break;
    }
    Value size = kernel.size(sizes[i]);
    result[i] = b.createOrFold<arith::RemUIOp>(position, size);
    position = b.createOrFold<arith::DivUIOp>(position, size);
  }
  return result;
}

} // namespace tensorc::codegen
