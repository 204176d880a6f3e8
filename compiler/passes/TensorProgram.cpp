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
      return op.emitOpError("is no tx op, of which a program consists");
  return success();
}

SmallVector<bool> inputsByValue(tx::FusionOp fusion) {
  SmallVector<bool> byValue;
  for (Value input : fusion.getInputs())
    byValue.push_back(tx::isByValue(input));
  return byValue;
}

} // namespace tensorc::compiler
