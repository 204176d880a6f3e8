//===- RowSort.cpp - Elements sorted in a thread's scratch ----------------===//

#include "codegen/emitters/simd/sort/RowSort.h"
#include "codegen/emitters/simd/sort/PackedLanes.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;

namespace tensorc::codegen::simd {

Value RowSort::add(Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(x, y);
}

Value RowSort::smaller(Value x, Value y) {
  return b.createOrFold<arith::MinUIOp>(x, y);
}

static constexpr int64_t never = int64_t(1) << 31;

/// An i1 in memory is a byte, but not in vectors; and places are stored with
/// the keys, one by one.
static int64_t lanesOf(KernelBuilder &kernel, const AxisNest &nest,
                       SortOrder &order) {
  Type key = order.keyType();
  if (!nest.axisIsInnermost() || key.isInteger(1))
    return 1;
  return std::min<int64_t>(maxKeyLanes, kernel.target.getLanes(key));
}

/// Counters, places and keys, each of which is at most as wide as what comes
/// before it.
RowSort::RowSort(KernelBuilder &kernel, const AxisNest &nest, SortOrder &order,
                 AffineExpr capacity, int64_t spare)
    : kernel(kernel), b(kernel.b), nest(nest), order(order),
      space(kernel.names, nest.loops.sizes),
      digitsFrom(kernel.scheduled("digits_from")),
      networkFrom(kernel.scheduled("network_from")),
      partitionFrom(kernel.scheduled("partition_from")),
      lanes(lanesOf(kernel, nest, order)) {
  auto known = dyn_cast<AffineConstantExpr>(capacity);
  int64_t most = known ? known.getValue() : never;
  AffineExpr keys = capacity * 2 + spare;
  bool hasNetwork = networkFrom < std::min(digitsFrom, most + 1);
  bool hasParts = hasNetwork && partitionFrom <= most;
  if (hasNetwork) {
    int64_t its = hasParts ? Partition::spareKeys(kernel, order)
                           : SortNetwork::keysFor(
                                 kernel, order, std::min(most, digitsFrom - 1));
    if (hasParts)
      keys = keys + its;
    else
      keys = known ? kernel.names.constant(std::max(2 * most + spare, its))
                   : keys + its;
    // What the network does not take is sorted stably.
    digitsFrom = std::min(digitsFrom, RadixSort::shortestRow(order));
  }
  int64_t counters = most < digitsFrom ? 0 : RadixSort::counterBytes(order);
  int64_t room = hasParts ? Partition::roomBytes(kernel, order) : 0;
  int64_t ofRuns = runBytes();
  Value count = kernel.size(keys);
  auto view = [&](Type type, Value byte) -> Value {
    return memref::ViewOp::create(b,
                                  MemRefType::get({ShapedType::kDynamic}, type),
                                  kernel.scratch(), byte, count);
  };
  if (ofRuns) {
    auto words = MemRefType::get({ofRuns / 16}, b.getIndexType());
    runs = memref::ViewOp::create(b, words, kernel.scratch(),
                                  index(counters + room), {});
    heads = memref::ViewOp::create(b, words, kernel.scratch(),
                                   index(counters + room + ofRuns / 2), {});
  }
  Value offset = index(counters + room + ofRuns);
  int64_t width = llvm::divideCeil(order.keyType().getIntOrFloatBitWidth(), 8);
  if (order.hasPlaces()) {
    buffers.places = view(b.getI64Type(), offset);
    offset = add(offset, b.createOrFold<arith::MulIOp>(count, index(8)));
    width += 8;
  }
  buffers.keys = view(order.keyType(), offset);
  if (counters)
    radix.emplace(kernel, order, buffers, index(0));
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
  if (Partition::takes(fusion, order))
    offer(costs.minNetworkLength, Partition::longestPart(fusion, order) + 1,
          never);
  if (SortNetwork::takes(fusion, order)) {
    offer(costs.minNetworkLength, never, costs.maxNetworkLength);
    offer(1, never, costs.maxNetworkLength);
  }
  for (int64_t digits : {usual, int64_t(1), never})
    offer(never, never, digits);
  return offers;
}

Value RowSort::key(Value at) {
  return memref::LoadOp::create(b, buffers.keys, at);
}

Value RowSort::place(Value at) {
  if (!buffers.places)
    return {};
  return arith::IndexCastOp::create(
      b, b.getIndexType(), memref::LoadOp::create(b, buffers.places, at));
}

void RowSort::put(Value at, Value key, Value place) {
  memref::StoreOp::create(b, key, buffers.keys, at);
  if (buffers.places)
    memref::StoreOp::create(
        b, arith::IndexCastOp::create(b, b.getI64Type(), place), buffers.places,
        at);
}

void RowSort::putLanes(Value at, Value keys) {
  vector::StoreOp::create(b, keys, buffers.keys, at);
}

Value RowSort::putPacked(Value at, Value keys, Value place, Value mask) {
  putLanes(at, packLanes(b, keys, mask));
  if (buffers.places) {
    auto narrow = VectorType::get({lanes}, b.getI32Type());
    auto wide = VectorType::get({lanes}, b.getI64Type());
    SmallVector<int32_t> numbers(lanes);
    std::iota(numbers.begin(), numbers.end(), 0);
    Value lane = arith::ConstantOp::create(
        b, DenseElementsAttr::get(narrow, ArrayRef(numbers)));
    Value first = vector::BroadcastOp::create(
        b, wide, arith::IndexCastOp::create(b, b.getI64Type(), place));
    Value offsets = arith::ExtUIOp::create(b, wide, packLanes(b, lane, mask));
    vector::StoreOp::create(b, arith::AddIOp::create(b, first, offsets),
                            buffers.places, at);
  }
  return countLanes(b, mask);
}

LogicalResult RowSort::forRow(
    Values dims, AffineExpr length,
    function_ref<LogicalResult(ExpressionEmitter &, Value, int64_t)> body) {
  auto range = [&](Value lower, Value upper, int64_t width) {
    return success(succeeded(
        forRange(kernel, lower, upper, width, {},
                 [&](Value i, ValueRange) -> FailureOr<Values> {
                   dims[nest.axisLoop] = i;
                   std::optional<ExpressionEmitter::Lanes> wide;
                   if (width > 1)
                     wide = {nest.axisLoop, width};
                   ExpressionEmitter elements(kernel, space, dims, wide);
                   if (failed(body(elements, i, width)))
                     return failure();
                   return Values();
                 })));
  };
  int64_t width = order.hasPlaces() ? 1 : lanes;
  Value upper = kernel.size(length);
  Value whole =
      width == 1 ? index(0) : kernel.size(length.floorDiv(width) * width);
  if (width > 1 && failed(range(index(0), whole, width)))
    return failure();
  return range(whole, upper, 1);
}

LogicalResult RowSort::load(Values dims) {
  return forRow(dims, nest.length(),
                [&](ExpressionEmitter &elements, Value i,
                    int64_t width) -> LogicalResult {
                  FailureOr<Value> key = order.load(elements);
                  if (failed(key))
                    return failure();
                  if (width > 1)
                    putLanes(i, *key);
                  else
                    put(i, *key, i);
                  return success();
                });
}

LogicalResult RowSort::store(Values dims, Value from) {
  return forRow(
      dims, nest.storedLength,
      [&](ExpressionEmitter &elements, Value i, int64_t width) {
        Value source = add(from, i);
        if (width == 1)
          return order.store(elements, key(source), place(source));
        auto type = VectorType::get({width}, order.keyType());
        return order.store(
            elements,
            vector::LoadOp::create(b, type, buffers.keys, source).getResult(),
            {});
      });
}

LogicalResult RowSort::moveToFront(Value from, Value count) {
  return success(
      succeeded(forRange(kernel, index(0), count, 1, {},
                         [&](Value i, ValueRange) -> FailureOr<Values> {
                           Value source = add(from, i);
                           put(i, key(source), place(source));
                           return Values();
                         })));
}

/// One element of the merged run: the smaller head, the left one if equal. Both
/// are read even where a run has ended, so that nothing branches.
FailureOr<RowSort::Values> RowSort::mergeStep(const Merge &pass, Value middle,
                                              Value end, Value at,
                                              ValueRange heads) {
  auto less = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
  };
  Value last = b.createOrFold<arith::SubIOp>(pass.length, index(1));
  Value x = add(pass.from, smaller(heads[0], last));
  Value y = add(pass.from, smaller(heads[1], last));
  Value left = key(x), right = key(y);
  Value noLeft =
      arith::CmpIOp::create(b, arith::CmpIPredicate::uge, heads[0], middle);
  Value wins = arith::OrIOp::create(b, noLeft, order.isBefore(right, left));
  Value takesRight = arith::AndIOp::create(b, wins, less(heads[1], end));
  Value target = add(pass.to, at);
  memref::StoreOp::create(b,
                          arith::SelectOp::create(b, takesRight, right, left),
                          buffers.keys, target);
  if (buffers.places) {
    Value source = arith::SelectOp::create(b, takesRight, y, x);
    memref::StoreOp::create(b,
                            memref::LoadOp::create(b, buffers.places, source),
                            buffers.places, target);
  }
  Value step = arith::IndexCastUIOp::create(b, b.getIndexType(), takesRight);
  Value other = arith::SubIOp::create(b, index(1), step);
  return Values{add(heads[0], other), add(heads[1], step)};
}

