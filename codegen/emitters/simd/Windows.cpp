//===- Windows.cpp - Skeleton of reductions over few elements each --------===//
//
// A window of a pooling or of a depthwise convolution has few elements, which
// do not lie side by side, and its neighbour in the output has the same ones
// moved on. So lanes run along the output:
//
// for each block of rows of the output:      (work items)
//   for each vector of lanes in them:
//     for each position of the window:       (emitted one by one)
//       for each row of the block:
//         state[position] = the elements there
//     combine the states by halves, and with neutral
//     store outputs
//
// The order is that of rows, where a position has a lane of its own: positions
// that share one are combined in turn, then lanes by halves. The neutral state
// changes nothing but the sign of a sum that is -0, so it is combined once, at
// the end, and not with each position; states that were never written are left
// out.
//
// Positions are emitted as the halves want them, so that few states wait in
// registers. Rows of a block share what they do not change: the weights, the
// columns that are inside, and the loop.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/plans/ReductionPlan.h"
#include "codegen/emitters/simd/Skeletons.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;

/// Positions of a window, and what is computed for all of them: more would take
/// long to compile.
static constexpr int64_t mostPositions = 64, mostOps = 256;
/// In rows of fewer elements the window's own are read together.
static constexpr int64_t shortRow = 3;
/// Elements from lane to lane.
static constexpr int64_t widestStep = 4;
/// Vectors of a work item.
static constexpr int64_t itemVectors = 16;
static constexpr int64_t grainElements = 16384;
/// Once per row of a window. Measured on a Zen 5: masked loads of a pooling are
/// not looked ahead for, and took four times as long.
static constexpr int64_t aheadBytes = 2048;
/// Rows of a block, and positions in all of them.
static constexpr int64_t mostRows = 4, mostPositionsOfRows = 100;

namespace {
class WindowSkeleton : ReductionPlan {
public:
  WindowSkeleton(KernelBuilder &kernel, tx::OrderAttr order)
      : ReductionPlan(kernel), order(order) {}

  /// Whether the fusion reduces windows; says nothing if not.
  bool plan();
  Offers offer();
  FailureOr<KernelSpec> emit();

private:
  tx::OrderAttr order;
  int64_t positions = 0;

  using States = SmallVector<Combiner::State, mostRows>;
  /// So many vectors below each other, the first of which is at the emitter's
  /// dims.
  struct Vectors {
    ExpressionEmitter elements;
    int64_t count;
  };

  bool fits();
  bool readsAlongLanes();
  unsigned rowLoop() const { return keptLoops[keptLoops.size() - 2]; }
  LogicalResult emitVectors(Values dims, Value mask, int64_t count);
  FailureOr<States> emitWindows(Reduction &r, Vectors &vectors);
  FailureOr<States> emitState(Reduction &r, Vectors &vectors, int64_t i,
                              int64_t step);
  FailureOr<States> emitPosition(Reduction &r, Vectors &vectors,
                                 int64_t position);
  LogicalResult combineInto(Reduction &r, States &states, const States &others);
  LogicalResult emitRows(Values dims, int64_t count, Value lower, Value upper,
                         bool even);
  LogicalResult emitBlock(Values dims, Value lower, Value upper, bool even);
};
} // namespace

/// By what needs no loops.
bool WindowSkeleton::fits() {
  unsigned reductionOps = 0;
  // Of all positions, and of what they are combined to.
  int64_t opsWithin = 0, opsBehind = 0;
  SmallPtrSet<Operation *, 16> within;
  positions = 1;
  for (Operation &op : llvm::reverse(kernel.body().without_terminator())) {
    bool isReduction = op.hasTrait<tx::Reduction>();
    bool isWithin = isReduction || within.contains(&op);
    // What moves elements is a place to read from.
    (isWithin ? opsWithin : opsBehind) +=
        !isa<tx::ConstantOp, tx::ReshapeOp, tx::TransposeOp, tx::BroadcastOp,
             tx::WindowsOp, tx::SliceOp>(op);
    if (isWithin)
      for (Value operand : op.getOperands())
        if (Operation *made = operand.getDefiningOp())
          within.insert(made);
    if (!isReduction)
      continue;
    ++reductionOps;
    if (isa<tx::ArgmaxOp, tx::ArgminOp>(op))
      return false;
    SmallVector<AffineExpr> dims = kernel.dims(op.getOperand(0));
    positions = 1;
    for (int64_t d : cast<DenseI64ArrayAttr>(op.getAttr("dims")).asArrayRef()) {
      auto size = dyn_cast<AffineConstantExpr>(dims[d]);
      if (!size || size.getValue() > mostPositions)
        return false;
      positions *= size.getValue();
    }
  }
  return reductionOps == 1 && positions > 0 && positions <= mostPositions &&
         positions <= order.getChunk() &&
         opsWithin * positions + opsBehind <= mostOps;
}

