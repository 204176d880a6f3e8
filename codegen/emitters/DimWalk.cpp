//===- DimWalk.cpp - The loops of a fusion that walks along one dim -------===//

#include "codegen/emitters/DimWalk.h"

using namespace mlir;

namespace tensorc::codegen {

static bool walks(Operation *op) {
  return op && (op->hasTrait<tx::Scan>() || op->hasTrait<tx::Sort>());
}

FailureOr<DimWalk> DimWalk::create(KernelBuilder &kernel) {
  DimWalk walk;
  for (Operation &op : kernel.body().without_terminator())
    if (walks(&op))
      walk.ops.push_back(&op);
  if (walk.ops.empty())
    return kernel.fusion.emitOpError("has no scan and no sort");
  auto dimAttr = walk.ops.front()->getAttrOfType<IntegerAttr>("dim");
  for (Operation *op : walk.ops)
    if (op->getOperand(0) != walk.operand() || op->getAttr("dim") != dimAttr)
      return op->emitError("walks otherwise than its fusion");
  unsigned dim = dimAttr.getInt();
  SmallVector<AffineExpr> shape = kernel.dims(walk.operand());
  analysis::Index all =
      analysis::IterationSpace(kernel.names, shape).identity();
  SmallVector<std::pair<Value, analysis::Index>> roots{{walk.operand(), all}};
  for (Value root : kernel.yield().getValues()) {
    if (kernel.dims(root) != shape)
      return kernel.fusion.emitOpError("outputs of a walk differ in shape");
    roots.push_back({root, all});
  }
  auto isBound = [](Value v) { return walks(v.getDefiningOp()); };
  if (failed(verifyReadInPlace(kernel, shape, roots, isBound, all)))
    return failure();
  walk.loops = collapseDims(kernel, shape, roots, isBound, [&](unsigned d) {
    return d != dim && d + 1 != dim;
  });
  if (!llvm::is_contained(walk.loops.innermost, dim))
    walk.loops.addUnitLoop(dim, kernel.names);
  for (auto [loop, innermost] : llvm::enumerate(walk.loops.innermost)) {
    if (innermost == dim)
      walk.walkLoop = loop;
    else
      walk.rowLoops.push_back(loop);
  }
  return walk;
}

bool DimWalk::walksInnermost() const {
  auto size = dyn_cast<AffineConstantExpr>(length());
  bool isUnit = size && size.getValue() == 1;
  return rowLoops.empty() || (walkLoop > rowLoops.back() && !isUnit);
}

SmallVector<AffineExpr> DimWalk::rowSizes() const {
  SmallVector<AffineExpr> sizes;
  for (unsigned loop : rowLoops)
    sizes.push_back(loops.sizes[loop]);
  return sizes;
}

SmallVector<Value> DimWalk::dimsOf(ArrayRef<Value> rowIndex) const {
  SmallVector<Value> dims(loops.sizes.size());
  for (auto [loop, value] : llvm::zip(rowLoops, rowIndex))
    dims[loop] = value;
  return dims;
}

LogicalResult storeOutputs(KernelBuilder &kernel, const DimWalk &walk,
                           ExpressionEmitter &elements) {
  for (auto [i, root] : llvm::enumerate(kernel.yield().getValues())) {
    FailureOr<Value> element = elements.emitLanes(root, walk.loops.index);
    if (failed(element))
      return failure();
    elements.store(*element, i, walk.loops.index);
  }
  return success();
}

} // namespace tensorc::codegen
