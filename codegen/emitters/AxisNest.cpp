//===- AxisNest.cpp - Loops of scans and sorts along an axis --------------===//

#include "codegen/emitters/AxisNest.h"

using namespace mlir;

namespace tensorc::codegen {

static bool isAlongAxis(Operation *op) {
  return op && (op->hasTrait<tx::Scan>() || op->hasTrait<tx::Sort>());
}

FailureOr<AxisNest> AxisNest::create(KernelBuilder &kernel) {
  AxisNest nest;
  for (Operation &op : kernel.body().without_terminator())
    if (isAlongAxis(&op))
      nest.ops.push_back(&op);
  if (nest.ops.empty())
    return kernel.fusion.emitOpError("has no scan and no sort");
  auto dimAttr = nest.ops.front()->getAttrOfType<IntegerAttr>("dim");
  for (Operation *op : nest.ops)
    if (op->getOperand(0) != nest.operand() || op->getAttr("dim") != dimAttr)
      return op->emitError("is along another axis than its fusion");
  unsigned dim = dimAttr.getInt();
  SmallVector<AffineExpr> shape = kernel.dims(nest.operand());
  analysis::Index all =
      analysis::IterationSpace(kernel.names, shape).identity();
  SmallVector<std::pair<Value, analysis::Index>> roots{{nest.operand(), all}};
  SmallVector<AffineExpr> stored = kernel.dims(kernel.yield().getValues()[0]);
  for (Value root : kernel.yield().getValues()) {
    if (kernel.dims(root) != stored)
      return kernel.fusion.emitOpError("outputs of a nest differ in shape");
    roots.push_back({root, all});
  }
  nest.storedLength = stored[dim];
  if (nest.ops.front()->hasTrait<tx::Sort>())
    stored[dim] = shape[dim];
  if (stored != shape)
    return kernel.fusion.emitOpError("stores what its axis does not have");
  auto isBound = [](Value v) { return isAlongAxis(v.getDefiningOp()); };
  if (failed(verifyReadInPlace(kernel, shape, roots, isBound, all)))
    return failure();
  nest.loops = collapseDims(kernel, shape, roots, isBound, [&](unsigned d) {
    return d != dim && d + 1 != dim;
  });
  if (!llvm::is_contained(nest.loops.innermost, dim))
    nest.loops.addUnitLoop(dim, kernel.names);
  for (auto [loop, innermost] : llvm::enumerate(nest.loops.innermost)) {
    if (innermost == dim)
      nest.axisLoop = loop;
    else
      nest.rowLoops.push_back(loop);
  }
  return nest;
}

bool AxisNest::axisIsInnermost() const {
  auto size = dyn_cast<AffineConstantExpr>(length());
  bool isUnit = size && size.getValue() == 1;
  return rowLoops.empty() || (axisLoop > rowLoops.back() && !isUnit);
}

SmallVector<AffineExpr> AxisNest::rowSizes() const {
  SmallVector<AffineExpr> sizes;
  for (unsigned loop : rowLoops)
    sizes.push_back(loops.sizes[loop]);
  return sizes;
}

SmallVector<Value> AxisNest::dimsOf(ArrayRef<Value> rowIndex) const {
  SmallVector<Value> dims(loops.sizes.size());
  for (auto [loop, value] : llvm::zip(rowLoops, rowIndex))
    dims[loop] = value;
  return dims;
}

} // namespace tensorc::codegen
