//===- Attention.cpp - Skeleton around softmax(q kT) v --------------------===//
//
// for each block of queries:
//   qs[step][query] = q; largest = -inf, sums = 0, results = 0
//   for each block of keys:
//     scores[key][query] = k * qs
//     for each vector of queries:
//       scores = what the program computes from them
//       largest' = max(largest, scores), factors = exp(largest - largest')
//       weights = exp(scores - largest'), sums = sums * factors + weights
//     results[query][column] = results * factors + weights * v
//   results, divided by the sums as the program says: epilogue, store
//
// One pass over the keys: no scores in memory. Lanes of scores are queries, so
// a maximum or a sum over keys never crosses lanes. k is read in place, element
// by element, and v in place, in vectors of columns. Only q is transposed.
//
// Keys that a causal mask hides from all queries of a block are not multiplied.
// Their weights are 0, and 0 times a value is 0 or, for infinity and NaN, NaN:
// these products are added up once for all queries.
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

/// Keys that one maximum is found for.
static constexpr int64_t blockKeys = 64;
/// Maximum depth of a head, so that a block of its queries and results stays in
/// L1.
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

/// One loop per dim: a row's dims that could run as one are rare here.
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

/// select(row >= key, score, -inf), or with >.
std::optional<AttentionSkeleton::Causal> AttentionSkeleton::findCausal() {
  auto select = pattern.score.getDefiningOp<tx::SelectOp>();
  if (!select || !isNever(select->getOperand(2)))
    return std::nullopt;
  Operation *compare = withoutBroadcasts(select->getOperand(0)).getDefiningOp();
  if (!isa_and_nonnull<tx::GeOp, tx::GtOp, tx::LeOp, tx::LtOp>(compare))
    return std::nullopt;
  bool isTurned = isa<tx::LeOp, tx::LtOp>(compare);
  Value row = withoutBroadcasts(compare->getOperand(isTurned ? 1 : 0));
  Value key = withoutBroadcasts(compare->getOperand(isTurned ? 0 : 1));
  Index all = space->identity();
  auto counts = [&](Value v, unsigned loop) {
    auto iota = v.getDefiningOp<tx::IotaOp>();
    bool holds = bool(iota);
    analysis::walkReads(
        select->getOperand(0), scoreIndex, *space,
        [&](Value s) { return kernel.symbolOf(s); },
        [](Value) { return false; },
        [&](Value at, const Index &index) {
          if (at == v)
            holds &= iota && index[iota.getDim()] == all[loop];
        },
        [](const analysis::Guard &) {});
    return holds;
  };
  if (!counts(row, rowLoop) || !counts(key, pattern.keyDim()))
    return std::nullopt;
  return Causal{isa<tx::GtOp, tx::LtOp>(compare)};
}

/// Vectors of a block of queries on a processor with many registers.
static constexpr int64_t widestTile = 4;

/// Returns the maximum number of vectors in a tile's row.
static int64_t maxVectors(KernelBuilder &kernel) {
  return kernel.target.getNumVectorRegisters() >= 32 ? widestTile : 2;
}

/// Returns how many rows of this many vectors fit in the registers, beside the
/// operands and two temporaries.
static int64_t fitting(KernelBuilder &kernel, int64_t vectors) {
  int64_t registers = kernel.target.getNumVectorRegisters();
  return std::max<int64_t>((registers - vectors - 2) / vectors, 1);
}

void AttentionSkeleton::planTiles() {
  auto evenly = [](int64_t count, int64_t most) {
    return llvm::divideCeil(count, llvm::divideCeil(count, most));
  };
  tileKeys = evenly(keys, fitting(kernel, vectors));
  int64_t across = llvm::divideCeil(columns, width);
  tileVectors = evenly(across, maxVectors(kernel));
  tileRows = evenly(rows, fitting(kernel, tileVectors));
  stride = llvm::alignTo(across, tileVectors) * width;
}

/// Blocks of as many queries as there are, if possible: what is past the end is
/// computed, too. Of a tile, a load costs half of a product.
Offers AttentionSkeleton::offer() {
  auto size = dyn_cast<AffineConstantExpr>(
      pattern.shape(kernel.names)[pattern.keyDim() - 2]);
  int64_t most = maxVectors(kernel), least = 0;
  Offers offers;
  for (int64_t vectors : {most, most - 1, most / 2, int64_t(1)}) {
    int64_t rows = vectors * width * (widestTile / most);
    int64_t computed = size ? llvm::alignTo(size.getValue(), rows) : rows;
    int64_t products = vectors * fitting(kernel, vectors);
    int64_t loads = vectors + fitting(kernel, vectors);
    int64_t cost = computed * (2 * products + loads) * widestTile / products;
    bool isBest = size && (offers.empty() || cost < least);
    if (isBest)
      least = cost;
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

/// An i1: whether the mask hides the keys from this one on from the block.
Value AttentionSkeleton::isHidden(const Block &block, Value key) {
  Value end = add(block.first, block.count); // one past the last row
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ugt,
                               causal->orEqual ? add(key, 1) : key,
                               b.createOrFold<arith::SubIOp>(end, index(1)));
}

/// The block of keys from this one on.
LogicalResult AttentionSkeleton::emitKeys(const Block &block, Value key) {
  Value count = left(key, loops.sizes[pattern.keyDim()], keys);
  auto seen = [&] {
    return failure(failed(multiplyKeys(block, key, count)) ||
                   failed(weigh(block, key, count)) ||
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