LogicalResult RowSort::mergeRuns(const Merge &pass, Value width) {
  Value pair = add(width, width);
  auto loop = scf::ForOp::create(b, index(0), pass.length, pair);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value begin = loop.getInductionVar();
  Value middle = smaller(add(begin, width), pass.length);
  Value end = smaller(add(begin, pair), pass.length);
  return forRange(kernel, begin, end, 1, {begin, middle},
                  [&](Value at, ValueRange heads) {
                    return mergeStep(pass, middle, end, at, heads);
                  });
}

FailureOr<Value> RowSort::choose(Value condition, Way then, Way otherwise) {
  APInt known;
  if (matchPattern(condition, m_ConstantInt(&known)))
    return known.isZero() ? otherwise() : then();
  auto ifOp = scf::IfOp::create(b, b.getIndexType(), condition,
                                /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  for (bool holds : {true, false}) {
    b.setInsertionPointToStart(holds ? ifOp.thenBlock() : ifOp.elseBlock());
    FailureOr<Value> from = holds ? then() : otherwise();
    if (failed(from))
      return failure();
    scf::YieldOp::create(b, *from);
  }
  return Value(ifOp.getResult(0));
}

/// The keys from `from` on become their ordinals, by vectors, or ordinals keys
/// again.
LogicalResult RowSort::turn(Value from, Value length, bool isBack) {
  Type key = order.keyType(), integer = b.getIntegerType(order.ordinalBits());
  TypedAttr sign =
      b.getIntegerAttr(integer, APInt::getSignMask(order.ordinalBits()));
  auto range = [&](Value lower, Value upper, int64_t width) {
    auto typed = [&](Type element) -> Type {
      return width == 1 ? element : VectorType::get({width}, element);
    };
    TypedAttr flip =
        width == 1 ? sign
                   : DenseElementsAttr::get(cast<VectorType>(typed(integer)),
                                            Attribute(sign));
    return succeeded(forRange(
        kernel, lower, upper, width, {},
        [&](Value i, ValueRange) -> FailureOr<Values> {
          Value at = add(from, i);
          Value x =
              width == 1
                  ? this->key(at)
                  : Value(vector::LoadOp::create(
                        b, cast<VectorType>(typed(key)), buffers.keys, at));
          Value mask = arith::ConstantOp::create(b, flip);
          if (isBack)
            x = order.fromSigned(arith::XOrIOp::create(
                b, arith::BitcastOp::create(b, typed(integer), x), mask));
          else
            x = arith::BitcastOp::create(
                b, typed(key),
                arith::XOrIOp::create(b, order.toSigned(x), mask));
          if (width == 1)
            put(at, x, {});
          else
            putLanes(at, x);
          return Values();
        }));
  };
  int64_t width = kernel.target.getLanes(key);
  Value rest = b.createOrFold<arith::RemUIOp>(length, index(width));
  Value whole = b.createOrFold<arith::SubIOp>(length, rest);
  return success(range(index(0), whole, width) && range(whole, length, 1));
}

/// A key's ordinal takes more instructions than its move. Without places the
/// row may hold ordinals instead, where each stands for one key.
FailureOr<Value> RowSort::sortByDigits(Value length) {
  if (!network || !isa<FloatType>(order.keyType()))
    return distribute(length);
  FailureOr<Value> plain = network->isPlain(length);
  if (failed(plain))
    return failure();
  return choose(
      *plain,
      [&]() -> FailureOr<Value> {
        if (failed(turn(index(0), length, /*isBack=*/false)))
          return failure();
        radix->holdsOrdinals = true;
        FailureOr<Value> from = distribute(length);
        radix->holdsOrdinals = false;
        if (failed(from) || failed(turn(*from, length, /*isBack=*/true)))
          return failure();
        return from;
      },
      [&] { return distribute(length); });
}

FailureOr<Value> RowSort::distribute(Value length) {
  if (failed(radix->clear()))
    return failure();
  auto counted = forRange(kernel, index(0), length, 1, {},
                          [&](Value i, ValueRange) -> FailureOr<Values> {
                            radix->count(key(i));
                            return Values();
                          });
  if (failed(counted))
    return failure();
  return radix->sort(length);
}

FailureOr<Value> RowSort::sortStably(Value length) {
  auto merge = [&]() {
    return mergePasses(kernel, length, index(0), length,
                       [&](Value width, Value from, Value to) {
                         return mergeRuns({length, from, to}, width);
                       });
  };
  if (!radix)
    return merge();
  Value isLong = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::uge,
                                               length, index(digitsFrom));
  return choose(isLong, [&] { return sortByDigits(length); }, merge);
}

/// An i1.
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
  return choose(
      *inLanes,
      [&] {
        return partition ? partition->sort(length) : network->sort(length);
      },
      [&] { return sortStably(length); });
}

LogicalResult
RowSort::sortRows(function_ref<LogicalResult(Values dims)> sortRow) {
  SmallVector<AffineExpr> sizes = nest.rowSizes();
  auto row = [&](Value item, ValueRange) -> FailureOr<Values> {
    if (failed(sortUnlessOrdered(nest.dimsOf(delinearize(kernel, item, sizes)),
                                 sortRow)))
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
