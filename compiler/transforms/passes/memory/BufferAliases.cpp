//===- BufferAliases.cpp - Values that may be the same buffer -------------===//

#include "compiler/transforms/passes/memory/BufferAliases.h"

#include "ir/program/Txp.h"

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

} // namespace tensorc::compiler
