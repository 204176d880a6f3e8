//===- SelectAcross.cpp - Top-k with one row per lane ---------------------===//
//
// for each block of rows, one row per lane:
//   for each element that comes before the last kept element of its row:
//     insert it: shift the kept elements that come after it by one
//   store the kept elements
//
// An element is inserted after equal ones, which precede it in the row, so the
// selection is stable.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/SortOrder.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/emitters/simd/sort/parts/IndexCode.h"
#include "codegen/emitters/simd/sort/parts/PackedLanes.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Returns the number of lanes: those of a register, or fewer if there are
/// fewer contiguous rows.
static int64_t lanesOf(KernelBuilder &kernel, const AxisNest &nest,
                       SortOrder &order) {
  int64_t lanes =
      std::min<int64_t>(maxKeyLanes, kernel.target.getLanes(order.keyType()));
  std::optional<int64_t> rows = constantOf(nest.rowSizes().back());
  while (rows && lanes > 2 && lanes / 2 >= *rows)
    lanes /= 2;
  return lanes;
}

namespace {
class AcrossSkeleton : IndexCode {
public:
  AcrossSkeleton(KernelBuilder &kernel, const AxisNest &nest)
      : IndexCode(kernel), nest(nest), order(kernel, nest),
        space(kernel.names, nest.loops.sizes),
        lanes{nest.rowLoops.back(), lanesOf(kernel, nest, order)},
        block(lanes.width * kernel.scheduled("vectors")),
        kept(*constantOf(nest.storedLength)) {
    allocate();
  }

  FailureOr<KernelSpec> emit();

private:
  using Values = SmallVector<Value>;
  const AxisNest &nest;
  SortOrder order;
  analysis::IterationSpace space;
  ExpressionEmitter::Lanes lanes;
  /// `block`: number of rows of a work item. `kept`: number of elements that
  /// are kept per row.
  int64_t block, kept;
  int64_t bytes = 0;
  VectorType keyVector, positionVector;
  /// Kept elements: the j-th one of row r of the block is at index j * block +
  /// r. `positions` has the original positions, or is null if there is no
  /// argsort.
  Value keys, positions;

  /// An element per lane: a key and its original position, which may be null.
  struct Elements {
    Value key, position;
  };

  Value any(Value mask) {
    return vector::ReductionOp::create(b, vector::CombiningKind::OR, mask);
  }

  void allocate();
  Elements at(Value slot);
  void put(Value slot, const Elements &elements);
  Elements choose(Value mask, const Elements &x, const Elements &y);
  void insert(const Elements &x, Value last, Value taken);
  LogicalResult insertCandidate(Values dims, Value row, Value mask);
  LogicalResult storeKept(Values dims, Value slot, Value mask);
  LogicalResult
  forRows(Value lower, Value upper,
          function_ref<LogicalResult(Value row, Value mask)> body);
  LogicalResult selectBlock(Values dims, Value lower, Value upper);
};
} // namespace

void AcrossSkeleton::allocate() {
  Value count = index(kept * block);
  auto view = [&](VectorType type) -> Value {
    Type element = type.getElementType();
    Value from = index(bytes);
    bytes +=
        kept * block * llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
    return memref::ViewOp::create(
        b, MemRefType::get({ShapedType::kDynamic}, element), kernel.scratch(),
        from, count);
  };
  if (order.hasPositions()) {
    std::optional<int64_t> length = constantOf(nest.length());
    bool fits = length && *length <= std::numeric_limits<int32_t>::max();
    positionVector =
        VectorType::get({lanes.width}, fits ? b.getI32Type() : b.getI64Type());
    positions = view(positionVector);
  }
  keyVector = VectorType::get({lanes.width}, order.keyType());
  keys = view(keyVector);
}

AcrossSkeleton::Elements AcrossSkeleton::at(Value slot) {
  Elements result;
  result.key = vector::LoadOp::create(b, keyVector, keys, slot);
  if (positions)
    result.position =
        vector::LoadOp::create(b, positionVector, positions, slot);
  return result;
}

void AcrossSkeleton::put(Value slot, const Elements &elements) {
  vector::StoreOp::create(b, elements.key, keys, slot);
  if (positions)
    vector::StoreOp::create(b, elements.position, positions, slot);
}

AcrossSkeleton::Elements AcrossSkeleton::choose(Value mask, const Elements &x,
                                                const Elements &y) {
  Elements result;
  result.key = arith::SelectOp::create(b, mask, x.key, y.key);
  if (positions)
    result.position = arith::SelectOp::create(b, mask, x.position, y.position);
  return result;
}

