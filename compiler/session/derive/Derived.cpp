//===- Derived.cpp - Programs derived from recorded functions -------------===//

#include "compiler/session/derive/Derived.h"

#include "compiler/graph/Placement.h"
#include "compiler/graph/module/FromModule.h"
#include "compiler/graph/module/ToModule.h"
#include "compiler/session/jit/Session.h"
#include "compiler/transforms/passes/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace tensorc::derive {

using graph::Node;
using graph::NodeRef;
using graph::Recorder;

/// Reports a diagnostic of a pass as an error of the recorded function.
static void refuse(Recorder &r, const char *op, mlir::Diagnostic &diagnostic,
                   llvm::ArrayRef<Node *> order) {
  Node *node = graph::nodeAt(diagnostic.getLocation(), order);
  std::string message = diagnostic.str();
  llvm::StringRef text = message;
  // Rewrites "'tx.sort' op is ..." to "sort is ...".
  auto [name, rest] = text.split("' op ");
  if (name.consume_front("'tx."))
    message = (name + " " + rest).str();
  // If the line of the call differs, a note states it.
  graph::SourceLocation place = node ? node->location() : r.location;
  if (r.location.file &&
      (place.file != r.location.file || place.line != r.location.line))
    message +=
        (llvm::Twine("; ") + (r.called ? r.called : op) + " is called at " +
         r.location.file + ":" + llvm::Twine(r.location.line))
            .str();
  Recorder at(place, r.called);
  at.fail(op, message);
  if (r.error.empty())
    r.error = std::move(at.error);
}

/// Simplifies the transformed function before it is recorded, because the
/// recorder neither folds ops nor shares equal ones.
static mlir::LogicalResult simplify(mlir::func::FuncOp function) {
  mlir::PassManager pm(function.getContext(),
                       mlir::func::FuncOp::getOperationName());
  // Divisions are kept: a divisor of a mean may be a power of two only by
  // chance, and other sizes should record the same ops.
  pm.addPass(compiler::createSimplifyTensorsPass({/*keepsDivisions=*/true}));
  pm.addPass(mlir::createCSEPass());
  return pm.run(function);
}

using Nodes = llvm::SmallVector<NodeRef>;

static std::optional<Nodes> derive(Recorder &r, const Derivation &derivation,
                                   mlir::MLIRContext &context) {
  graph::Dependents nodes;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  {
    std::scoped_lock lock(graph::graphMutex());
    if (!collectDependents(r, derivation.arguments, derivation.results,
                           derivation.isInside, nodes))
      return std::nullopt;
    module = graph::toModule(context, nodes.order, nodes.inputs.getArrayRef(),
                             graph::pointers(derivation.results));
  }
  mlir::FailureOr<mlir::func::FuncOp> changed;
  {
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &diagnostic) {
          refuse(r, derivation.called, diagnostic, nodes.order);
        });
    changed = derivation.change(*module->getOps<mlir::func::FuncOp>().begin(),
                                nodes.inputs.size());
    if (mlir::failed(changed) || mlir::failed(simplify(*changed)))
      return std::nullopt;
  }
  Nodes arguments(derivation.values);
  for (Node *captured :
       nodes.inputs.getArrayRef().drop_front(derivation.values.size()))
    arguments.push_back(captured);
  llvm::append_range(arguments, derivation.more);
  Nodes made = graph::fromModule(r, *changed, nodes.order, arguments);
  // Results that became constants have no device. This op places them where the
  // results were.
  if (r.error.empty())
    for (auto [i, result] : llvm::enumerate(derivation.results))
      made[i] = graph::placedLike(made[i], *result.get());
  return made;
}

Nodes derive(Recorder &r, const Derivation &derivation) {
  std::optional<Nodes> results;
  jit::Session::get().withContext([&](mlir::MLIRContext &context) {
    results = derive(r, derivation, context);
  });
  if (!results)
    r.fail(derivation.called,
           llvm::Twine("the function cannot be ") + derivation.made);
  return r.error.empty() ? *results : Nodes();
}

} // namespace tensorc::derive
