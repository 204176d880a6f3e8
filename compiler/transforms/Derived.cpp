//===- Derived.cpp - Programs made of recorded functions ------------------===//

#include "compiler/transforms/Derived.h"

#include "compiler/graph/module/FromModule.h"
#include "compiler/passes/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace tensorc::transforms {

using graph::Node;

void refuse(graph::Recorder &r, const char *op, mlir::Diagnostic &diagnostic,
            llvm::ArrayRef<Node *> order) {
  Node *node = graph::nodeAt(diagnostic.getLocation(), order);
  std::string message = diagnostic.str();
  llvm::StringRef text = message;
  // 'tx.sort' op is ... -> sort is ...
  auto [name, rest] = text.split("' op ");
  if (name.consume_front("'tx."))
    message = (name + " " + rest).str();
  graph::Recorder at(node ? node->location() : r.location, r.called);
  at.fail(op, message);
  if (r.error.empty())
    r.error = std::move(at.error);
}

mlir::LogicalResult simplify(mlir::func::FuncOp function) {
  mlir::PassManager pm(function.getContext(),
                       mlir::func::FuncOp::getOperationName());
  pm.addPass(compiler::createSimplifyTensorsPass());
  pm.addPass(mlir::createCSEPass());
  return pm.run(function);
}

} // namespace tensorc::transforms
