//===- Scan.cpp - Scans on CPUs -------------------------------------------===//
//
// row:    for each row, with lanes along it:
//           result = base + (running + prefixes of the lanes)
// column: with lanes across contiguous rows, element by element:
//           result = base + running
//
// `base` combines all elements before the current chunk of the row. `running`
// combines the chunk's elements before the current one (or vector). So the
// order of additions depends only on the shape. If there are few long rows,
// their chunks are computed in parallel by three kernels: totals of chunks,
// prefixes of totals, results.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/plans/ScanPlan.h"
#include "codegen/emitters/simd/Skeletons.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Number of logical lanes along a row. It is part of the order, so it does not
/// depend on the target's registers.
static constexpr int64_t rowLanes = 16;
/// Number of elements in a chunk. It is part of the order.
static constexpr int64_t orderedSteps = 4096;

namespace {
class ScanSkeleton : ScanPlan {
public:
  /// `columnLanes` is the number of contiguous rows that are computed as lanes.
  ScanSkeleton(KernelBuilder &kernel, AxisNest axisNest, tx::OrderAttr order,
               int64_t columnLanes)
      : ScanPlan(kernel, std::move(axisNest)), isRow(nest.axisIsInnermost()),
        chunkSteps(order.getChunk()) {
    if (isRow)
      lanes = {nest.axisLoop, order.getLanes().front()};
    else
      lanes = {nest.rowLoops.back(), columnLanes};
  }

  bool wantsSplit();
  SmallVector<KernelSpec::Temporary> temporaries();
  FailureOr<KernelSpec> emit();
  FailureOr<KernelSpec> emitTotals();
  FailureOr<KernelSpec> emitBases();
  FailureOr<KernelSpec> emitChunks();

private:
  bool isRow;
  int64_t chunkSteps;
  ExpressionEmitter::Lanes lanes;

  AffineExpr constant(int64_t v) { return kernel.names.constant(v); }
  AffineExpr chunks() {
    return kernel.names.simplify(nest.length().ceilDiv(chunkSteps));
  }
  SmallVector<AffineExpr> workSizes();
  AffineExpr items() { return kernel.names.product(workSizes()); }
  AffineExpr grain(AffineExpr steps);

  /// Returns the neutral state: a scalar for a row, a vector for columns.
  Value nothing() { return combiner.neutral(isRow ? 0 : lanes.width)[0]; }
  FailureOr<Value> lanePrefix(Value lane);
  Value shiftLanes(Value lane, int64_t by);

  FailureOr<Value> element(ExpressionEmitter &elements);
  LogicalResult storeResult(ExpressionEmitter &elements, Value base,
                            Value state);
  /// Scans one vector, and returns the running state after it. Stores the
  /// outputs unless `base` is null.
  FailureOr<Value> rowStep(const Values &dims, Value mask, Value running,
                           Value base);
  FailureOr<Value> columnStep(const Values &dims, Value mask, Value running,
                              Value base);
  FailureOr<Value> chunk(const Values &dims, Value mask, Value lower,
                         Value upper, AffineExpr size, Value base);
  FailureOr<Value> chunkAt(const Values &dims, Value mask, Value which,
                           Value base);

  using ItemBody = function_ref<LogicalResult(Value item, Value chunk,
                                              const Values &dims, Value mask)>;
  /// Emits the kernel's loop over work items. These are rows (or vectors of
  /// rows), or chunks of them if `byChunks` is set.
  LogicalResult forItems(bool byChunks, ItemBody body);
  LogicalResult atItem(ArrayRef<Value> work,
                       function_ref<LogicalResult(const Values &, Value)> body);
  void storeState(Value state, Value position);
  Value loadState(Value position);
};
} // namespace

