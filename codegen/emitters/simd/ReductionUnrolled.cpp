//===- ReductionUnrolled.cpp - Column reductions with a short last dim ----===//
//
//   forces on 1024 particles, each a sum over 1024 others, with 3 components
// becomes, with particles as lanes (a work item is a vector of them):
//   x = y = z = neutral
//   for each other particle: x += .., y += .., z += ..
//   store x, y and z
//
// If the last kept dim were vectorized, 3 of a register's 16 lanes would be
// used. Common subexpressions of the components are computed once, and loop
// invariants are loaded before the loop. A column's elements are combined in
// the same order by all schedules, so the results are the same bits.
//
//===----------------------------------------------------------------------===//

#include "codegen/emitters/Emitters.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/plans/Orders.h"
#include "codegen/emitters/simd/ReductionSplit.h"
#include "codegen/kernel/CpuCosts.h"

using namespace mlir;

namespace tensorc::codegen::simd {

using analysis::Index;
using Values = SmallVector<Value>;

static bool dependsOn(const Index &index, unsigned loop) {
  return llvm::any_of(index,
                      [&](AffineExpr e) { return e.isFunctionOfDim(loop); });
}

Index ReductionCopies::indexOf(int64_t copy) const {
  if (!loop)
    return plan.loops.index;
  SmallVector<AffineExpr> dims = plan.space->identity();
  dims[*loop] = plan.constant(copy);
  Index index;
  for (AffineExpr e : plan.loops.index)
    index.push_back(plan.space->simplify(e.replaceDims(dims)));
  return index;
}

/// Loads, before the reduced loops, the elements whose index does not depend on
/// these loops. Where their lanes are not contiguous, LLVM would otherwise
/// repeat the gather in each step.
LogicalResult ReductionCopies::readOnce(const Values &dims, Value mask) {
  reads.assign(count, {});
  if (!loop)
    return success();
  Values at = dims;
  for (unsigned reduced : plan.reducedLoops)
    at[reduced] = indexConstant(plan.kernel, 0);
  ExpressionEmitter elements(plan.kernel, *plan.space, at, plan.lanes, mask);
  for (int64_t copy = 0; copy < count; ++copy) {
    LogicalResult isRead = success();
    auto onRead = [&](Value v, const Index &index) {
      auto argument = dyn_cast<BlockArgument>(v);
      auto changes = [&](unsigned loop) { return dependsOn(index, loop); };
      if (failed(isRead) || !argument || plan.kernel.isScalar(argument) ||
          llvm::any_of(plan.reducedLoops, changes))
        return;
      FailureOr<Value> element = elements.emit(v, index);
      if (failed(element))
        isRead = failure();
      else
        reads[copy].push_back({v, index, *element});
    };
    for (ReductionPlan::Reduction &r : plan.reductions)
      analysis::walkReads(
          r.op->getOperand(0), indexOf(copy), *plan.space,
          [&](Value s) { return plan.kernel.symbolOf(s); },
          [](Value) { return false; }, onRead, [](const analysis::Guard &) {});
    if (failed(isRead))
      return failure();
  }
  return success();
}

namespace {
class UnrolledColumns : public ReductionSkeleton {
public:
  using ReductionSkeleton::ReductionSkeleton;

  bool matches();
  FailureOr<Offers> offer();

private:
  bool readsInLanes();
};
} // namespace

/// True if all reads are at static positions and unguarded, and every read that
/// depends on both the reduced loops and the lanes is contiguous along the
/// lanes (and copies).
bool UnrolledColumns::readsInLanes() {
  for (Operation &op : kernel.body().without_terminator())
    if (llvm::any_of(op.getOpOperands(), analysis::isReadAnywhere))
      return false;
  bool reads = true;
  auto onRead = [&](Value v, const Index &index) {
    auto argument = dyn_cast<BlockArgument>(v);
    if (!argument || kernel.isScalar(argument))
      return;
    AffineExpr position = space->linearize(index, kernel.dims(v));
    if (!position.isFunctionOfDim(lanes->dim) ||
        llvm::none_of(reducedLoops, [&](unsigned loop) {
          return position.isFunctionOfDim(loop);
        }))
      return;
    auto along = analysis::linearIn(position, lanes->dim, *space);
    auto step = along ? constantOf(along->coefficient) : std::nullopt;
    bool hasCopies = position.isFunctionOfDim(*copies.loop);
    reads &= step && *step == (hasCopies ? copies.count : 1);
  };
  for (Reduction &r : reductions)
    walkReads(
        r.op->getOperand(0), loops.index, *space,
        [&](Value s) { return kernel.symbolOf(s); },
        [](Value) { return false; }, onRead,
        [&](const analysis::Guard &) { reads = false; });
  return reads;
}

bool UnrolledColumns::matches() {
  int64_t width = registerLanes(kernel);
  if (failed(planUnrolled(width)) || phases != 1 || storesElements())
    return false;
  std::optional<int64_t> along = constantOf(loops.sizes[lanes->dim]);
  return (!along || *along >= width) && readsInLanes();
}

FailureOr<Offers> UnrolledColumns::offer() {
  int64_t widest = kernel.costs().maxCopyRegisters * registerLanes(kernel);
  if (failed(planUnrolled(widest)))
    return failure();
  Offers offers;
  for (int64_t width : {widest, 2 * widest, widest / 2}) {
    lanes->width = width;
    bool split = SplitReduction(*this).isProfitable();
    for (bool two : {split, !split})
      offers.push_back({{"kernels", two ? 2 : 1}, {"lanes", width}});
  }
  return offers;
}

static FailureOr<EmittedKernels> emitUnrolled(KernelBuilder &kernel) {
  tx::OrderAttr order = kernel.fusion.getOrderAttr();
  int64_t lanes = kernel.scheduled("lanes");
  return emitReduction(kernel, [&](KernelBuilder &kernel) {
    auto columns = std::make_unique<UnrolledColumns>(kernel, order);
    return succeeded(columns->planUnrolled(lanes)) ? std::move(columns)
                                                   : nullptr;
  });
}

const Skeleton columnUnrolled = {
    .name = "unrolled",
    .kind = tx::kinds::column,
    .match =
        [](KernelBuilder &fusion, tx::OrderAttr order) {
          return UnrolledColumns(fusion, order).matches();
        },
    .schedules =
        [](KernelBuilder &fusion, tx::OrderAttr order) {
          return UnrolledColumns(fusion, order).offer();
        },
    .emit = emitUnrolled,
    .order = reductionOrder};

} // namespace tensorc::codegen::simd
