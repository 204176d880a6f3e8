//===- KLoops.cpp - Loops along K for blocks of steps ---------------------===//

#include "codegen/emitters/simd/contraction/amx/KLoops.h"
#include "codegen/emitters/plans/Constants.h"
#include "codegen/emitters/simd/contraction/parts/ColumnReads.h"

using namespace mlir;

namespace tensorc::codegen::simd {

/// Replaces the loops from `first` on by loops of the given sizes. `indices`
/// are the indices of the replaced loops in terms of the new ones. All of these
/// loops are K loops.
static void replaceLoops(ContractionPlan &plan, unsigned first,
                         ArrayRef<AffineExpr> indices,
                         ArrayRef<AffineExpr> sizes) {
  CollapsedDims &loops = plan.loops;
  unsigned innermost = loops.innermost.back();
  loops.sizes.truncate(first);
  loops.innermost.truncate(first);
  plan.kLoops.clear();
  for (AffineExpr size : sizes) {
    plan.kLoops.push_back(loops.sizes.size());
    loops.sizes.push_back(size);
    loops.innermost.push_back(innermost);
  }
  plan.space.emplace(plan.kernel.names, loops.sizes);
  SmallVector<AffineExpr> by;
  for (unsigned loop = 0; loop < first; ++loop)
    by.push_back(getAffineDimExpr(loop, plan.b.getContext()));
  llvm::append_range(by, indices);
  for (AffineExpr &e : loops.index)
    e = plan.space->simplify(e.replaceDims(by));
  plan.planIndices(loops.index);
}

/// True if the K loops are the last ones.
static bool areLast(const ContractionPlan &plan) {
  unsigned first = plan.loops.sizes.size() - plan.kLoops.size();
  for (auto [i, loop] : llvm::enumerate(plan.kLoops))
    if (loop != first + i)
      return false;
  return true;
}

void joinKLoops(ContractionPlan &plan) {
  if (plan.kLoops.size() < 2 || !areLast(plan))
    return;
  unsigned first = plan.kLoops.front();
  AffineExpr step = getAffineDimExpr(first, plan.b.getContext());
  AffineExpr size = plan.constant(1);
  SmallVector<AffineExpr> indices(plan.kLoops.size());
  for (size_t i = plan.kLoops.size(); i-- > 0;) {
    AffineExpr count = plan.loops.sizes[plan.kLoops[i]];
    if (i > 0 && !constantOf(count))
      return;
    indices[i] = step.floorDiv(size);
    if (i > 0)
      indices[i] = indices[i] % count;
    size = plan.kernel.names.simplify(size * count);
  }
  replaceLoops(plan, first, indices, {size});
}

/// Returns the positions of all inputs that the operands read.
static SmallVector<AffineExpr> positionsOf(ContractionPlan &plan,
                                           ArrayRef<Value> operands) {
  SmallVector<AffineExpr> positions;
  for (Value v : operands)
    walkMemory(plan, v, v == plan.operandX() ? plan.xIndex : plan.yIndex,
               *plan.space,
               [&](BlockArgument, const analysis::Index &,
                   AffineExpr position) { positions.push_back(position); });
  return positions;
}

bool splitKLoop(ContractionPlan &plan, ArrayRef<Value> operands,
                int64_t blockSteps) {
  if (plan.kLoops.size() != 1 || !areLast(plan))
    return false;
  unsigned loop = plan.kLoops.front();
  std::optional<int64_t> steps = constantOf(plan.loops.sizes[loop]);
  if (!steps)
    return false;
  auto areLinear = [&](ArrayRef<AffineExpr> positions, unsigned in) {
    return llvm::all_of(positions, [&](AffineExpr position) {
      return analysis::linearIn(position, in, *plan.space).has_value();
    });
  };
  SmallVector<AffineExpr> positions = positionsOf(plan, operands);
  if (areLinear(positions, loop))
    return false;
  SmallVector<int64_t> divisors;
  for (AffineExpr position : positions)
    position.walk([&](AffineExpr e) {
      if (e.getKind() != AffineExprKind::FloorDiv &&
          e.getKind() != AffineExprKind::Mod)
        return;
      auto binary = cast<AffineBinaryOpExpr>(e);
      std::optional<int64_t> by = constantOf(binary.getRHS());
      if (by && *by > 0 && binary.getLHS().isFunctionOfDim(loop) &&
          *by < *steps && *steps % *by == 0 && *by % blockSteps == 0)
        divisors.push_back(*by);
    });
  llvm::sort(divisors);
  divisors.erase(llvm::unique(divisors), divisors.end());
  MLIRContext *context = plan.b.getContext();
  for (int64_t by : llvm::reverse(divisors)) {
    ContractionPlan before(plan);
    replaceLoops(plan, loop,
                 {getAffineDimExpr(loop, context) * by +
                  getAffineDimExpr(loop + 1, context)},
                 {plan.constant(*steps / by), plan.constant(by)});
    if (areLinear(positionsOf(plan, operands), loop + 1))
      return true;
    plan.loops = before.loops;
    plan.kLoops = before.kLoops;
    plan.space.emplace(plan.kernel.names, plan.loops.sizes);
    plan.planIndices(plan.loops.index);
  }
  return false;
}

} // namespace tensorc::codegen::simd
