//===- ElementReads.cpp - Reads at computed indices -----------------------===//
//
// Emits ops that read an operand at computed indices (gather, slices at
// run-time offsets, searchsorted, …). Such operands are called "read anywhere"
// in ir/analysis/Indexing.h.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/ExpressionEmitter.h"
#include "codegen/emitters/scalar/ClampedStart.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/kernel/CpuCosts.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tensorc::codegen {

using analysis::Index;

class ElementReads {
public:
  explicit ElementReads(ExpressionEmitter &e) : e(e), b(e.b) {}

  FailureOr<Value> read(Operation *op, const Index &index);
  LogicalResult storeWindow(tx::DynamicUpdateSliceOp op, unsigned output);

private:
  ExpressionEmitter &e;
  ImplicitLocOpBuilder &b;

  FailureOr<Value> gather(tx::GatherOp op, const Index &index);
  FailureOr<Value> gatherOffset(tx::GatherOp op, const Index &index);
  void prefetchNextRowOf(tx::GatherOp op, Value row);
  FailureOr<Value> dynamicSlice(tx::DynamicSliceOp op, const Index &index);
  FailureOr<Value> dynamicUpdateSlice(tx::DynamicUpdateSliceOp op,
                                      const Index &index);
  FailureOr<Value> searchsorted(tx::SearchsortedOp op, const Index &index);
  /// Loads x at `index` plus `offset` elements. x must be an input in memory, a
  /// scalar or a splat.
  FailureOr<Value> readAtComputedIndex(Operation *op, Value x,
                                       const Index &index, Value offset);
  /// Returns an element of `starts`, the start of a slice along one dim,
  /// clamped to [0, highest]. `index` is its index in `starts`, `highest` the
  /// greatest valid start.
  FailureOr<Value> startOf(Value starts, const Index &index,
                           AffineExpr highest);
  /// Returns the offset in elements of a window of the given sizes in x: the
  /// sum over dims of the clamped start times the stride. Null if the offset is
  /// 0.
  FailureOr<Value> offsetOf(ValueRange starts, ArrayRef<AffineExpr> x,
                            ArrayRef<AffineExpr> sizes);
  Value addTo(Value sum, Value value);
};

FailureOr<Value> ElementReads::read(Operation *op, const Index &index) {
  return TypeSwitch<Operation *, FailureOr<Value>>(op)
      .Case([&](tx::GatherOp op) { return gather(op, index); })
      .Case([&](tx::DynamicSliceOp op) { return dynamicSlice(op, index); })
      .Case([&](tx::DynamicUpdateSliceOp op) {
        return dynamicUpdateSlice(op, index);
      })
      .Case([&](tx::SearchsortedOp op) { return searchsorted(op, index); })
      .Default([](Operation *op) {
        return op->emitError("cannot be read at computed indices");
      });
}

FailureOr<Value> ExpressionEmitter::readAtElements(Operation *op,
                                                   const Index &index) {
  return ElementReads(*this).read(op, index);
}

FailureOr<Value> ElementReads::startOf(Value starts, const Index &index,
                                       AffineExpr highest) {
  llvm::SaveAndRestore computes(e.prefetchesOnly, false);
  FailureOr<Value> start = e.emit(starts, index);
  if (failed(start))
    return failure();
  // An element that was emitted under a branch may be a vector although all its
  // lanes are equal.
  if (index.empty() && isa<VectorType>(start->getType()))
    start = Value(vector::ExtractOp::create(b, *start, 0));
  Type element = cast<RankedTensorType>(starts.getType()).getElementType();
  Value limit = arith::IndexCastOp::create(
      b, b.getI64Type(), e.indexValue(e.space.simplify(highest)));
  if (isa<VectorType>(start->getType()))
    limit = e.splat(limit);
  return clampStart(b, *start, element, limit);
}

Value ElementReads::addTo(Value sum, Value value) {
  if (!sum || !value)
    return sum ? sum : value;
  if (sum.getType() != value.getType()) {
    sum = e.splat(sum);
    value = e.splat(value);
  }
  return b.createOrFold<arith::AddIOp>(sum, value);
}

/// True if the row number depends only on loop indices and scalars, not on
/// loaded data: consecutive iterations then gather consecutive rows.
static bool isOfLoops(Value v) {
  SmallVector<Value> left{v};
  DenseSet<Value> seen;
  while (!left.empty()) {
    Operation *op = left.pop_back_val().getDefiningOp();
    if (!op)
      continue;
    if (op->getNumRegions() || !isPure(op))
      return false;
    for (Value operand : op->getOperands())
      if (seen.insert(operand).second)
        left.push_back(operand);
  }
  return true;
}

