//===- BufferAliases.cpp - Values that may be the same buffer -------------===//

#include "compiler/transforms/passes/memory/BufferAliases.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tensorc::compiler {

void aliasesAfter(OpOperand &use, SmallVectorImpl<Value> &out) {
  Operation *user = use.getOwner();
  if (isa<scf::YieldOp, scf::ConditionOp>(user))
    user = user->getParentOp();
  if (!isa<txp::ViewOp, txp::CallOp, arith::SelectOp>(user) &&
      user->getNumRegions() == 0)
    return;
  auto add = [&](Value value) {
    if (isa<txp::BufferType>(value.getType()))
      out.push_back(value);
  };
  llvm::for_each(user->getResults(), add);
  for (Region &region : user->getRegions())
    llvm::for_each(region.getArguments(), add);
}

SmallVector<Value> aliasesOf(Value buffer) {
  SmallVector<Value> found = {buffer};
  DenseSet<Value> seen = {buffer};
  for (size_t i = 0; i < found.size(); ++i) {
    SmallVector<Value> next;
    for (OpOperand &use : found[i].getUses())
      aliasesAfter(use, next);
    for (Value value : next)
      if (seen.insert(value).second)
        found.push_back(value);
  }
  return found;
}

bool isSizeArithmetic(Operation *op) {
  return op && op->getNumRegions() == 0 && isPure(op) &&
         (isa<txp::DimOp>(op) || isa<arith::ArithDialect>(op->getDialect()));
}

bool isInvariant(Value value, Operation *loop) {
  if (!loop->isAncestor(value.getParentRegion()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  return isSizeArithmetic(op) && llvm::all_of(op->getOperands(), [&](Value v) {
           return isInvariant(v, loop);
         });
}

SmallVector<txp::ViewOp> viewsOfCarried(Block &block) {
  Operation *loop = block.getParentOp();
  SmallVector<txp::ViewOp> views;
  for (auto view : block.getOps<txp::ViewOp>())
    if (llvm::is_contained(block.getArguments(), view.getSource()) &&
        isInvariant(view.getOffset(), loop) &&
        isInvariant(view.getBytes(), loop))
      views.push_back(view);
  return views;
}

} // namespace tensorc::compiler