/// Inserts x in the lanes that are set in `taken`. `last` is the index of the
/// last kept element, which is dropped, or of the first free slot. Elements
/// that come after x move by one slot. A lane is done as soon as the slot of
/// its x is found.
void AcrossSkeleton::insert(const Elements &x, Value last, Value taken) {
  Elements there = at(last);
  if (kept == 1)
    return put(last, choose(taken, x, there));
  SmallVector<Value> start{last, taken, there.key};
  if (positions)
    start.push_back(there.position);
  Value row = index(block);
  auto elementsOf = [](ValueRange state) {
    return Elements{state[2], state.size() > 3 ? state[3] : Value()};
  };
  auto loop = scf::WhileOp::create(
      b, TypeRange(ValueRange(start)), start,
      [&](OpBuilder &builder, Location, ValueRange state) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        Value hasLeft =
            arith::CmpIOp::create(b, arith::CmpIPredicate::uge, state[0], row);
        scf::ConditionOp::create(
            b, arith::AndIOp::create(b, hasLeft, any(state[1])), state);
      },
      [&](OpBuilder &builder, Location, ValueRange state) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        Value left = sub(state[0], row);
        Elements before = at(left);
        Value passes = arith::AndIOp::create(b, state[1],
                                             order.isBefore(x.key, before.key));
        put(state[0],
            choose(state[1], choose(passes, before, x), elementsOf(state)));
        SmallVector<Value> next{left, passes, before.key};
        if (positions)
          next.push_back(before.position);
        scf::YieldOp::create(b, next);
      });
  ValueRange end = loop.getResults();
  put(end[0], choose(end[1], x, elementsOf(end)));
}