/// Prefetches the part of row + 1 that corresponds to the current lanes.
/// Gathers are slow, and without prefetches a core has only a few cache lines
/// in flight.
void ElementReads::prefetchNextRowOf(tx::GatherOp op, Value row) {
  auto x = dyn_cast<BlockArgument>(op.getX());
  if (!x || !e.lanes || e.prefetchesOnly || e.kernel.target.isSimt() || !row ||
      isa<VectorType>(row.getType()) || !isOfLoops(row))
    return;
  auto type = cast<RankedTensorType>(x.getType());
  auto steps = dyn_cast<AffineConstantExpr>(e.space.getSizes()[e.lanes->dim]);
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  if (!steps || !type.hasStaticShape() || type.getNumElements() == 0 ||
      type.getNumElements() * bytes < e.kernel.costs().residentBytes)
    return;
  int64_t elements = type.getShape().back();
  int64_t perLine = e.kernel.target.getCacheLineBytes() / bytes;
  if (elements * bytes > e.kernel.costs().maxGatheredRowBytes ||
      steps.getValue() * perLine < elements ||
      steps.getValue() > elements * perLine)
    return;
  int64_t each = llvm::divideCeil(elements, steps.getValue());
  Value lane = e.dimValues[e.lanes->dim];
  Value first = b.createOrFold<arith::AddIOp>(
      row, b.createOrFold<arith::MulIOp>(
               lane, arith::ConstantIndexOp::create(b, each)));
  for (int64_t i = 0; i < e.lanes->width * each; i += perLine)
    memref::PrefetchOp::create(
        b, e.kernel.buffer(x),
        b.createOrFold<arith::AddIOp>(
            first, arith::ConstantIndexOp::create(b, elements + i)),
        /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
}

/// Returns the offset in elements of the gathered slice: the sum of the clamped
/// starts times the strides of their dims.
FailureOr<Value> ElementReads::gatherOffset(tx::GatherOp op,
                                            const Index &index) {
  SmallVector<AffineExpr> dims = e.kernel.dims(op.getX());
  Value sum;
  for (auto [k, d] : llvm::enumerate(op.getStartIndexMap())) {
    int64_t size = op.getSliceSizes()[d];
    if (size == -1)
      continue; // the start is 0
    FailureOr<Value> at = startOf(
        op.getIndices(), analysis::indexVectorIndex(op, index, k, e.space),
        dims[d] - size);
    if (failed(at))
      return failure();
    Value stride = e.indexValue(
        e.space.getNames().product(ArrayRef(dims).drop_front(d + 1)));
    if (isa<VectorType>(at->getType())) {
      stride = e.splat(stride);
      if (d + 1 == static_cast<int64_t>(dims.size()) && size == 1)
        prefetchNextRowOf(op, sum);
    }
    sum = addTo(sum, b.createOrFold<arith::MulIOp>(*at, stride));
  }
  return sum;
}

FailureOr<Value> ElementReads::readAtComputedIndex(Operation *op, Value x,
                                                   const Index &index,
                                                   Value offset) {
  auto input = dyn_cast<BlockArgument>(x);
  // No offset is needed, because all elements of a splat are equal and a scalar
  // has only one.
  if (input ? e.kernel.scalar(input) : x.getDefiningOp<tx::ConstantOp>())
    return e.emit(x, index);
  if (!input)
    return op->emitError("what is read at computed indices must be in memory");
  AffineExpr position = e.space.linearize(index, e.kernel.dims(input));
  return e.loadAt(e.kernel.buffer(input), position, offset);
}

FailureOr<Value> ElementReads::gather(tx::GatherOp op, const Index &index) {
  FailureOr<Value> offset = gatherOffset(op, index);
  if (failed(offset))
    return failure();
  auto operands = analysis::operandIndexing(
      op, index, e.space, [&](Value s) { return e.symbolOf(s); });
  return readAtComputedIndex(op, op.getX(), operands[0].index, *offset);
}

FailureOr<Value> ElementReads::offsetOf(ValueRange starts,
                                        ArrayRef<AffineExpr> x,
                                        ArrayRef<AffineExpr> sizes) {
  Value offset;
  for (auto [d, size] : llvm::enumerate(sizes)) {
    if (size == x[d])
      continue; // the start is 0
    FailureOr<Value> start = startOf(starts[d], {}, x[d] - size);
    if (failed(start))
      return failure();
    Value stride =
        e.indexValue(e.space.getNames().product(x.drop_front(d + 1)));
    offset = addTo(offset, b.createOrFold<arith::MulIOp>(*start, stride));
  }
  return offset;
}

FailureOr<Value> ElementReads::dynamicSlice(tx::DynamicSliceOp op,
                                            const Index &index) {
  SmallVector<AffineExpr> dims = e.kernel.dims(op.getX());
  FailureOr<Value> offset =
      offsetOf(op.getStarts(), dims, e.kernel.dims(op.getResult()));
  if (failed(offset))
    return failure();
  return readAtComputedIndex(op, op.getX(), index, *offset);
}

/// Selects the update if start <= index < start + size in all dims, else x.
FailureOr<Value> ElementReads::dynamicUpdateSlice(tx::DynamicUpdateSliceOp op,
                                                  const Index &index) {
  SmallVector<AffineExpr> dims = e.kernel.dims(op.getX());
  SmallVector<AffineExpr> sizes = e.kernel.dims(op.getUpdate());
  Value uniform, byLane, offset;
  for (auto [d, size] : llvm::enumerate(sizes)) {
    if (size == dims[d])
      continue; // the start is 0
    FailureOr<Value> start = startOf(op.getStarts()[d], {}, dims[d] - size);
    if (failed(start))
      return failure();
    bool varies = e.variesByLane(index[d]);
    Value at = varies ? e.laneIndex(index[d]) : e.indexValue(index[d]);
    Value first = *start, count = e.indexValue(size);
    // The comparison is unsigned, so that it also rejects indices below the
    // start.
    Value inside = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ult,
        b.createOrFold<arith::SubIOp>(at, varies ? e.splat(first) : first),
        varies ? e.splat(count) : count);
    Value &all = varies ? byLane : uniform;
    all = all ? arith::AndIOp::create(b, all, inside) : inside;
    Value stride = e.indexValue(
        e.space.getNames().product(ArrayRef(sizes).drop_front(d + 1)));
    Value back = b.createOrFold<arith::SubIOp>(
        arith::ConstantIndexOp::create(b, 0),
        b.createOrFold<arith::MulIOp>(first, stride));
    offset = addTo(offset, back);
  }
  return e.conditional(
      uniform, byLane, kernelType(op.getType().getElementType()),
      [&] { return readAtComputedIndex(op, op.getUpdate(), index, offset); },
      [&] { return e.emit(op.getX(), index); });
}