/// Returns the number of lanes for columns: those of four registers, or fewer
/// if there are fewer rows.
static int64_t columnLanes(KernelBuilder &kernel, const AxisNest &nest) {
  int64_t width = 4 * registerLanes(kernel);
  auto size = dyn_cast<AffineConstantExpr>(nest.rowSizes().back());
  while (size && width > 1 && width / 2 >= size.getValue())
    width /= 2;
  return std::max<int64_t>(width, 2);
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

static Value splat(ImplicitLocOpBuilder &b, Value v, int64_t width) {
  if (isa<VectorType>(v.getType()))
    return v;
  return vector::BroadcastOp::create(b, VectorType::get({width}, v.getType()),
                                     v);
}

/// Shifts the vector by `by` lanes in the direction of the scan. The lanes that
/// become free are neutral.
Value ScanSkeleton::shiftLanes(Value lane, int64_t by) {
  int64_t width = lanes.width;
  SmallVector<int64_t> from(width);
  for (int64_t l = 0; l < width; ++l) {
    int64_t source = reverse ? l + by : l - by;
    from[l] = source >= 0 && source < width ? source : width;
  }
  Value neutral = combiner.neutral(width)[0];
  return vector::ShuffleOp::create(b, lane, neutral, from);
}

FailureOr<Value> ScanSkeleton::lanePrefix(Value lane) {
  for (int64_t by = 1; by < lanes.width; by *= 2) {
    FailureOr<Value> next = combine(shiftLanes(lane, by), lane);
    if (failed(next))
      return failure();
    lane = *next;
  }
  return lane;
}

//===----------------------------------------------------------------------===//
// One vector
//===----------------------------------------------------------------------===//

FailureOr<Value> ScanSkeleton::element(ExpressionEmitter &elements) {
  FailureOr<Value> value = elements.emitLanes(nest.operand(), nest.loops.index);
  if (failed(value))
    return failure();
  return combiner.of(*value, {})[0];
}

LogicalResult ScanSkeleton::storeResult(ExpressionEmitter &elements, Value base,
                                        Value state) {
  FailureOr<Value> combined = combine(splat(b, base, lanes.width), state);
  if (failed(combined))
    return failure();
  elements.bindValue(op->getResult(0), combiner.result(*combined));
  return elements.storeOutputs(nest.loops.index);
}

FailureOr<Value> ScanSkeleton::rowStep(const Values &dims, Value mask,
                                       Value running, Value base) {
  ExpressionEmitter elements(kernel, space, dims, lanes, mask);
  FailureOr<Value> value = element(elements);
  if (failed(value))
    return failure();
  if (mask)
    value = Value(arith::SelectOp::create(b, mask, *value,
                                          combiner.neutral(lanes.width)[0]));
  FailureOr<Value> prefix = lanePrefix(*value);
  if (failed(prefix))
    return failure();
  Value before = splat(b, running, lanes.width);
  FailureOr<Value> state = combine(before, *prefix);
  if (failed(state))
    return failure();
  if (base) {
    FailureOr<Value> scanned =
        exclusive ? combine(before, shiftLanes(*prefix, 1)) : state;
    if (failed(scanned) || failed(storeResult(elements, base, *scanned)))
      return failure();
  }
  int64_t last = reverse ? 0 : lanes.width - 1;
  return Value(vector::ExtractOp::create(b, *state, ArrayRef<int64_t>{last}));
}

FailureOr<Value> ScanSkeleton::columnStep(const Values &dims, Value mask,
                                          Value running, Value base) {
  ExpressionEmitter elements(kernel, space, dims, lanes, mask);
  FailureOr<Value> value = element(elements);
  if (failed(value))
    return failure();
  FailureOr<Value> state = combine(running, *value);
  if (failed(state) ||
      (base &&
       failed(storeResult(elements, base, exclusive ? running : *state))))
    return failure();
  return state;
}

//===----------------------------------------------------------------------===//
// Chunks of a row
//===----------------------------------------------------------------------===//

/// Scans [lower, upper) of the row and returns its total. Stores the outputs
/// unless `base` is null.
FailureOr<Value> ScanSkeleton::chunk(const Values &dims, Value mask,
                                     Value lower, Value upper, AffineExpr size,
                                     Value base) {
  Values at = dims;
  int64_t width = isRow ? lanes.width : 1;
  auto step = [&](Value i, Value laneMask,
                  ValueRange running) -> FailureOr<Values> {
    at[nest.axisLoop] = i;
    FailureOr<Value> next = isRow ? rowStep(at, laneMask, running[0], base)
                                  : columnStep(at, laneMask, running[0], base);
    if (failed(next))
      return failure();
    return Values{*next};
  };
  auto constantSize = dyn_cast_or_null<AffineConstantExpr>(size);
  bool isFull =
      !isRow || (constantSize && constantSize.getValue() % width == 0);
  FailureOr<Values> total;
  if (!reverse && isRow) {
    total = forLanes(kernel, lower, upper, width, size, nothing(), step);
  } else {
    // In a reverse scan, the incomplete vector comes first.
    Value extent = b.createOrFold<arith::SubIOp>(upper, lower);
    Value count = b.createOrFold<arith::CeilDivUIOp>(
        extent, indexConstant(kernel, width));
    total = forRange(
        kernel, indexConstant(kernel, 0), count, 1, nothing(),
        [&](Value t, ValueRange running) {
          Value i = b.createOrFold<arith::AddIOp>(
              lower, b.createOrFold<arith::MulIOp>(
                         inOrder(t, count), indexConstant(kernel, width)));
          Value laneMask =
              isFull ? mask : codegen::laneMask(kernel, i, upper, width);
          return step(i, laneMask, running);
        });
  }
  if (failed(total))
    return failure();
  return (*total)[0];
}

FailureOr<Value> ScanSkeleton::chunkAt(const Values &dims, Value mask,
                                       Value which, Value base) {
  auto known = dyn_cast<AffineConstantExpr>(nest.length());
  bool even = known && known.getValue() % chunkSteps == 0;
  Value size = kernel.size(nest.length());
  Value steps = indexConstant(kernel, chunkSteps);
  Value lower = b.createOrFold<arith::MulIOp>(which, steps);
  Value upper = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(lower, steps), size);
  return chunk(dims, mask, lower, upper,
               even ? constant(chunkSteps) : AffineExpr(), base);
}

