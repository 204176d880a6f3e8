//===- TensorProgram.cpp - What passes over tensors work on ---------------===//

#include "compiler/passes/TensorProgram.h"
#include "ir/tx/Control.h"

using namespace mlir;

namespace tensorc::compiler {

LogicalResult verifyTensorProgram(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitError("a program has one block");
  Block &block = function.getBody().front();
  if (!isa<func::ReturnOp>(block.getTerminator()))
    return function.emitError("a program ends with func.return");
  for (Operation &op : block.without_terminator())
    if (!isa_and_present<tx::TxDialect>(op.getDialect()))
      return op.emitOpError("is not a tx op; a program consists of them");
  return success();
}

SmallVector<bool> inputsByValue(tx::FusionOp fusion) {
  SmallVector<bool> byValue;
  for (Value input : fusion.getInputs())
    byValue.push_back(tx::isByValue(input));
  return byValue;
}

bool haveSameBody(tx::FusionOp a, tx::FusionOp b) {
  return a.getKind() == b.getKind() &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

size_t hashOfBody(tx::FusionOp fusion) {
  llvm::hash_code hash = llvm::hash_value(fusion.getKind());
  for (Operation &op : fusion.getBody().front())
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     &op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  return hash;
}

} // namespace tensorc::compiler
