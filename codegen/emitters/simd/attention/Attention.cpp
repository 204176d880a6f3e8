//===- Attention.cpp - Online softmax(q kT) v on CPUs ---------------------===//
//
// for each block of queries:
//   qs[step][query] = q; largest = -inf, sums = 0, results = 0
//   for each block of keys:
//     scores[key][query] = k * qs
//     for each vector of queries:
//       scores = scores with the program's scale, bias and mask applied
//       largest' = max(largest, scores), factors = exp(largest - largest')
//       weights = exp(scores - largest'), sums = sums * factors + weights
//     results[query][column] = results * factors + weights * v
//   divide results by sums, emit the epilogue, store
//
// This is an online softmax (as in flash attention): one pass over the keys,
// and the scores never reach memory. The lanes of a vector of scores are
// queries, so the maximum and the sum over keys need no reduction across lanes.
// Only q is transposed (into scratch memory). Elements of k are broadcast, and
// v is loaded as vectors of columns, both in place.
//
// Both products skip the keys that a causal mask hides from all queries of a
// block. The weight of such a key is 0, but 0 * v is NaN where v is infinite or
// NaN. So the sum of 0 * v over the skipped keys is added to each result.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/AttentionOrder.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simd/attention/AttentionSkeleton.h"
#include "codegen/kernel/CpuCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;
using Values = SmallVector<Value>;

/// Number of keys per block. Once per block, the running maximum is updated and
/// the results are rescaled.
static constexpr int64_t blockKeys = 64;
/// Maximum size of a head: the depth of q and k, and the number of columns of
/// v. A block of queries and its results must stay in L1.
static constexpr int64_t maxHeadDepth = 512;