//===----------------------------------------------------------------------===//
// Work items
//===----------------------------------------------------------------------===//

SmallVector<AffineExpr> ScanSkeleton::workSizes() {
  SmallVector<AffineExpr> work = nest.rowSizes();
  if (!isRow)
    work.back() = kernel.names.simplify(work.back().ceilDiv(lanes.width));
  return work;
}

AffineExpr ScanSkeleton::grain(AffineExpr steps) {
  AffineExpr each = kernel.names.simplify(steps * (isRow ? 1 : lanes.width));
  return constant(kernel.costs().taskElements).ceilDiv(each + 1);
}

LogicalResult
ScanSkeleton::atItem(ArrayRef<Value> work,
                     function_ref<LogicalResult(const Values &, Value)> body) {
  Values dims = nest.dimsOf(work);
  if (isRow)
    return body(dims, {});
  AffineExpr inner = nest.loops.sizes[lanes.dim];
  Value width = indexConstant(kernel, lanes.width);
  Value lower = b.createOrFold<arith::MulIOp>(work.back(), width);
  Value upper = b.createOrFold<arith::MinUIOp>(
      b.createOrFold<arith::AddIOp>(lower, width), kernel.size(inner));
  auto known = dyn_cast<AffineConstantExpr>(inner);
  bool even = known && known.getValue() % lanes.width == 0;
  return forLanes(kernel, lower, upper, lanes.width,
                  even ? constant(lanes.width) : AffineExpr(), {},
                  [&](Value i, Value mask, ValueRange) -> FailureOr<Values> {
                    dims[lanes.dim] = i;
                    if (failed(body(dims, mask)))
                      return failure();
                    return Values();
                  });
}

