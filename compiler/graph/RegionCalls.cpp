//===- RegionCalls.cpp - Branches and loops as nodes ----------------------===//

#include "compiler/graph/RegionCalls.h"

#include "ir/tx/Control.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace tensorc::graph {

bool hasRegions(StringRef name) {
  return name == tx::IfOp::getOperationName() ||
         name == tx::WhileOp::getOperationName() ||
         name == tx::ScanOp::getOperationName() ||
         name == tx::CustomVjpOp::getOperationName() ||
         name == tx::StopGradientOp::getOperationName();
}

std::string regionText(Operation *op) {
  Location loc = UnknownLoc::get(op->getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  auto b = OpBuilder::atBlockEnd(module->getBody());
  auto function = func::FuncOp::create(
      b, loc, "main",
      b.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToEnd(entry);
  Operation *inside = b.clone(*op);
  inside->setOperands(entry->getArguments());
  func::ReturnOp::create(b, loc, inside->getResults());
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return text;
}

Operation *regionFromText(OpBuilder &b, Location loc, StringRef text,
                          ValueRange inputs) {
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(b.getContext()));
  assert(module && "regionText made it");
  auto function = *module->getOps<func::FuncOp>().begin();
  Operation *op = b.clone(function.getBody().front().front());
  op->setOperands(inputs);
  op->walk([&](Operation *each) { each->setLoc(loc); });
  return op;
}

} // namespace tensorc::graph