AttentionOrder chooseAttentionOrder(const AttentionSizes &sizes) {
  if (std::string why = checkAttentionSizes(sizes); !why.empty())
    return AttentionOrder::refuse(why);
  if (std::max(*sizes.depth, *sizes.columns) > maxHeadDepth)
    return AttentionOrder::refuse("an attention's heads have more than " +
                                  std::to_string(maxHeadDepth) + " elements");
  AttentionOrder order;
  order.keys = blockKeys;
  order.lanes = 1;
  return order;
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

AttentionSkeleton::AttentionSkeleton(KernelBuilder &kernel,
                                     AttentionPattern found)
    : ContractionPlan(kernel), pattern(std::move(found)), keys(blockKeys),
      depth(*pattern.sizes().depth), columns(*pattern.sizes().columns) {
  accumulator = pattern.accumulator;
  width = kernel.target.getLanes(accumulator);
}

/// Plans one loop per dim. Collapsing dims would rarely apply, because it
/// requires q, k and v to have two outer dims that are contiguous in all of
/// them.
LogicalResult AttentionSkeleton::planLoops() {
  dot = pattern.result;
  if (failed(findOutput()))
    return failure();
  shape = pattern.shape(kernel.names);
  loops.sizes = shape;
  space.emplace(kernel.names, loops.sizes);
  Index all = space->identity();
  laneLoop = pattern.keyDim() - 1;
  rowLoop = laneLoop - 1;
  outerLoops = llvm::to_vector(llvm::seq<unsigned>(0, rowLoop));
  outIndex = outputAt(all);
  operands = pattern.indices(all);
  scoreIndex = pattern.scoreIndex(operands, *space,
                                  [&](Value s) { return kernel.symbolOf(s); });
  causal = findCausal();
  return success();
}

static Value withoutBroadcasts(Value v) {
  while (auto broadcast = v.getDefiningOp<tx::BroadcastOp>())
    v = broadcast.getX();
  return v;
}

static bool isNever(Value v) {
  auto constant = withoutBroadcasts(v).getDefiningOp<tx::ConstantOp>();
  auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                        : SplatElementsAttr();
  auto number = splat ? dyn_cast<FloatAttr>(splat.getSplatValue<Attribute>())
                      : FloatAttr();
  return number && number.getValue().isInfinity() &&
         number.getValue().isNegative();
}

/// Matches a causal mask: select(row >= key, score, -inf), or the same with >.
/// If heads share keys, the rows are the queries of several heads, and the mask
/// compares their positions within a head.
std::optional<AttentionSkeleton::Causal> AttentionSkeleton::findCausal() {
  auto select = pattern.score.getDefiningOp<tx::SelectOp>();
  if (!select || !isNever(select->getOperand(2)))
    return std::nullopt;
  Operation *compare = withoutBroadcasts(select->getOperand(0)).getDefiningOp();
  if (!isa_and_nonnull<tx::GeOp, tx::GtOp, tx::LeOp, tx::LtOp>(compare))
    return std::nullopt;
  bool isSwapped = isa<tx::LeOp, tx::LtOp>(compare);
  Value row = withoutBroadcasts(compare->getOperand(isSwapped ? 1 : 0));
  Value key = withoutBroadcasts(compare->getOperand(isSwapped ? 0 : 1));
  Index all = space->identity();
  AffineExpr queries;
  auto isLoop = [&](AffineExpr position, unsigned loop) {
    if (position == all[loop])
      return true;
    auto within = dyn_cast<AffineBinaryOpExpr>(position);
    if (loop != rowLoop || !within || within.getKind() != AffineExprKind::Mod ||
        within.getLHS() != all[loop])
      return false;
    queries = within.getRHS();
    return true;
  };
  auto counts = [&](Value v, unsigned loop) {
    auto iota = v.getDefiningOp<tx::IotaOp>();
    bool holds = bool(iota);
    analysis::walkReads(
        select->getOperand(0), scoreIndex, *space,
        [&](Value s) { return kernel.symbolOf(s); },
        [](Value) { return false; },
        [&](Value at, const Index &index) {
          if (at == v)
            holds &= iota && isLoop(index[iota.getDim()], loop);
        },
        [](const analysis::Guard &) {});
    return holds;
  };
  if (!counts(row, rowLoop) || !counts(key, pattern.keyDim()))
    return std::nullopt;
  return Causal{isa<tx::GtOp, tx::LtOp>(compare), queries};
}

/// Maximum width of a register tile in vectors on targets with at least 32
/// vector registers. On other targets it is half of that.
static constexpr int64_t widestTile = 4;

/// Returns the maximum width of a register tile in vectors.
static int64_t maxVectors(KernelBuilder &kernel) {
  return kernel.target.getNumVectorRegisters() >= 32 ? widestTile : 2;
}

/// Returns the maximum number of rows of a register tile that is `vectors`
/// wide. Besides accumulators, registers hold one row of an operand and two
/// temporaries.
static int64_t fitting(KernelBuilder &kernel, int64_t vectors) {
  int64_t registers = kernel.target.getNumVectorRegisters();
  return std::max<int64_t>((registers - vectors - 2) / vectors, 1);
}

void AttentionSkeleton::planTiles() {
  auto evenly = [](int64_t count, int64_t maximum) {
    return llvm::divideCeil(count, llvm::divideCeil(count, maximum));
  };
  tileKeys = evenly(keys, fitting(kernel, vectors));
  int64_t across = llvm::divideCeil(columns, width);
  tileVectors = evenly(across, maxVectors(kernel));
  tileRows = evenly(rows, fitting(kernel, tileVectors));
  stride = llvm::alignTo(across, tileVectors) * width;
}

/// Offers block sizes, the cheapest first. Queries past the end of the last
/// block are computed too, so sizes that divide the number of queries cost
/// less. In the cost of a register tile, a load counts as half a multiply-add.
Offers AttentionSkeleton::offer() {
  auto size = dyn_cast<AffineConstantExpr>(
      pattern.shape(kernel.names)[pattern.keyDim() - 2]);
  int64_t maximum = maxVectors(kernel), minCost = 0;
  Offers offers;
  for (int64_t vectors : {maximum, maximum - 1, maximum / 2, int64_t(1)}) {
    int64_t rows = vectors * width * (widestTile / maximum);
    int64_t computed = size ? llvm::alignTo(size.getValue(), rows) : rows;
    int64_t products = vectors * fitting(kernel, vectors);
    int64_t loads = vectors + fitting(kernel, vectors);
    int64_t cost = computed * (2 * products + loads) * widestTile / products;
    bool isBest = size && (offers.empty() || cost < minCost);
    if (isBest)
      minCost = cost;
    offers.insert(isBest ? offers.begin() : offers.end(),
                  {{"rows", rows}, {"vectors", vectors}});
  }
  return offers;
}

Value AttentionSkeleton::array(int64_t elements) {
  Value begin = index(scratchBytes);
  scratchBytes += elements * accumulator.getIntOrFloatBitWidth() / 8;
  return memref::ViewOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, accumulator), kernel.scratch(),
      begin, ValueRange{index(elements)});
}

