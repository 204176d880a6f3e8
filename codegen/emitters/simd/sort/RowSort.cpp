//===- RowSort.cpp - Sorts rows in a thread's scratch memory --------------===//

#include "codegen/emitters/simd/sort/RowSort.h"
#include "codegen/emitters/simd/sort/parts/MergeSort.h"
#include "codegen/emitters/simd/sort/parts/OrderedRows.h"
#include "codegen/emitters/simd/sort/parts/RankSort.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// A length that is greater than that of any row. As a minimum length it
/// disables an algorithm.
static constexpr int64_t never = int64_t(1) << 31;

/// Lays out scratch memory: counters of keys or digits, stack and buffer of the
/// partition, lists of runs, original positions (only for an argsort), keys. In
/// this order alignments do not increase, so no padding is needed.
RowSort::RowSort(KernelBuilder &kernel, const AxisNest &nest, SortOrder &order,
                 AffineExpr capacity, int64_t spare)
    : IndexCode(kernel), order(order), elements(kernel, nest, order),
      buffers(kernel), digitsFrom(kernel.scheduled("digits_from")),
      networkFrom(kernel.scheduled("network_from")) {
  int64_t partitionFrom = kernel.scheduled("partition_from");
  auto known = dyn_cast<AffineConstantExpr>(capacity);
  int64_t maxLength = known ? known.getValue() : never;
  AffineExpr keys = capacity * 2 + spare;
  bool hasNetwork = networkFrom < std::min(digitsFrom, maxLength + 1);
  bool hasParts = hasNetwork && partitionFrom <= maxLength;
  if (hasNetwork) {
    int64_t its =
        hasParts ? Partition::spareKeys(kernel, order)
                 : SortNetwork::keysFor(kernel, order,
                                        std::min(maxLength, digitsFrom - 1));
    if (hasParts)
      keys = keys + its;
    else
      keys = known ? kernel.names.constant(std::max(2 * maxLength + spare, its))
                   : keys + its;
    // Rows with equal keys of different bits are sorted stably, whatever their
    // length, so merging and the radix sort must handle these lengths too.
    digitsFrom = std::min(digitsFrom, RadixSort::shortestRow(order));
  }
  bool hasDigits = maxLength >= digitsFrom;
  bool hasCounting = hasDigits && CountingSort::supports(order) &&
                     maxLength >= CountingSort::shortestRow(order);
  int64_t counters = hasDigits ? RadixSort::counterBytes(order) : 0;
  if (hasCounting)
    counters = std::max(counters, CountingSort::counterBytes(order));
  int64_t room = hasParts ? Partition::roomBytes(kernel, order) : 0;
  int64_t ofRuns =
      MergedRuns::supports(kernel, nest) ? MergedRuns::scratchBytes(kernel) : 0;
  Value count = kernel.size(keys);
  auto view = [&](Type type, Value byte) -> Value {
    return memref::ViewOp::create(b,
                                  MemRefType::get({ShapedType::kDynamic}, type),
                                  kernel.scratch(), byte, count);
  };
  if (ofRuns)
    runs.emplace(elements, counters + room);
  Value offset = index(counters + room + ofRuns);
  int64_t width = llvm::divideCeil(order.keyType().getIntOrFloatBitWidth(), 8);
  if (order.hasPositions()) {
    buffers.positions = view(b.getI64Type(), offset);
    offset = b.createOrFold<arith::AddIOp>(
        offset, b.createOrFold<arith::MulIOp>(count, index(8)));
    width += 8;
  }
  buffers.keys = view(order.keyType(), offset);
  if (hasDigits)
    radix.emplace(kernel, order, buffers, index(0));
  if (hasCounting)
    counting.emplace(kernel, order, buffers, index(0));
  if (hasNetwork)
    network.emplace(kernel, order, offset, count);
  if (hasParts)
    partition.emplace(kernel, order, *network, counters, offset, count);
  size = keys * width + counters + room + ofRuns;
}

Offers RowSort::offers(KernelBuilder &fusion, const AxisNest &nest) {
  const CpuCosts &costs = fusion.costs();
  SortOrder order(fusion, nest);
  int64_t usual = RadixSort::shortestRow(order);
  Offers offers;
  auto offer = [&](int64_t network, int64_t parts, int64_t digits) {
    offers.push_back({{"network_from", network},
                      {"partition_from", parts},
                      {"digits_from", digits}});
  };
  if (Partition::supports(fusion, order))
    offer(costs.minNetworkLength, Partition::longestPart(fusion, order) + 1,
          never);
  if (SortNetwork::supports(fusion, order)) {
    offer(costs.minNetworkLength, never, costs.maxNetworkLength);
    offer(1, never, costs.maxNetworkLength);
  }
  for (int64_t digits : {usual, int64_t(1), never})
    offer(never, never, digits);
  return offers;
}

