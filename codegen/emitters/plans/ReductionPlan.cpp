//===- ReductionPlan.cpp - Loops and phases of a reduction ----------------===//

#include "codegen/emitters/plans/ReductionPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tensorc::codegen {

using analysis::Index;

static bool isReduction(Operation *op) {
  return op && op->hasTrait<tx::Reduction>();
}

static ArrayRef<int64_t> reducedDims(Operation *op) {
  return cast<DenseI64ArrayAttr>(op->getAttr("dims")).asArrayRef();
}

unsigned ReductionPlan::phaseOf(Value v, DenseMap<Value, unsigned> &memo) {
  // Ops are visited in order, so `memo` already contains the operands of
  // reductions.
  auto it = memo.find(v);
  return it == memo.end() ? 0 : it->second;
}

LogicalResult ReductionPlan::findReductions() {
  DenseMap<Value, unsigned> after;
  for (Operation &op : kernel.body().without_terminator()) {
    unsigned phase = 0;
    for (Value operand : op.getOperands())
      phase = std::max(phase, phaseOf(operand, after));
    if (isReduction(&op)) {
      SmallVector<AffineExpr> dims = kernel.dims(op.getOperand(0));
      SmallVector<bool> reduced(dims.size(), false);
      for (int64_t d : reducedDims(&op))
        reduced[d] = true;
      if (reductions.empty()) {
        shape = dims;
        isReduced = reduced;
      } else if (shape != dims || isReduced != reduced) {
        return op.emitError("reduces other dims than its fusion");
      }
      reductions.push_back({&op, phase, Combiner(kernel, &op)});
      phases = std::max(phases, ++phase);
    }
    for (Value result : op.getResults())
      after[result] = phase;
  }
  if (reductions.empty())
    return kernel.fusion.emitOpError("has no reduction");
  return success();
}

Index ReductionPlan::keptIndex() {
  Index index;
  for (auto [d, expr] : llvm::enumerate(loops.index))
    if (!isReduced[d])
      index.push_back(expr);
  return index;
}

LogicalResult ReductionPlan::findLoops(bool wantsKeptLoop) {
  analysis::IterationSpace operandSpace(kernel.names, shape);
  Index all = operandSpace.identity(), kept;
  for (auto [d, expr] : llvm::enumerate(all))
    if (!isReduced[d])
      kept.push_back(expr);
  SmallVector<std::pair<Value, Index>> roots;
  for (Value root : kernel.yield().getValues())
    roots.push_back({root, isElementLevel(root) ? all : kept});
  // Results of reductions are indexed by the kept dims.
  for (Reduction &r : reductions) {
    roots.push_back({r.op->getResult(0), kept});
    roots.push_back({r.op->getOperand(0), all});
  }
  auto isBound = [](Value v) { return isReduction(v.getDefiningOp()); };
  if (failed(verifyReadInPlace(kernel, shape, roots, isBound, kept)))
    return failure();
  loops = collapseDims(kernel, shape, roots, isBound, [&](unsigned d) {
    return isReduced[d] == isReduced[d + 1];
  });
  // Lanes need a loop over kept dims, and accumulation needs a loop over
  // reduced dims, even if it has only one iteration.
  for (bool reduced : {false, true}) {
    auto dims = llvm::make_filter_range(
        llvm::seq<unsigned>(0, shape.size()),
        [&](unsigned d) { return isReduced[d] == reduced; });
    bool needed = reduced || wantsKeptLoop;
    if (needed && llvm::none_of(loops.innermost, [&](unsigned d) {
          return isReduced[d] == reduced;
        }))
      loops.addUnitLoop(*dims.begin(), kernel.names);
  }
  space.emplace(kernel.names, loops.sizes);
  for (auto [loop, d] : llvm::enumerate(loops.innermost))
    (isReduced[d] ? reducedLoops : keptLoops).push_back(loop);
  return success();
}

bool ReductionPlan::storesElements() {
  return llvm::any_of(kernel.yield().getValues(),
                      [&](Value root) { return isElementLevel(root); });
}