/// Inserts the elements at `dims`, one per lane, each into its own row, if they
/// come before the last kept element of the row. The first `kept` elements of a
/// row are always inserted.
LogicalResult AcrossSkeleton::insertCandidate(Values dims, Value row,
                                              Value mask) {
  ExpressionEmitter elements(kernel, space, dims, lanes, mask);
  FailureOr<Value> key = order.load(elements);
  if (failed(key))
    return failure();
  Value i = dims[nest.axisLoop];
  Elements x{elements.splat(*key), {}};
  if (positions)
    x.position = vector::BroadcastOp::create(
        b, positionVector,
        arith::IndexCastOp::create(b, positionVector.getElementType(), i));
  Value last = b.createOrFold<arith::MinUIOp>(i, index(kept - 1));
  Value slot = add(times(last, index(block)), row);
  Value isOneOfFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, i, index(kept));
  auto maskType = VectorType::get({lanes.width}, b.getI1Type());
  Value taken = arith::OrIOp::create(
      b, vector::BroadcastOp::create(b, maskType, isOneOfFirst),
      order.isBefore(x.key, at(slot).key));
  // Lanes that are masked off hold undefined elements, so the results of their
  // comparisons are cleared.
  if (mask)
    taken = arith::SelectOp::create(
        b, mask, taken, arith::ConstantOp::create(b, b.getZeroAttr(maskType)));
  if (kept == 1) {
    insert(x, slot, taken);
    return success();
  }
  auto ifOp = scf::IfOp::create(b, any(taken), /*withElse=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  insert(x, slot, taken);
  return success();
}

LogicalResult AcrossSkeleton::storeKept(Values dims, Value slot, Value mask) {
  ExpressionEmitter elements(kernel, space, dims, lanes, mask);
  Elements x = at(slot);
  if (positions)
    x.position = arith::IndexCastOp::create(
        b, positionVector.clone(b.getIndexType()), x.position);
  return order.store(elements, x.key, x.position);
}

/// Emits a loop over vectors of rows. `row` is relative to the block's first
/// row.
LogicalResult AcrossSkeleton::forRows(
    Value lower, Value upper,
    function_ref<LogicalResult(Value row, Value mask)> body) {
  std::optional<int64_t> rows = constantOf(nest.loops.sizes[lanes.dim]);
  AffineExpr size;
  if (rows && *rows % block == 0)
    size = kernel.names.constant(block);
  return success(succeeded(
      forLanes(kernel, lower, upper, lanes.width, size, {},
               [&](Value i, Value mask, ValueRange) -> FailureOr<Values> {
                 if (failed(body(i, mask)))
                   return failure();
                 return Values();
               })));
}

LogicalResult AcrossSkeleton::selectBlock(Values dims, Value lower,
                                          Value upper) {
  auto forElements = [&](AffineExpr count, auto body) {
    return success(succeeded(
        forRange(kernel, index(0), kernel.size(count), 1, {},
                 [&](Value i, ValueRange) -> FailureOr<Values> {
                   dims[nest.axisLoop] = i;
                   if (failed(forRows(lower, upper, [&](Value row, Value mask) {
                         dims[lanes.dim] = row;
                         return body(i, sub(row, lower), mask);
                       })))
                     return failure();
                   return Values();
                 })));
  };
  if (failed(forElements(nest.length(), [&](Value, Value row, Value mask) {
        return insertCandidate(dims, row, mask);
      })))
    return failure();
  return forElements(nest.storedLength, [&](Value i, Value row, Value mask) {
    return storeKept(dims, add(times(i, index(block)), row), mask);
  });
}

FailureOr<KernelSpec> AcrossSkeleton::emit() {
  SmallVector<AffineExpr> work = nest.rowSizes();
  work.back() = kernel.names.simplify(work.back().ceilDiv(block));
  auto item = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, work);
    Value lower = times(at.back(), index(block));
    Value upper = b.createOrFold<arith::MinUIOp>(
        add(lower, index(block)), kernel.size(nest.loops.sizes[lanes.dim]));
    if (failed(selectBlock(nest.dimsOf(at), lower, upper)))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, item)))
    return failure();
  AffineExpr each = kernel.names.simplify(nest.length() * block);
  return kernel.finish(
      kernel.names.product(work),
      kernel.names.constant(kernel.costs().selectAcrossGrain).ceilDiv(each + 1),
      kernel.names.constant(bytes));
}

/// True if few elements are kept, and rows are either contiguous along the
/// lanes or short enough to gather their elements.
static bool matchAcross(KernelBuilder &fusion, tx::OrderAttr) {
  FailureOr<AxisNest> nest = AxisNest::create(fusion);
  if (failed(nest) || nest->rowLoops.empty() ||
      nest->storedLength == nest->length())
    return false;
  std::optional<int64_t> first = constantOf(nest->storedLength);
  std::optional<int64_t> length = constantOf(nest->length());
  SortOrder order(fusion, *nest);
  if (!first || *first < 1 || *first > fusion.costs().maxInsertedK ||
      order.keyType().isInteger(1) || lanesOf(fusion, *nest, order) < 2)
    return false;
  if (!nest->axisIsInnermost())
    return true;
  std::optional<int64_t> rows = constantOf(nest->rowSizes().back());
  return length && *length <= fusion.costs().maxGatheredLength &&
         (!rows || *rows >= lanesOf(fusion, *nest, order));
}

/// Returns the number of vectors of rows in a block: several if the kept
/// elements fit in L1 and there are still enough blocks for all threads.
static int64_t vectorsOf(KernelBuilder &fusion, const AxisNest &nest,
                         SortOrder &order) {
  const CpuCosts &costs = fusion.costs();
  if (nest.axisIsInnermost())
    return 1;
  int64_t lanes = lanesOf(fusion, nest, order);
  int64_t ofVector =
      lanes * *constantOf(nest.storedLength) *
      (llvm::divideCeil(order.keyType().getIntOrFloatBitWidth(), 8) + 4);
  SmallVector<AffineExpr> work = nest.rowSizes();
  work.back() = work.back().ceilDiv(lanes);
  std::optional<int64_t> inRow = constantOf(fusion.names.simplify(work.back()));
  std::optional<int64_t> all =
      constantOf(fusion.names.simplify(fusion.names.product(work)));
  int64_t vectors = 1;
  while (vectors < costs.maxSelectVectors &&
         2 * vectors * ofVector <= costs.maxKeptBytes &&
         (!inRow || vectors * 2 <= *inRow) &&
         (all ? vectors * 2 * costs.minSelectBlocks <= *all : vectors < 4))
    vectors *= 2;
  return vectors;
}

static FailureOr<Offers> offerVectors(KernelBuilder &fusion, tx::OrderAttr) {
  FailureOr<AxisNest> nest = AxisNest::create(fusion);
  if (failed(nest))
    return failure();
  SortOrder order(fusion, *nest);
  int64_t usual = vectorsOf(fusion, *nest, order);
  Offers offers{{{"vectors", usual}}};
  for (int64_t other :
       {int64_t(1), int64_t(4), fusion.costs().maxSelectVectors.value})
    if (other != usual)
      offers.push_back({{"vectors", other}});
  return offers;
}

static FailureOr<EmittedKernels> emitSelectAcross(KernelBuilder &kernel) {
  FailureOr<AxisNest> nest = AxisNest::create(kernel);
  if (failed(nest))
    return failure();
  return single(AcrossSkeleton(kernel, *nest).emit());
}

const Skeleton selectAcross = {"columns", tx::kinds::sort, matchAcross,
                               offerVectors, emitSelectAcross};

} // namespace tensorc::codegen::simd
