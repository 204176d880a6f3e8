//===- Windows.cpp - Skeleton of reductions over few elements each --------===//
//
// A window of a pooling or of a depthwise convolution has few elements, which
// do not lie side by side, and its neighbour in the output has the same ones
// moved on. So lanes run along the output:
//
// for each row of the output:                (work items)
//   for each vector of lanes in it:
//     for each position of the window:       (emitted one by one)
//       state[position] = the elements there
//     combine the states by halves, and with neutral
//     store outputs
//
// The order is that of rows, where a position has a lane of its own: positions
// that share one are combined in turn, then lanes by halves. The neutral state
// changes nothing but the sign of a sum that is -0, so it is combined once, at
// the end, and not with each position; states that were never written are left
// out.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/plans/ReductionPlan.h"
#include "codegen/emitters/simd/Skeletons.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

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

namespace {
class WindowSkeleton : ReductionPlan {
public:
  WindowSkeleton(KernelBuilder &kernel, tx::OrderAttr order)
      : ReductionPlan(kernel), order(order) {}

  /// Whether the fusion reduces windows; says nothing if not.
  bool plan();
  FailureOr<KernelSpec> emit();

private:
  tx::OrderAttr order;
  int64_t positions = 0;

  bool fits();
  bool readsAlongLanes();
  LogicalResult emitLanes(Values dims, Value mask);
  FailureOr<Values> emitWindow(Reduction &r, Values dims, Value mask);
};
} // namespace

/// By what needs no loops.
bool WindowSkeleton::fits() {
  unsigned reductionOps = 0, ops = 0;
  positions = 1;
  for (Operation &op : kernel.body().without_terminator()) {
    // What moves elements is a place to read from.
    ops += !isa<tx::ConstantOp, tx::ReshapeOp, tx::TransposeOp, tx::BroadcastOp,
                tx::WindowsOp, tx::SliceOp>(op);
    if (!op.hasTrait<tx::Reduction>())
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
         static_cast<int64_t>(ops) * positions <= mostOps;
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

/// The reduction's result for a vector of windows.
FailureOr<WindowSkeleton::Values>
WindowSkeleton::emitWindow(Reduction &r, Values dims, Value mask) {
  SmallVector<AffineExpr> sizes;
  for (unsigned loop : reducedLoops)
    sizes.push_back(loops.sizes[loop]);
  SmallVector<Combiner::State> states(order.getLanes().front());
  for (int64_t p = 0; p < positions; ++p) {
    Values at = delinearize(kernel, indexConstant(kernel, p), sizes);
    bool beginsRow = p % cast<AffineConstantExpr>(sizes.back()).getValue() == 0;
    for (auto [loop, i] : llvm::zip(reducedLoops, at))
      dims[loop] = i;
    ExpressionEmitter elements(kernel, *space, dims, lanes, mask);
    elements.preferMasks();
    if (beginsRow)
      elements.prefetch(aheadBytes);
    FailureOr<Value> element =
        elements.emitLanes(r.op->getOperand(0), loops.index);
    if (failed(element))
      return failure();
    Combiner::State &state = states[p % states.size()];
    Combiner::State here = r.combiner.of(*element, {});
    if (state.empty()) {
      state = here;
      continue;
    }
    auto next = r.combiner.combine(state, here);
    if (failed(next))
      return failure();
    state = *next;
  }
  for (size_t half = states.size() / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i) {
      if (states[i + half].empty())
        continue;
      auto both = r.combiner.combine(states[i], states[i + half]);
      if (failed(both))
        return failure();
      states[i] = *both;
    }
  auto all =
      r.combiner.combine(r.combiner.neutral(lanes->width), states.front());
  if (failed(all))
    return failure();
  return Values(all->begin(), all->end());
}

LogicalResult WindowSkeleton::emitLanes(Values dims, Value mask) {
  results.clear();
  Reduction &r = reductions.front();
  FailureOr<Values> state = emitWindow(r, dims, mask);
  if (failed(state))
    return failure();
  results[r.op->getResult(0)] = r.combiner.result(*state);
  ExpressionEmitter elements(kernel, *space, dims, lanes, mask);
  bindResults(elements);
  return elements.storeOutputs(keptIndex());
}

FailureOr<KernelSpec> WindowSkeleton::emit() {
  int64_t run = itemVectors * lanes->width;
  AffineExpr row = loops.sizes[keptLoops.back()];
  SmallVector<AffineExpr> work;
  for (unsigned loop : ArrayRef(keptLoops).drop_back())
    work.push_back(loops.sizes[loop]);
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
    return forLanes(
        kernel, lower, upper, lanes->width,
        even ? constant(lanes->width) : AffineExpr(), {},
        [&](Value i, Value mask, ValueRange) -> FailureOr<Values> {
          dims[keptLoops.back()] = i;
          if (failed(emitLanes(dims, mask)))
            return failure();
          return Values();
        },
        /*mayRepeat=*/false);
  };
  if (failed(forRange(kernel, kernel.begin(), kernel.end(), 1, {}, item)))
    return failure();
  auto known = dyn_cast<AffineConstantExpr>(row);
  int64_t elements =
      positions * (known ? std::min(known.getValue(), run) : run) + 1;
  return kernel.finish(kernel.names.product(work),
                       constant(llvm::divideCeil(grainElements, elements)));
}

const Skeleton windows = {
    "windows",
    tx::kinds::row,
    [](KernelBuilder &fusion, tx::OrderAttr order) {
      return WindowSkeleton(fusion, order).plan();
    },
    offerNothing,
    [](KernelBuilder &kernel) -> FailureOr<EmittedKernels> {
      WindowSkeleton skeleton(kernel, kernel.fusion.getOrderAttr());
      if (!skeleton.plan())
        return kernel.fusion.emitOpError("has no windows");
      return single(skeleton.emit());
    },
    reductionOrder};

} // namespace tensorc::codegen::simd
