//===- AttentionOperands.cpp - Loads q, k and v to shared memory ----------===//

#include "codegen/emitters/scalar/ScalarOps.h"
#include "codegen/emitters/simt/attention/AttentionTile.h"
#include "codegen/kernel/ops/Txk.h"
#include "ir/tx/Tx.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tensorc::codegen::simt {

using analysis::Index;
using Values = SmallVector<Value>;

/// Determines along which dim the operand is contiguous, and how many elements
/// are accessed at once.
void AttentionTile::planOperand(Operand &o, bool alwaysMNMajor,
                                int64_t padding) {
  o.padding = padding;
  o.readAlongSteps = isAlong(o.value, o.index, o.stepLoop, *space);
  o.storedAlongSteps = o.readAlongSteps && !alwaysMNMajor;
  if (o.readAlongSteps != o.storedAlongSteps)
    return;
  unsigned loop = o.readAlongSteps ? o.stepLoop : o.mnLoop;
  auto size = dyn_cast<AffineConstantExpr>(loops.sizes[loop]);
  std::pair<Value, Index> root{o.value, o.index};
  if (!size ||
      !readsVectors(kernel, *space, root, [](Value) { return false; }, loop))
    return;
  int64_t maxLanes = std::max<int64_t>(1, kernel.target.getVectorBytes() /
                                              bytesOf(operandType(o)));
  o.lanes = dividingLanes(maxLanes, size.getValue());
}

/// Returns the input that an operand equals up to reshapes and transposes, and
/// the index in that input.
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
  if (!kernel.target.hasAsyncCopies() || !input || kernel.isScalar(input) ||
      o.lanes * bytesOf(operandType(o)) != kernel.target.getVectorBytes())
    return;
  unsigned loop = o.readAlongSteps ? o.stepLoop : o.mnLoop;
  AffineExpr rest = space->dropMultiples(
      space->linearize(index, kernel.dims(value)), loops.sizes[loop]);
  SmallVector<AffineExpr> dims(space->identity());
  dims[loop] = dims[loop] * o.lanes;
  if (!space->simplify(rest.replaceDims(dims)).isMultipleOf(o.lanes))
    return;
  o.source = input;
  o.sourceIndex = index;
}

/// Stores `lanes` elements to shared memory; zeros if `inside` is false.
LogicalResult AttentionTile::put(const Operand &o, const Values &at,
                                 Value inside, Value to) {
  unsigned loop = o.readAlongSteps ? o.stepLoop : o.mnLoop;
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

/// Fills the operand's tile in shared memory by coalesced reads.
LogicalResult AttentionTile::fill(const Operand &o, const Values &dims) {
  int64_t perLine = (o.readAlongSteps ? o.steps : o.mnSize) / o.lanes;
  auto access = [&](Value fast, Value slow) {
    fast = mul(kernel, fast, indexConstant(kernel, o.lanes));
    Value mn = o.readAlongSteps ? slow : fast;
    Value step = o.readAlongSteps ? fast : slow;
    Values at = dims;
    at[o.mnLoop] = add(kernel, dims[o.mnLoop], mn);
    at[o.stepLoop] = add(kernel, dims[o.stepLoop], step);
    Value inside =
        both(isBelow(at[o.mnLoop], loops.sizes[o.mnLoop], o.mnSize),
             isBelow(at[o.stepLoop], loops.sizes[o.stepLoop], o.steps));
    Value outer = o.storedAlongSteps ? mn : step;
    Value inner = o.storedAlongSteps ? step : mn;
    Value to = add(
        kernel, mul(kernel, outer, indexConstant(kernel, o.stride())), inner);
    return put(o, at, inside, to);
  };
  Value perLineValue = indexConstant(kernel, perLine);
  int64_t accesses = o.mnSize * o.steps / o.lanes;
  // Copies are a few instructions, with constant distances if their lines have.
  if (o.isCopied() && threads % perLine == 0 && accesses % threads == 0) {
    Value fast = rem(kernel, thread, perLineValue);
    Value first = div(kernel, thread, perLineValue);
    for (int64_t i = 0; i < accesses / threads; ++i) {
      Value line = indexConstant(kernel, i * (threads / perLine));
      if (failed(access(fast, add(kernel, first, line))))
        return failure();
    }
    return success();
  }
  auto body = [&](Value i, ValueRange) -> FailureOr<Values> {
    if (failed(
            access(rem(kernel, i, perLineValue), div(kernel, i, perLineValue))))
      return failure();
    return Values();
  };
  return success(succeeded(forRange(
      kernel, thread, indexConstant(kernel, accesses), threads, {}, body)));
}

Values AttentionTile::nextKeys(const Values &dims) {
  Values next = dims;
  next[kLoops[0]] = add(kernel, dims[kLoops[0]], indexConstant(kernel, keys));
  return next;
}

LogicalResult AttentionTile::beginCopy(const Operand &o, const Values &dims) {
  Value exists = less(kernel, dims[kLoops[0]], kernel.size(count));
  if (failed(when(kernel, exists, [&] { return fill(o, dims); })))
    return failure();
  txk::CopyCommitOp::create(b);
  return success();
}

} // namespace tensorc::codegen::simt