void AttentionSkeleton::planMemory() {
  queries = array(llvm::alignTo(depth, width) * rows);
  scores = array(llvm::alignTo(keys, tileKeys) * rows);
  largest = array(rows);
  sums = array(rows);
  factors = array(rows);
  results = array(rows * stride);
  if (causal)
    hidden = array(stride);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Returns an i1 that is true if the causal mask hides `key` and all later keys
/// from every query of the block.
Value AttentionSkeleton::isHidden(const Block &block, Value key) {
  Value first = block.first;
  if (causal->queries)
    first = b.createOrFold<arith::RemUIOp>(first, kernel.size(causal->queries));
  Value end = add(first, block.count); // index after the last row
  // A block that begins in one head and ends in another has the last query.
  if (causal->queries)
    end = smaller(end, kernel.size(causal->queries));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ugt,
                               causal->orEqual ? add(key, 1) : key,
                               b.createOrFold<arith::SubIOp>(end, index(1)));
}

/// Emits the block of keys that begins with `key`.
LogicalResult AttentionSkeleton::emitKeys(const Block &block, Value key) {
  Value count = left(key, loops.sizes[pattern.keyDim()], keys);
  auto seen = [&] {
    return failure(failed(multiplyKeys(block, key, count)) ||
                   failed(computeWeights(block, key, count)) ||
                   failed(multiplyValues(block, key, count)));
  };
  if (!causal)
    return seen();
  auto ifOp = scf::IfOp::create(b, isHidden(block, key), /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  if (failed(addHidden(block, key, count)))
    return failure();
  b.setInsertionPointToStart(ifOp.elseBlock());
  return seen();
}

LogicalResult AttentionSkeleton::emitBlock(Value item,
                                           ArrayRef<AffineExpr> work) {
  Values at = delinearize(kernel, item, work);
  Block block;
  block.dims.assign(loops.sizes.size(), index(0));
  block.first = mul(at.pop_back_val(), rows);
  block.count = left(block.first, loops.sizes[rowLoop], rows);
  for (auto [loop, value] : llvm::zip_equal(outerLoops, at))
    block.dims[loop] = value;
  if (failed(packQueries(block)))
    return failure();
  fill(largest, rows, -std::numeric_limits<double>::infinity());
  fill(sums, rows, 0);
  fill(results, rows * stride, 0);
  if (causal)
    fill(hidden, stride, 0);
  if (failed(loop(kernel.size(loops.sizes[pattern.keyDim()]), keys,
                  [&](Value key) { return emitKeys(block, key); })))
    return failure();
  return failure(failed(finishRows(block)) || failed(store(block)));
}

FailureOr<KernelSpec> AttentionSkeleton::emit() {
  if (failed(planLoops()))
    return failure();
  rows = kernel.scheduled("rows");
  vectors = kernel.scheduled("vectors");
  planTiles();
  planMemory();
  SmallVector<AffineExpr> work;
  for (unsigned loop : outerLoops)
    work.push_back(loops.sizes[loop]);
  work.push_back(kernel.names.simplify(loops.sizes[rowLoop].ceilDiv(rows)));
  auto done = forRange(kernel, kernel.begin(), kernel.end(), 1, {},
                       [&](Value item, ValueRange) -> FailureOr<Values> {
                         if (failed(emitBlock(item, work)))
                           return failure();
                         return Values();
                       });
  if (failed(done))
    return failure();
  AffineExpr flops =
      loops.sizes[pattern.keyDim()] * constant(rows * (depth + columns));
  return kernel.finish(kernel.names.product(work),
                       constant(kernel.costs().attentionGrainFlops)
                           .ceilDiv(kernel.names.simplify(flops) + 1),
                       constant(scratchBytes));
}

const Skeleton attention = {
    .name = "blocks",
    .kind = tx::kinds::attention,
    .match = matchAll,
    .schedules = [](KernelBuilder &fusion, tx::OrderAttr) -> FailureOr<Offers> {
      auto pattern = findAttention(fusion.fusion, fusion.names);
      return AttentionSkeleton(fusion, std::move(*pattern)).offer();
    },
    .emit =
        [](KernelBuilder &kernel) {
          auto pattern = findAttention(kernel.fusion, kernel.names);
          return single(AttentionSkeleton(kernel, std::move(*pattern)).emit());
        },
    .order = attentionOrder};

} // namespace tensorc::codegen::simd