LogicalResult RowSort::load(Values dims) {
  return elements.forRow(
      dims, elements.nest.length(),
      [&](ExpressionEmitter &emitter, Value i, int64_t width) -> LogicalResult {
        FailureOr<Value> key = order.load(emitter);
        if (failed(key))
          return failure();
        if (width > 1)
          buffers.putLanes(i, *key);
        else
          buffers.put(i, *key, i);
        return success();
      });
}

LogicalResult RowSort::store(Values dims, Value from) {
  return elements.forRow(
      dims, elements.nest.storedLength,
      [&](ExpressionEmitter &emitter, Value i, int64_t width) {
        Value source = b.createOrFold<arith::AddIOp>(from, i);
        if (width == 1)
          return order.store(emitter, buffers.key(source),
                             buffers.position(source));
        auto type = VectorType::get({width}, order.keyType());
        return order.store(
            emitter,
            vector::LoadOp::create(b, type, buffers.keys, source).getResult(),
            {});
      });
}

/// Sorts by counters of digits or of whole keys. To convert floats to ordinals in each pass costs more
/// than to move them. So without original positions, the row is converted only
/// once, unless equal keys have different bits.
FailureOr<Value> RowSort::sortByDigits(Value length) {
  if (counting) {
    Value isLong =
        b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::uge, length,
                                      index(CountingSort::shortestRow(order)));
    return chooseIndex(
        b, isLong, [&] { return counting->sort(length); },
        [&] { return radix->sort(length); });
  }
  if (!network || !isa<FloatType>(order.keyType()))
    return radix->sort(length);
  FailureOr<Value> plain = network->isPlain(length);
  if (failed(plain))
    return failure();
  return chooseIndex(
      b, *plain, [&] { return radix->sortAsOrdinals(length); },
      [&] { return radix->sort(length); });
}

FailureOr<Value> RowSort::sortStably(Value length) {
  auto merge = [&] { return MergeSort(kernel, order, buffers).sort(length); };
  if (!radix)
    return merge();
  Value isLong = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::uge,
                                               length, index(digitsFrom));
  return chooseIndex(b, isLong, [&] { return sortByDigits(length); }, merge);
}

LogicalResult RowSort::sortByRanks(Value length, Value target) {
  return RankSort(kernel, order, buffers, elements.lanes).sort(length, target);
}

/// Returns an i1 that is true if the network or the partition may sort this
/// row: its length is in their range, and no equal keys have different bits.
FailureOr<Value> RowSort::usesNetwork(Value length) {
  int64_t end = kernel.scheduled("digits_from");
  Value fits = b.createOrFold<arith::CmpIOp>(
      arith::CmpIPredicate::ult,
      b.createOrFold<arith::SubIOp>(length, index(networkFrom)),
      index(end - networkFrom));
  if (!isa<FloatType>(order.keyType()) || matchPattern(fits, m_Zero()))
    return fits;
  auto ifOp = scf::IfOp::create(b, b.getI1Type(), fits, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  FailureOr<Value> plain = network->isPlain(length);
  if (failed(plain))
    return failure();
  scf::YieldOp::create(b, *plain);
  b.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(b, fits);
  return Value(ifOp.getResult(0));
}

FailureOr<Value> RowSort::sort(Value length) {
  if (!network)
    return sortStably(length);
  FailureOr<Value> inLanes = usesNetwork(length);
  if (failed(inLanes))
    return failure();
  return chooseIndex(
      b, *inLanes,
      [&] {
        return partition ? partition->sort(length) : network->sort(length);
      },
      [&] { return sortStably(length); });
}

LogicalResult
RowSort::sortRows(function_ref<LogicalResult(Values dims)> sortRow) {
  const AxisNest &nest = elements.nest;
  SmallVector<AffineExpr> sizes = nest.rowSizes();
  OrderedRows ordered(elements, runs ? &*runs : nullptr);
  auto row = [&](Value item, ValueRange) -> FailureOr<Values> {
    if (failed(ordered.sortUnlessOrdered(
            nest.dimsOf(delinearize(kernel, item, sizes)), sortRow)))
      return failure();
    return Values();
  };
  return success(
      succeeded(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, row)));
}

KernelSpec finishRows(KernelBuilder &kernel, const AxisNest &nest,
                      int64_t grain, AffineExpr scratchBytes) {
  return kernel.finish(kernel.names.product(nest.rowSizes()),
                       kernel.names.constant(grain).ceilDiv(nest.length() + 1),
                       scratchBytes);
}

} // namespace tensorc::codegen::simd