LogicalResult ScanSkeleton::forItems(bool byChunks, ItemBody body) {
  SmallVector<AffineExpr> sizes = workSizes();
  if (byChunks)
    sizes.insert(sizes.begin(), chunks());
  return forRange(kernel, kernel.begin(), kernel.end(), 1, {},
                  [&](Value item, ValueRange) -> FailureOr<Values> {
                    Values at = delinearize(kernel, item, sizes);
                    Value which = byChunks ? at.front() : Value();
                    auto one = [&](const Values &dims, Value mask) {
                      return body(item, which, dims, mask);
                    };
                    if (failed(atItem(ArrayRef(at).drop_front(byChunks), one)))
                      return failure();
                    return Values();
                  });
}

FailureOr<KernelSpec> ScanSkeleton::emit() {
  auto known = dyn_cast<AffineConstantExpr>(nest.length());
  bool isOne = known && known.getValue() <= chunkSteps;
  auto done = forItems(
      false,
      [&](Value, Value, const Values &dims, Value mask) -> LogicalResult {
        if (isOne)
          return chunk(dims, mask, indexConstant(kernel, 0),
                       kernel.size(nest.length()), nest.length(), nothing());
        Value count = kernel.size(chunks());
        return forRange(kernel, indexConstant(kernel, 0), count, 1, nothing(),
                        [&](Value i, ValueRange base) -> FailureOr<Values> {
                          FailureOr<Value> total =
                              chunkAt(dims, mask, inOrder(i, count), base[0]);
                          if (failed(total))
                            return failure();
                          FailureOr<Value> next = combine(base[0], *total);
                          if (failed(next))
                            return failure();
                          return Values{*next};
                        });
      });
  if (failed(done))
    return failure();
  return kernel.finish(items(), grain(nest.length()));
}

//===----------------------------------------------------------------------===//
// Few long rows
//===----------------------------------------------------------------------===//

bool ScanSkeleton::wantsSplit() {
  auto count = dyn_cast<AffineConstantExpr>(items());
  auto length = dyn_cast<AffineConstantExpr>(nest.length());
  return count && count.getValue() <= kernel.costs().maxSplitItems &&
         (!length ||
          length.getValue() > kernel.costs().minSplitParts * chunkSteps);
}

/// Returns a temporary of shape [chunk, item, lane] for the totals of chunks.
SmallVector<KernelSpec::Temporary> ScanSkeleton::temporaries() {
  AffineExpr count = chunks() * items() * (isRow ? 1 : lanes.width);
  return {{combiner.stateTypes()[0], kernel.names.simplify(count)}};
}

void ScanSkeleton::storeState(Value state, Value position) {
  if (isRow)
    memref::StoreOp::create(b, state, kernel.temporary(0), position);
  else
    vector::StoreOp::create(b, state, kernel.temporary(0),
                            b.createOrFold<arith::MulIOp>(
                                position, indexConstant(kernel, lanes.width)));
}

Value ScanSkeleton::loadState(Value position) {
  if (isRow)
    return memref::LoadOp::create(b, kernel.temporary(0), position);
  auto type = VectorType::get({lanes.width}, combiner.stateTypes()[0]);
  return vector::LoadOp::create(
      b, type, kernel.temporary(0),
      b.createOrFold<arith::MulIOp>(position,
                                    indexConstant(kernel, lanes.width)));
}

FailureOr<KernelSpec> ScanSkeleton::emitTotals() {
  auto done = forItems(true,
                       [&](Value item, Value which, const Values &dims,
                           Value mask) -> LogicalResult {
                         FailureOr<Value> total =
                             chunkAt(dims, mask, which, /*base=*/{});
                         if (failed(total))
                           return failure();
                         storeState(*total, item);
                         return success();
                       });
  if (failed(done))
    return failure();
  return kernel.finish(kernel.names.simplify(chunks() * items()), constant(1));
}

