//===- UniformFlow.cpp - Control flow that a block's threads share --------===//
//
// %t = gpu.thread_id x                      varies
// %b = gpu.block_id x                       is the same for all threads
// %i = scf.for ... iter_args(%s = %b)       varies if a bound, %b, or what the
//                                           loop yields does
//
//===----------------------------------------------------------------------===//

#include "compiler/transforms/passes/program/UniformFlow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tensorc::compiler {

UniformFlow::UniformFlow(gpu::GPUFuncOp function) {
  do {
    hasChanged = false;
    function.walk([&](Operation *op) { visit(op); });
  } while (hasChanged);
}

bool UniformFlow::varies(ValueRange values) const {
  return llvm::any_of(values, [&](Value v) { return varying.contains(v); });
}

void UniformFlow::mark(ValueRange values) {
  for (Value value : values)
    hasChanged |= varying.insert(value).second;
}

void UniformFlow::flow(ValueRange from, ValueRange to, bool all) {
  for (auto [source, target] : llvm::zip_equal(from, to))
    if (all || varying.contains(source))
      mark(target);
}

void UniformFlow::visit(Operation *op) {
  bool all = diverges(op);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (all)
      mark(loop.getInductionVar());
    for (ValueRange values : {ValueRange(loop.getInitArgs()),
                              ValueRange(loop.getYieldedValues())}) {
      flow(values, loop.getRegionIterArgs());
      flow(values, loop.getResults(), all);
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    flow(loop.getInits(), loop.getBeforeArguments());
    flow(loop.getYieldOp().getOperands(), loop.getBeforeArguments());
    ValueRange passed = loop.getConditionOp().getArgs();
    flow(passed, loop.getAfterArguments());
    flow(passed, loop.getResults(), all);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (branch.getNumResults() == 0)
      return;
    flow(branch.thenYield().getOperands(), branch.getResults(), all);
    flow(branch.elseYield().getOperands(), branch.getResults(), all);
  } else if (isa<gpu::GPUFuncOp>(op)) {
    // The arguments are the same for all threads of a launch.
  } else if (op->getNumRegions()) {
    mark(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        mark(block.getArguments());
  } else if (!isa<gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp,
                  gpu::SubgroupSizeOp, gpu::NumSubgroupsOp>(op)) {
    bool isThread = isa<gpu::ThreadIdOp, gpu::GlobalIdOp, gpu::LaneIdOp,
                        gpu::SubgroupIdOp, gpu::ShuffleOp>(op);
    if (isThread || !isMemoryEffectFree(op) || varies(op->getOperands()))
      mark(op->getResults());
  }
}

bool UniformFlow::diverges(Operation *op) const {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return varies({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return varies(loop.getConditionOp().getCondition());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return varies(branch.getCondition());
  return true;
}

Operation *UniformFlow::divergenceAround(Operation *op) const {
  for (; !isa<gpu::GPUFuncOp>(op->getParentOp()); op = op->getParentOp())
    if (diverges(op->getParentOp()))
      return op->getParentOp();
  return op->getBlock()->isEntryBlock() ? nullptr : op;
}

} // namespace tensorc::compiler
