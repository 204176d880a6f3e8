//===- TensorProgram.cpp - Helpers of passes over tensors -----------------===//

#include "compiler/transforms/passes/TensorProgram.h"
#include "ir/program/LaunchAttributes.h"
#include "ir/tx/Control.h"

#include "mlir/IR/AsmState.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace tensorc::compiler {

bool hasPlans(Operation *function) {
  return function->getParentOp()->hasAttr(txp::plannedSizesAttr);
}

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

std::string keyOfBody(tx::FusionOp fusion) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto flags =
      OpPrintingFlags().useLocalScope().printGenericOpForm().assumeVerified();
  AsmState names(fusion, flags);
  os << fusion.getKind() << " " << fusion.getOrderAttr() << "\n";
  for (auto [input, isWord] : llvm::zip_equal(
           fusion.getBody().front().getArguments(), inputsByValue(fusion))) {
    input.printAsOperand(os, names);
    os << ": " << input.getType() << (isWord ? " by value\n" : "\n");
  }
  for (Operation &op : fusion.getBody().front()) {
    op.print(os, names);
    os << "\n";
  }
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
      {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
  return llvm::utohexstr(hash.high64, /*LowerCase=*/true, 16) +
         llvm::utohexstr(hash.low64, /*LowerCase=*/true, 16);
}

} // namespace tensorc::compiler