/// Replaces the total of each chunk by the combined totals of all chunks before
/// it.
FailureOr<KernelSpec> ScanSkeleton::emitBases() {
  Value rows = kernel.size(items()), count = kernel.size(chunks());
  auto row = [&](Value item, ValueRange) -> FailureOr<Values> {
    auto done =
        forRange(kernel, indexConstant(kernel, 0), count, 1, nothing(),
                 [&](Value i, ValueRange base) -> FailureOr<Values> {
                   Value first =
                       b.createOrFold<arith::MulIOp>(inOrder(i, count), rows);
                   Value position = b.createOrFold<arith::AddIOp>(first, item);
                   Value total = loadState(position);
                   storeState(base[0], position);
                   FailureOr<Value> next = combine(base[0], total);
                   if (failed(next))
                     return failure();
                   return Values{*next};
                 });
    if (failed(done))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, row)))
    return failure();
  return kernel.finish(items(), constant(1));
}

FailureOr<KernelSpec> ScanSkeleton::emitChunks() {
  auto done = forItems(true,
                       [&](Value item, Value which, const Values &dims,
                           Value mask) -> LogicalResult {
                         return chunkAt(dims, mask, which, loadState(item));
                       });
  if (failed(done))
    return failure();
  return kernel.finish(kernel.names.simplify(chunks() * items()), constant(1));
}

/// Offers one kernel and three kernels, the better choice first, for each
/// number of column lanes.
static FailureOr<Offers> offerScan(KernelBuilder &fusion, tx::OrderAttr order) {
  FailureOr<AxisNest> nest = AxisNest::create(fusion);
  if (failed(nest))
    return failure();
  bool isRow = nest->axisIsInnermost();
  int64_t maxLanes = isRow ? 1 : columnLanes(fusion, *nest);
  Offers offers;
  for (int64_t lanes = maxLanes; lanes >= (isRow ? 1 : 2); lanes /= 2) {
    bool split = ScanSkeleton(fusion, *nest, order, lanes).wantsSplit();
    for (bool three : {split, !split}) {
      Numbers numbers{{"kernels", three ? 3 : 1}};
      if (!isRow)
        numbers.push_back({"lanes", lanes});
      offers.push_back(std::move(numbers));
    }
  }
  return offers;
}

static FailureOr<EmittedKernels> emitScan(KernelBuilder &kernel) {
  FailureOr<AxisNest> nest = AxisNest::create(kernel);
  if (failed(nest))
    return failure();
  tx::OrderAttr order = kernel.fusion.getOrderAttr();
  int64_t lanes = nest->axisIsInnermost() ? 1 : kernel.scheduled("lanes");
  ScanSkeleton skeleton(kernel, *nest, order, lanes);
  if (kernel.scheduled("kernels") == 1)
    return single(skeleton.emit());
  EmittedKernels result;
  result.temporaries = skeleton.temporaries();
  KernelBuilder first(kernel, "_totals"), second(kernel, "_bases");
  for (KernelBuilder *each : {&first, &second, &kernel})
    each->addTemporaries(result.temporaries);
  FailureOr<KernelSpec> totals =
      ScanSkeleton(first, *nest, order, lanes).emitTotals();
  FailureOr<KernelSpec> bases =
      ScanSkeleton(second, *nest, order, lanes).emitBases();
  FailureOr<KernelSpec> last = skeleton.emitChunks();
  if (failed(totals) || failed(bases) || failed(last))
    return failure();
  result.launches = {*totals, *bases, *last};
  return result;
}

FailureOr<tx::OrderAttr> scanOrder(KernelBuilder &fusion) {
  FailureOr<AxisNest> nest = AxisNest::create(fusion);
  if (failed(nest))
    return failure();
  int64_t lanes = nest->axisIsInnermost() ? rowLanes : 1;
  return tx::OrderAttr::get(fusion.b.getContext(), chunksOrder, lanes,
                            orderedSteps, 0);
}

const Skeleton scan = {"scan",    tx::kinds::scan, matchAll,
                       offerScan, emitScan,        scanOrder};

} // namespace tensorc::codegen::simd