/// Whether memory is read along the lanes, or nearly so.
bool WindowSkeleton::readsAlongLanes() {
  unsigned laneLoop = keptLoops.back();
  bool any = false, all = true;
  analysis::walkReads(
      reductions.front().op->getOperand(0), loops.index, *space,
      [&](Value s) { return kernel.symbolOf(s); }, [](Value) { return false; },
      [&](Value v, const Index &index) {
        auto argument = dyn_cast<BlockArgument>(v);
        if (!argument || kernel.isScalar(argument))
          return;
        AffineExpr position = space->linearize(index, kernel.dims(v));
        if (!position.isFunctionOfDim(laneLoop))
          return;
        auto linear = analysis::linearIn(position, laneLoop, *space);
        auto step = linear ? dyn_cast<AffineConstantExpr>(linear->coefficient)
                           : AffineConstantExpr();
        any = true;
        all &= step && step.getValue() >= 1 && step.getValue() <= widestStep;
      },
      [](const analysis::Guard &) {});
  return any && all;
}

bool WindowSkeleton::plan() {
  if (!fits() || failed(findReductions()) || storesElements() ||
      llvm::all_of(isReduced, [](bool reduced) { return reduced; }) ||
      failed(findLoops(/*wantsKeptLoop=*/true)))
    return false;
  int64_t width = registerLanes(kernel);
  auto size = dyn_cast<AffineConstantExpr>(loops.sizes[keptLoops.back()]);
  bool isShort = size && size.getValue() < std::min(shortRow, positions);
  if (size)
    width = std::min<int64_t>(width, llvm::PowerOf2Ceil(size.getValue()));
  lanes = {keptLoops.back(), width};
  return width > 1 && !isShort && readsAlongLanes();
}

/// As many rows as share their weights' registers, of which none are left over.
Offers WindowSkeleton::offer() {
  int64_t most = 1;
  if (keptLoops.size() > 1)
    if (auto rows = dyn_cast<AffineConstantExpr>(loops.sizes[rowLoop()])) {
      most = std::min(
          {mostRows, mostPositionsOfRows / positions, rows.getValue()});
      for (int64_t count = most; count > 1; --count)
        if (rows.getValue() % count == 0) {
          most = count;
          break;
        }
    }
  Offers offers;
  for (int64_t count = std::max<int64_t>(most, 1); count > 0; --count)
    offers.push_back({{"rows", count}});
  return offers;
}

LogicalResult WindowSkeleton::combineInto(Reduction &r, States &states,
                                          const States &others) {
  for (auto [state, other] : llvm::zip(states, others)) {
    auto both = r.combiner.combine(state, other);
    if (failed(both))
      return failure();
    state = *both;
  }
  return success();
}

/// Where rows of the block and positions of windows are parts of the index, one
/// emitter knows what they have in common.
FailureOr<WindowSkeleton::States>
WindowSkeleton::emitPosition(Reduction &r, Vectors &vectors, int64_t position) {
  SmallVector<AffineExpr> dims = space->identity();
  bool beginsRow = true;
  for (unsigned loop : llvm::reverse(reducedLoops)) {
    int64_t size = cast<AffineConstantExpr>(loops.sizes[loop]).getValue();
    if (loop == reducedLoops.back())
      beginsRow = position % size == 0;
    dims[loop] = constant(position % size);
    position /= size;
  }
  vectors.elements.prefetch(beginsRow ? aheadBytes : 0);
  States states;
  for (int64_t row = 0; row < vectors.count; ++row) {
    if (vectors.count > 1)
      dims[rowLoop()] = space->identity()[rowLoop()] + row;
    Index index = llvm::map_to_vector(loops.index, [&](AffineExpr e) {
      return space->simplify(e.replaceDims(dims));
    });
    FailureOr<Value> element =
        vectors.elements.emitLanes(r.op->getOperand(0), index);
    if (failed(element))
      return failure();
    states.push_back(r.combiner.of(*element, {}));
  }
  return states;
}

/// State i when those from `step` on have been combined with those before them.
FailureOr<WindowSkeleton::States> WindowSkeleton::emitState(Reduction &r,
                                                            Vectors &vectors,
                                                            int64_t i,
                                                            int64_t step) {
  int64_t count = order.getLanes().front();
  bool isLeaf = step == count;
  FailureOr<States> states =
      isLeaf ? emitPosition(r, vectors, i) : emitState(r, vectors, i, step * 2);
  if (failed(states))
    return failure();
  for (int64_t next = i + step; next < positions; next += step) {
    FailureOr<States> others = isLeaf ? emitPosition(r, vectors, next)
                                      : emitState(r, vectors, next, step * 2);
    if (failed(others) || failed(combineInto(r, *states, *others)))
      return failure();
    if (!isLeaf)
      break;
  }
  return states;
}

/// The reduction's results for vectors of windows.
FailureOr<WindowSkeleton::States>
WindowSkeleton::emitWindows(Reduction &r, Vectors &vectors) {
  FailureOr<States> states = emitState(r, vectors, 0, 1);
  if (failed(states))
    return failure();
  States all(states->size(), r.combiner.neutral(lanes->width));
  if (failed(combineInto(r, all, *states)))
    return failure();
  return all;
}