bool ReductionPlan::storesElementsOfResults() {
  // True if the value depends on a reduction's result.
  DenseMap<Value, bool> memo;
  for (Operation &op : kernel.body().without_terminator()) {
    bool needs =
        isReduction(&op) ||
        llvm::any_of(op.getOperands(), [&](Value v) { return memo.lookup(v); });
    for (Value result : op.getResults())
      memo[result] = needs;
  }
  return llvm::any_of(kernel.yield().getValues(), [&](Value root) {
    return isElementLevel(root) && memo.lookup(root);
  });
}

ReductionPlan::Values ReductionPlan::neutral(ArrayRef<Reduction *> active) {
  Values values;
  for (Reduction *r : active)
    llvm::append_range(values, r->combiner.neutral(lanes ? lanes->width : 0));
  return values;
}

FailureOr<ReductionPlan::Values>
ReductionPlan::combineAll(ArrayRef<Reduction *> active, ValueRange x,
                          ValueRange y) {
  Values values;
  for (Reduction *r : active) {
    unsigned n = r->combiner.stateSize();
    auto state = r->combiner.combine(x.take_front(n), y.take_front(n));
    if (failed(state))
      return failure();
    llvm::append_range(values, *state);
    x = x.drop_front(n);
    y = y.drop_front(n);
  }
  return values;
}

Value ReductionPlan::position(ExpressionEmitter &elements) {
  SmallVector<AffineExpr> sizes;
  Index index;
  for (auto [d, expr] : llvm::enumerate(loops.index))
    if (isReduced[d]) {
      sizes.push_back(shape[d]);
      index.push_back(expr);
    }
  AffineExpr linear = space->linearize(index, sizes);
  if (!lanes)
    return arith::IndexCastOp::create(b, b.getI64Type(),
                                      elements.indexValue(linear));
  return arith::IndexCastOp::create(
      b, VectorType::get({lanes->width}, b.getI64Type()),
      elements.laneIndex(linear));
}

FailureOr<ReductionPlan::Values>
ReductionPlan::accumulate(ArrayRef<Reduction *> active,
                          ExpressionEmitter &elements, ValueRange states) {
  Values next;
  for (Reduction *r : active) {
    Value operand = r->op->getOperand(0);
    FailureOr<Value> element = lanes ? elements.emitLanes(operand, loops.index)
                                     : elements.emit(operand, loops.index);
    if (failed(element))
      return failure();
    Value at = r->combiner.needsPosition() ? position(elements) : Value();
    unsigned n = r->combiner.stateSize();
    auto state =
        r->combiner.combine(states.take_front(n), r->combiner.of(*element, at));
    if (failed(state))
      return failure();
    llvm::append_range(next, *state);
    states = states.drop_front(n);
  }
  return next;
}

FailureOr<ReductionPlan::Values>
ReductionPlan::acrossLanes(ArrayRef<Reduction *> active, ValueRange states) {
  Values scalars;
  for (Reduction *r : active) {
    unsigned n = r->combiner.stateSize();
    auto one = r->combiner.acrossLanes(Combiner::State(states.take_front(n)));
    if (failed(one))
      return failure();
    llvm::append_range(scalars, *one);
    states = states.drop_front(n);
  }
  return scalars;
}

void ReductionPlan::setResults(ArrayRef<Reduction *> active,
                               ValueRange states) {
  for (Reduction *r : active) {
    unsigned n = r->combiner.stateSize();
    results[r->op->getResult(0)] = r->combiner.result(states.take_front(n));
    states = states.drop_front(n);
  }
}

LogicalResult ReductionPlan::storeAtKept(ExpressionEmitter &elements) {
  return elements.storeOutputs(
      keptIndex(), {}, [&](Value root) { return !isElementLevel(root); });
}

LogicalResult ReductionPlan::storeAtElement(ExpressionEmitter &elements,
                                            Value streaming) {
  return elements.storeOutputs(
      loops.index, streaming, [&](Value root) { return isElementLevel(root); });
}

SmallVector<ReductionPlan::Reduction *> ReductionPlan::inPhase(unsigned phase) {
  SmallVector<Reduction *> active;
  for (Reduction &r : reductions)
    if (r.phase == phase)
      active.push_back(&r);
  return active;
}

} // namespace tensorc::codegen