LogicalResult ElementReads::storeWindow(tx::DynamicUpdateSliceOp op,
                                        unsigned output) {
  SmallVector<AffineExpr> dims = e.kernel.dims(op.getX());
  SmallVector<AffineExpr> sizes = e.kernel.dims(op.getUpdate());
  Index index = e.space.identity();
  FailureOr<Value> element = e.emit(op.getUpdate(), index);
  if (failed(element))
    return failure();
  FailureOr<Value> offset = offsetOf(op.getStarts(), dims, sizes);
  if (failed(offset))
    return failure();
  Value position = addTo(e.indexValue(e.space.linearize(index, dims)), *offset);
  Value buffer = e.kernel.output(output);
  if (!e.lanes)
    memref::StoreOp::create(b, *element, buffer, position);
  else if (e.mask)
    vector::MaskedStoreOp::create(b, buffer, position, e.mask,
                                  e.splat(*element));
  else
    vector::StoreOp::create(b, e.splat(*element), buffer, position);
  return success();
}

LogicalResult ExpressionEmitter::storeWindow(tx::DynamicUpdateSliceOp op,
                                             unsigned output) {
  return ElementReads(*this).storeWindow(op, output);
}

/// Emits a binary search with a fixed number of steps. In each step, `count`
/// candidates remain from `low` on, and x is compared with the last candidate
/// of their first half.
FailureOr<Value> ElementReads::searchsorted(tx::SearchsortedOp op,
                                            const Index &index) {
  auto operands = analysis::operandIndexing(
      op, index, e.space, [&](Value s) { return e.symbolOf(s); });
  FailureOr<Value> x = e.emit(op.getX(), operands[1].index);
  if (failed(x))
    return failure();
  Type element = op.getX().getType().getElementType(), key = x->getType();
  bool widened =
      isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  auto keyOf = [&](Value v) -> Value {
    Type wide = shapedLike(b.getF32Type(), v.getType());
    return widened ? Value(arith::ExtFOp::create(b, wide, v)) : v;
  };
  bool byLane = isa<VectorType>(key) || e.variesByLane(operands[0].index);
  Value value = keyOf(byLane ? e.splat(*x) : *x);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value size = e.indexValue(e.kernel.dims(op.getSorted()).back());
  LogicalResult made = success();
  SmallVector<Value, 2> begin{byLane ? e.splat(zero) : zero, size};
  auto loop = scf::WhileOp::create(
      b, TypeRange(ValueRange(begin)), begin,
      [&](OpBuilder &builder, Location loc, ValueRange at) {
        Value more = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ugt, at[1], zero);
        scf::ConditionOp::create(builder, loc, more, at);
      },
      [&](OpBuilder &builder, Location, ValueRange at) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        Value low = at[0], rest = arith::ShRUIOp::create(b, at[1], one);
        Value half = arith::SubIOp::create(b, at[1], rest);
        Value following =
            arith::AddIOp::create(b, low, byLane ? e.splat(half) : half);
        Value last =
            arith::SubIOp::create(b, following, byLane ? e.splat(one) : one);
        FailureOr<Value> met = e.scoped([&] {
          return readAtComputedIndex(op, op.getSorted(), operands[0].index,
                                     last);
        });
        if (failed(met)) {
          made = failure();
          return;
        }
        Value found = keyOf(byLane ? e.splat(*met) : *met);
        Value before = op.getRight()
                           ? comesBefore(b, b.getLoc(), element, value, found)
                           : comesBefore(b, b.getLoc(), element, found, value);
        low = op.getRight()
                  ? arith::SelectOp::create(b, before, low, following)
                  : arith::SelectOp::create(b, before, following, low);
        scf::YieldOp::create(b, ValueRange{low, rest});
      });
  if (failed(made))
    return failure();
  Value position = loop.getResult(0);
  return Value(arith::IndexCastOp::create(
      b, shapedLike(b.getI64Type(), position.getType()), position));
}

} // namespace tensorc::codegen
