//===- AttentionTile.cpp - A block's rows of an attention -----------------===//

#include "codegen/emitters/simt/attention/AttentionTile.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/kernel/ops/Txk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <limits>

using namespace mlir;

namespace tensorc::codegen::simt {

using analysis::Index;
using Values = SmallVector<Value>;

static constexpr double infinity = std::numeric_limits<double>::infinity();
/// Of a vector access.
static constexpr int64_t accessBytes = 16;

static int64_t bytesOf(Type type) { return type.getIntOrFloatBitWidth() / 8; }

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

AttentionTile::AttentionTile(KernelBuilder &kernel, AttentionPattern pattern,
                             const AttentionRoute &route)
    : ContractionTile(kernel), keys(route.keys), depth(*pattern.depth()),
      pattern(std::move(pattern)) {
  rows = route.rows;
  columns = route.columns;
  threads = route.onTiles ? tileSubgroups * kernel.target.getSubgroupSize()
                          : plainThreads;
  perRow = threads / rows;
  scoreStride = keys + sumPadding;
  patchStride = columns + sumPadding;
}

/// One loop per dim: a row's dims that could run as one are rare here.
LogicalResult AttentionTile::planLoops() {
  dot = pattern.result;
  for (Value root : kernel.yield().getValues())
    if (!tx::sameShape(root.getType(), dot.getType()))
      return kernel.fusion.emitOpError("outputs differ in shape from its "
                                       "attention");
  accumulator = pattern.accumulator;
  shape = pattern.shape(kernel.names);
  loops.sizes = shape;
  space.emplace(kernel.names, loops.sizes);
  Index all = space->identity();
  loops.index = all;
  loops.innermost = llvm::to_vector(llvm::seq<unsigned>(0, shape.size()));
  laneLoop = pattern.keyDim() - 1;
  rowLoop = laneLoop - 1;
  outerLoops = llvm::to_vector(llvm::seq<unsigned>(0, rowLoop));
  sumLoops = {pattern.keyDim()};
  outIndex = Index(ArrayRef(all).take_front(pattern.keyDim()));
  useOneNest();
  auto indices = pattern.indices(all);
  unsigned key = pattern.keyDim(), step = pattern.depthDim();
  q = {pattern.products.getX(), indices.q, rowLoop, step, rows, depth};
  k = {pattern.products.getY(), indices.k, key, step, keys, depth};
  v = {dot.getY(), indices.v, laneLoop, key, columns, keys};
  analysis::walkReads(
      dot.getX(), indices.weights, *space,
      [&](Value s) { return kernel.symbolOf(s); },
      [&](Value at) { return at == pattern.weight; },
      [&](Value at, const Index &index) {
        if (at == pattern.weight)
          weightIndex = index;
      },
      [](const analysis::Guard &) {});
  return success();
}

/// Whether it is read along steps, and how many elements at once.
void AttentionTile::planOperand(Operand &o, bool alwaysByPlaces,
                                int64_t padding) {
  o.padding = padding;
  o.readAlongSteps = isAlong(o.value, o.index, o.stepLoop, *space);
  o.storedAlongSteps = o.readAlongSteps && !alwaysByPlaces;
  if (o.readAlongSteps != o.storedAlongSteps)
    return;
  unsigned loop = o.readAlongSteps ? o.stepLoop : o.placeLoop;
  auto size = dyn_cast<AffineConstantExpr>(loops.sizes[loop]);
  std::pair<Value, Index> root{o.value, o.index};
  if (!size ||
      !readsVectors(kernel, *space, root, [](Value) { return false; }, loop))
    return;
  int64_t most = accessBytes / bytesOf(operandType(o));
  o.lanes = dividingLanes(most, size.getValue());
}

/// The input that an operand is, but for the order of its dims.
static std::pair<Value, Index> sourceOf(KernelBuilder &kernel, Value value,
                                        Index index,
                                        const analysis::IterationSpace &space) {
  while (auto *op = value.getDefiningOp()) {
    if (!isa<tx::TransposeOp, tx::ReshapeOp>(op))
      break;
    index =
        analysis::operandIndexing(
            op, index, space, [&](Value s) { return kernel.symbolOf(s); })[0]
            .index;
    value = op->getOperand(0);
  }
  return {value, index};
}

void AttentionTile::planCopy(Operand &o) {
  auto [value, index] = sourceOf(kernel, o.value, o.index, *space);
  auto input = dyn_cast<BlockArgument>(value);
  if (!kernel.target.hasAsyncCopies() || !input || kernel.scalar(input) ||
      o.lanes * bytesOf(operandType(o)) != accessBytes)
    return;
  unsigned loop = o.readAlongSteps ? o.stepLoop : o.placeLoop;
  AffineExpr rest = space->dropMultiples(
      space->linearize(index, kernel.dims(value)), loops.sizes[loop]);
  SmallVector<AffineExpr> dims(space->identity());
  dims[loop] = dims[loop] * o.lanes;
  if (!space->simplify(rest.replaceDims(dims)).isMultipleOf(o.lanes))
    return;
  o.source = input;
  o.sourceIndex = index;
}

int64_t AttentionTile::arrayBytes(int64_t count, Type element) {
  return llvm::alignTo(count * bytesOf(element), accessBytes);
}

Value AttentionTile::array(int64_t count, Type element) {
  Value result = view(shared, nextByte, count, element);
  nextByte += arrayBytes(count, element);
  return result;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// `lanes` elements, or zeros where not `inside`.
LogicalResult AttentionTile::put(const Operand &o, const Values &at,
                                 Value inside, Value to) {
  unsigned loop = o.readAlongSteps ? o.stepLoop : o.placeLoop;
  Type type = operandType(o);
  std::optional<ExpressionEmitter::Lanes> lanes;
  if (o.lanes > 1) {
    lanes = {loop, o.lanes};
    type = VectorType::get({o.lanes}, type);
  }
  ExpressionEmitter elements(kernel, *space, at, lanes);
  if (o.isCopied()) {
    AffineExpr position =
        space->linearize(o.sourceIndex, kernel.dims(o.source));
    txk::CopyAsyncOp::create(b, kernel.buffer(o.source),
                             elements.indexValue(position), o.memory, to,
                             inside);
    return success();
  }
  if (lanes)
    elements.assumeAligned(loops.sizes[loop]);
  auto read = [&]() -> FailureOr<Values> {
    FailureOr<Value> element = elements.emitLanes(o.value, o.index);
    if (failed(element))
      return failure();
    return Values{convert(*element, operandType(o))};
  };
  auto zero = [&]() -> FailureOr<Values> {
    return Values{constantOf(b, b.getLoc(), type, 0)};
  };
  FailureOr<Values> element =
      inside ? choose(kernel, inside, type, read, zero) : read();
  if (failed(element))
    return failure();
  if (lanes)
    vector::StoreOp::create(
        b, element->front(), o.memory, to, /*nontemporal=*/false,
        llvm::MaybeAlign(o.lanes * bytesOf(operandType(o))));
  else
    memref::StoreOp::create(b, element->front(), o.memory, to);
  return success();
}

/// Consecutive threads read consecutive memory.
LogicalResult AttentionTile::fill(const Operand &o, const Values &dims) {
  int64_t size = o.readAlongSteps ? o.steps : o.places;
  Value perLine = indexConstant(kernel, size / o.lanes);
  auto body = [&](Value i, ValueRange) -> FailureOr<Values> {
    Value fast =
        mul(kernel, rem(kernel, i, perLine), indexConstant(kernel, o.lanes));
    Value slow = div(kernel, i, perLine);
    Value place = o.readAlongSteps ? slow : fast;
    Value step = o.readAlongSteps ? fast : slow;
    Values at = dims;
    at[o.placeLoop] = add(kernel, dims[o.placeLoop], place);
    at[o.stepLoop] = add(kernel, dims[o.stepLoop], step);
    Value inside =
        both(isBelow(at[o.placeLoop], loops.sizes[o.placeLoop], o.places),
             isBelow(at[o.stepLoop], loops.sizes[o.stepLoop], o.steps));
    Value outer = o.storedAlongSteps ? place : step;
    Value inner = o.storedAlongSteps ? step : place;
    Value to = add(
        kernel, mul(kernel, outer, indexConstant(kernel, o.stride())), inner);
    if (failed(put(o, at, inside, to)))
      return failure();
    return Values();
  };
  auto done = forRange(kernel, thread,
                       indexConstant(kernel, o.places * o.steps / o.lanes),
                       threads, {}, body);
  return success(succeeded(done));
}

/// A group of copies of its own, empty beyond the last key.
LogicalResult AttentionTile::beginCopy(const Operand &o, const Values &dims) {
  Value exists = less(kernel, dims[sumLoops[0]], kernel.size(count));
  if (failed(when(kernel, exists, [&] { return fill(o, dims); })))
    return failure();
  txk::CopyCommitOp::create(b);
  return success();
}

//===----------------------------------------------------------------------===//
// The softmax
//===----------------------------------------------------------------------===//

Value AttentionTile::convert(Value x, Type to) {
  Type from = getElementTypeOrSelf(x.getType());
  return from == to ? x : convertElements(b, b.getLoc(), x, from, to);
}

Value AttentionTile::exp(Value x) { return math::ExpOp::create(b, x); }

/// Of the threads of a row; all of them get it.
Value AttentionTile::acrossRow(Value value, bool isMax) {
  for (int64_t offset = perRow / 2; offset > 0; offset /= 2) {
    Value other = gpu::ShuffleOp::create(b, value, offset,
                                         kernel.target.getSubgroupSize(),
                                         gpu::ShuffleMode::XOR)
                      .getShuffleResult();
    value = isMax ? Value(arith::MaximumFOp::create(b, value, other))
                  : Value(arith::AddFOp::create(b, value, other));
  }
  return value;
}

/// What is subtracted from scores: a row that saw only -inf has weights of 0
/// so far, and no NaN.
Value AttentionTile::finite(Value max) {
  Value never = constantOf(b, b.getLoc(), accumulator, -infinity);
  Value isNever =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, max, never);
  Value zero = constantOf(b, b.getLoc(), accumulator, 0);
  return arith::SelectOp::create(b, isNever, zero, max);
}

/// The thread's keys of its row.
FailureOr<Values> AttentionTile::forKeys(
    Value carried,
    function_ref<FailureOr<Value>(Value key, Value place, Value carried)>
        body) {
  Value begin = mul(kernel, row, indexConstant(kernel, scoreStride));
  return forRange(kernel, slot, indexConstant(kernel, keys), perRow, carried,
                  [&](Value key, ValueRange values) -> FailureOr<Values> {
                    auto next = body(key, add(kernel, begin, key), values[0]);
                    if (failed(next))
                      return failure();
                    return Values{*next};
                  });
}

/// Products become scores; the largest of the tile's keys.
FailureOr<Value> AttentionTile::scoreRow(const Values &dims) {
  Value never = constantOf(b, b.getLoc(), accumulator, -infinity);
  unsigned keyLoop = sumLoops[0];
  auto max = forKeys(
      never, [&](Value key, Value place, Value most) -> FailureOr<Value> {
        Values at = dims;
        at[rowLoop] = add(kernel, dims[rowLoop], row);
        at[keyLoop] = add(kernel, dims[keyLoop], key);
        Value inside = both(isBelow(at[rowLoop], loops.sizes[rowLoop], rows),
                            isBelow(at[keyLoop], loops.sizes[keyLoop], keys));
        auto score = [&]() -> FailureOr<Values> {
          ExpressionEmitter elements(kernel, *space, at);
          Value product = memref::LoadOp::create(b, scores, place);
          elements.bind(
              pattern.products.getResult(),
              convert(product, pattern.products.getType().getElementType()));
          auto element = elements.emit(pattern.score, weightIndex);
          if (failed(element))
            return failure();
          return Values{convert(*element, accumulator)};
        };
        auto none = [&]() -> FailureOr<Values> { return Values{never}; };
        auto element =
            inside ? choose(kernel, inside, accumulator, score, none) : score();
        if (failed(element))
          return failure();
        memref::StoreOp::create(b, element->front(), scores, place);
        return Value(arith::MaximumFOp::create(b, most, element->front()));
      });
  if (failed(max))
    return failure();
  return acrossRow(max->front(), /*isMax=*/true);
}

/// Scores become weights, which are added up.
FailureOr<Value> AttentionTile::weighRow(Value shift, Value sum) {
  Type type = getElementTypeOrSelf(pattern.weight.getType());
  Type operand = getElementTypeOrSelf(dot.getX().getType());
  auto sums = forKeys(
      sum, [&](Value key, Value place, Value carried) -> FailureOr<Value> {
        Value score = memref::LoadOp::create(b, scores, place);
        Value weight = exp(arith::SubFOp::create(b, convert(score, type),
                                                 convert(shift, type)));
        storeWeight(row, key, convert(weight, operand));
        return Value(
            arith::AddFOp::create(b, carried, convert(weight, accumulator)));
      });
  if (failed(sums))
    return failure();
  return sums->front();
}

/// What a row's results are multiplied with, or divided by. The sum is of
/// weights to the finite shift; `more` makes them those of the program's.
LogicalResult AttentionTile::finishRow(const Values &dims, Value max,
                                       Value sum) {
  Values at = dims;
  at[rowLoop] = add(kernel, dims[rowLoop], row);
  ExpressionEmitter elements(kernel, *space, at);
  Type type = getElementTypeOrSelf(pattern.weight.getType());
  elements.bind(pattern.max->getResult(0), convert(max, type));
  auto shift = elements.emit(pattern.shift, weightIndex);
  if (failed(shift))
    return failure();
  Value more =
      exp(arith::SubFOp::create(b, finite(max), convert(*shift, accumulator)));
  sum = arith::MulFOp::create(b, acrossRow(sum, /*isMax=*/false), more);
  elements.bind(pattern.sum->getResult(0), convert(sum, type));
  auto factor = elements.emit(pattern.factor, weightIndex);
  if (failed(factor))
    return failure();
  Value result = convert(*factor, accumulator);
  result = pattern.divides ? Value(arith::DivFOp::create(b, result, more))
                           : Value(arith::MulFOp::create(b, result, more));
  // A sum over no keys is 0, whatever the factor.
  if (!isa<AffineConstantExpr>(count)) {
    Value none = equal(kernel, kernel.size(count), indexConstant(kernel, 0));
    result = arith::SelectOp::create(
        b, none, constantOf(b, b.getLoc(), accumulator, 1), result);
  }
  return when(kernel, equal(kernel, slot, indexConstant(kernel, 0)), [&] {
    memref::StoreOp::create(b, result, rowFactors, row);
    return success();
  });
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// The tile of keys from dims' on. `carried`: the row's maximum and sum so far,
/// and the route's sums. What is copied is on its way while something else is
/// computed: v during the products, the next k during the rest.
FailureOr<Values> AttentionTile::step(const Values &dims, ValueRange carried) {
  if (v.isCopied() && failed(beginCopy(v, dims)))
    return failure();
  if (k.isCopied())
    txk::CopyWaitOp::create(b, v.isCopied() ? 1 : 0);
  else if (failed(fill(k, dims)))
    return failure();
  barrier(kernel);
  multiplyScores();
  barrier(kernel);
  Values next = dims;
  next[sumLoops[0]] =
      add(kernel, dims[sumLoops[0]], indexConstant(kernel, keys));
  if (k.isCopied() && failed(beginCopy(k, next)))
    return failure();
  FailureOr<Value> here = scoreRow(dims);
  if (failed(here))
    return failure();
  Value max = arith::MaximumFOp::create(b, carried[0], *here);
  Value shift = finite(max);
  Value factor = exp(arith::SubFOp::create(b, carried[0], shift));
  FailureOr<Value> sum =
      weighRow(shift, arith::MulFOp::create(b, carried[1], factor));
  if (failed(sum) ||
      failed(when(kernel, equal(kernel, slot, indexConstant(kernel, 0)), [&] {
        memref::StoreOp::create(b, factor, rowFactors, row);
        return success();
      })))
    return failure();
  if (v.isCopied())
    txk::CopyWaitOp::create(b, k.isCopied() ? 1 : 0);
  else if (failed(fill(v, dims)))
    return failure();
  barrier(kernel);
  FailureOr<Values> sums = multiplyValues(carried.drop_front(2));
  if (failed(sums))
    return failure();
  barrier(kernel);
  Values results{max, *sum};
  llvm::append_range(results, *sums);
  return results;
}

LogicalResult AttentionTile::storeResults(const Tile &tile) {
  Value stride = indexConstant(kernel, patchStride);
  auto load = [&](Value place, Type type) -> Value {
    Value sum = loadSums(patch, place, type);
    Value factor =
        memref::LoadOp::create(b, rowFactors, div(kernel, place, stride));
    if (isa<VectorType>(type))
      factor = vector::BroadcastOp::create(b, type, factor);
    if (pattern.divides)
      return arith::DivFOp::create(b, sum, factor);
    return arith::MulFOp::create(b, sum, factor);
  };
  int64_t lanes = std::min<int64_t>(accessLanes(kernel), sumPadding);
  return epilogue(
      tile, {load, rows, patchStride, lanes, [](Value row) { return row; }});
}

LogicalResult AttentionTile::emitTile(const Tile &tile) {
  Values dims = dimsOf(tile);
  Value zero = indexConstant(kernel, 0);
  for (Value &dim : dims)
    dim = dim ? dim : zero;
  Value perRowValue = indexConstant(kernel, perRow);
  row = div(kernel, thread, perRowValue);
  slot = rem(kernel, thread, perRowValue);
  if (failed(fill(q, dims)) || (k.isCopied() && failed(beginCopy(k, dims))))
    return failure();
  // The loop's barriers are between q and the results, if there are keys.
  if (!isa<AffineConstantExpr>(count))
    barrier(kernel);
  Values first{constantOf(b, b.getLoc(), accumulator, -infinity),
               constantOf(b, b.getLoc(), accumulator, 0)};
  llvm::append_range(first, zeroSums());
  auto last = forRange(kernel, zero, kernel.size(count), keys, first,
                       [&](Value key, ValueRange carried) {
                         Values at = dims;
                         at[sumLoops[0]] = key;
                         return step(at, carried);
                       });
  if (failed(last) || failed(finishRow(dims, (*last)[0], (*last)[1])))
    return failure();
  storeSums(ValueRange(*last).drop_front(2));
  barrier(kernel);
  return storeResults(tile);
}

FailureOr<KernelSpec> AttentionTile::emit() {
  if (failed(planLoops()))
    return failure();
  planMemory();
  return emitGrid([&](const Tile &tile) { return emitTile(tile); });
}

} // namespace tensorc::codegen::simt