LogicalResult WindowSkeleton::emitVectors(Values dims, Value mask,
                                          int64_t count) {
  Reduction &r = reductions.front();
  Vectors vectors{{kernel, *space, dims, lanes, mask}, count};
  vectors.elements.preferMasks();
  FailureOr<States> states = emitWindows(r, vectors);
  if (failed(states))
    return failure();
  for (auto [row, state] : llvm::enumerate(*states)) {
    results.clear();
    results[r.op->getResult(0)] = r.combiner.result(state);
    Values at = dims;
    if (row > 0)
      at[rowLoop()] = b.createOrFold<arith::AddIOp>(dims[rowLoop()],
                                                    indexConstant(kernel, row));
    ExpressionEmitter elements(kernel, *space, at, lanes, mask);
    bindResults(elements);
    if (failed(elements.storeOutputs(keptIndex())))
      return failure();
  }
  return success();
}

/// `count` rows from that of `dims` on, of what lies from `lower` to `upper`.
LogicalResult WindowSkeleton::emitRows(Values dims, int64_t count, Value lower,
                                       Value upper, bool even) {
  return forLanes(
      kernel, lower, upper, lanes->width,
      even ? constant(lanes->width) : AffineExpr(), {},
      [&](Value i, Value mask, ValueRange) -> FailureOr<Values> {
        dims[keptLoops.back()] = i;
        if (failed(emitVectors(dims, mask, count)))
          return failure();
        return Values();
      },
      /*mayRepeat=*/false);
}

/// The block of rows whose number `dims` has in the place of its row.
LogicalResult WindowSkeleton::emitBlock(Values dims, Value lower, Value upper,
                                        bool even) {
  int64_t block = kernel.scheduled("rows");
  if (block == 1)
    return emitRows(dims, 1, lower, upper, even);
  int64_t rows = cast<AffineConstantExpr>(loops.sizes[rowLoop()]).getValue();
  Value &first = dims[rowLoop()];
  first = b.createOrFold<arith::MulIOp>(first, indexConstant(kernel, block));
  if (rows % block == 0)
    return emitRows(dims, block, lower, upper, even);
  Value behind =
      b.createOrFold<arith::AddIOp>(first, indexConstant(kernel, block));
  Value isWhole = arith::CmpIOp::create(b, arith::CmpIPredicate::ule, behind,
                                        indexConstant(kernel, rows));
  auto ifOp = scf::IfOp::create(b, isWhole, /*withElseRegion=*/true);
  for (auto [body, count] :
       {std::pair(ifOp.thenBlock(), block), {ifOp.elseBlock(), rows % block}}) {
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPointToStart(body);
    if (failed(emitRows(dims, count, lower, upper, even)))
      return failure();
  }
  return success();
}

FailureOr<KernelSpec> WindowSkeleton::emit() {
  int64_t run = itemVectors * lanes->width, block = kernel.scheduled("rows");
  AffineExpr row = loops.sizes[keptLoops.back()];
  SmallVector<AffineExpr> work;
  for (unsigned loop : ArrayRef(keptLoops).drop_back())
    work.push_back(loops.sizes[loop]);
  if (block > 1)
    work.back() = kernel.names.simplify(work.back().ceilDiv(block));
  work.push_back(kernel.names.simplify(row.ceilDiv(run)));
  auto item = [&](Value item, ValueRange) -> FailureOr<Values> {
    Values at = delinearize(kernel, item, work), dims(loops.sizes.size());
    Value length = indexConstant(kernel, run);
    Value lower = b.createOrFold<arith::MulIOp>(at.pop_back_val(), length);
    Value upper = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(lower, length), kernel.size(row));
    for (auto [loop, value] : llvm::zip(keptLoops, at))
      dims[loop] = value;
    auto known = dyn_cast<AffineConstantExpr>(row);
    bool even = known && known.getValue() % lanes->width == 0;
    if (failed(emitBlock(dims, lower, upper, even)))
      return failure();
    return Values();
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, item)))
    return failure();
  auto known = dyn_cast<AffineConstantExpr>(row);
  int64_t elements =
      positions * block * (known ? std::min(known.getValue(), run) : run) + 1;
  return kernel.finish(kernel.names.product(work),
                       constant(llvm::divideCeil(grainElements, elements)));
}

const Skeleton windows = {
    "windows",
    tx::kinds::row,
    [](KernelBuilder &fusion, tx::OrderAttr order) {
      return WindowSkeleton(fusion, order).plan();
    },
    [](KernelBuilder &fusion, tx::OrderAttr order) -> FailureOr<Offers> {
      WindowSkeleton skeleton(fusion, order);
      if (!skeleton.plan())
        return fusion.fusion.emitOpError("has no windows");
      return skeleton.offer();
    },
    [](KernelBuilder &kernel) -> FailureOr<EmittedKernels> {
      WindowSkeleton skeleton(kernel, kernel.fusion.getOrderAttr());
      if (!skeleton.plan())
        return kernel.fusion.emitOpError("has no windows");
      return single(skeleton.emit());
    },
    reductionOrder};

} // namespace tensorc::codegen::simd
