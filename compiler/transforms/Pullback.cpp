//===- Pullback.cpp - Gradients of recorded functions ---------------------===//

#include "compiler/transforms/Pullback.h"

#include "compiler/autodiff/Gradients.h"
#include "compiler/graph/FromModule.h"
#include "compiler/graph/LiveHandles.h"
#include "compiler/graph/ToModule.h"
#include "compiler/jit/Session.h"
#include "compiler/passes/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace tensorc::transforms {

using graph::Node;
using graph::NodeRef;
using graph::OpKind;
using graph::Recorder;

namespace {
/// What of a recorded function depends on its arguments, as a module.
class Program {
public:
  Program(Recorder &r, const PullbackRequest &request)
      : r(r), request(request) {}

  PulledBack run();

private:
  bool check();
  bool checkType(const llvm::Twine &what, const Node &node);
  bool collect();
  void addNode(Node *node, llvm::ArrayRef<bool> depends);
  mlir::OwningOpRef<mlir::ModuleOp> differentiated(mlir::MLIRContext &context);
  void refuse(mlir::Diagnostic &diagnostic);

  Recorder &r;
  const PullbackRequest &request;
  std::vector<Node *> order;
  /// The arguments, and behind them what is computed without them.
  llvm::SetVector<Node *> inputs;
  /// The results that have a cotangent.
  llvm::SmallVector<unsigned> of;
};
} // namespace

static llvm::SmallVector<Node *> pointers(llvm::ArrayRef<NodeRef> refs) {
  llvm::SmallVector<Node *> nodes;
  for (const NodeRef &ref : refs)
    nodes.push_back(ref.get());
  return nodes;
}

static std::string typeOf(const Node &node) {
  return graph::dtypeName(node.dtype()) + graph::shapeString(node.shape());
}

bool Program::checkType(const llvm::Twine &what, const Node &node) {
  if (graph::isIn(node.dtype(), graph::floatMask))
    return true;
  r.fail("grad", what + " is " + typeOf(node) + "; a gradient is by floats");
  return false;
}

bool Program::check() {
  for (auto [i, argument] : llvm::enumerate(request.arguments)) {
    const Node &value = *request.values[i].get();
    if (argument->op() != OpKind::Placeholder) {
      r.fail("grad", "argument " + llvm::Twine(i) + " is none of a trace");
      return false;
    }
    if (argument->dtype() != value.dtype() ||
        argument->shape() != value.shape()) {
      r.fail("grad", "argument " + llvm::Twine(i) + " is " + typeOf(value) +
                         ", recorded as " + typeOf(*argument.get()));
      return false;
    }
    if (request.wanted[i] &&
        !checkType("argument " + llvm::Twine(i), *argument.get()))
      return false;
  }
  if (request.results.empty()) {
    r.fail("grad", "the function has no result");
    return false;
  }
  if (request.cotangents.empty()) {
    const Node &result = *request.results[0].get();
    if (!graph::isIn(result.dtype(), graph::floatMask) ||
        result.numElements() != 1) {
      r.fail("grad", "the function's result is " + typeOf(result) +
                         "; a gradient is that of a float of one element, "
                         "such as a sum");
      return false;
    }
    of.push_back(0);
    return true;
  }
  for (auto [i, g] : llvm::enumerate(request.cotangents)) {
    if (!g)
      continue;
    const Node &result = *request.results[i].get();
    if (!checkType("result " + llvm::Twine(i), result))
      return false;
    if (g->dtype() != result.dtype() || g->shape() != result.shape()) {
      r.fail("grad", "the cotangent of result " + llvm::Twine(i) + " is " +
                         typeOf(*g.get()) + ", the result " + typeOf(result));
      return false;
    }
    of.push_back(i);
  }
  return true;
}

/// Adds a node behind what it reads.
void Program::addNode(Node *node, llvm::ArrayRef<bool> depends) {
  for (auto [i, operand] : llvm::enumerate(graph::operandsOf(*node))) {
    if (depends[operand->ordinal])
      continue;
    // A known exponent has a simpler gradient.
    if (node->op() == OpKind::Pow && i == 1 && operand->op() == OpKind::Full)
      order.push_back(operand);
    else
      inputs.insert(operand);
  }
  order.push_back(node);
}

/// False after an error. Needs graphMutex().
bool Program::collect() {
  graph::Trace trace;
  trace.collect(pointers(request.results));
  for (const NodeRef &argument : request.arguments)
    inputs.insert(argument.get());
  llvm::SmallVector<bool> depends(trace.order.size());
  std::vector<Node *> dependent;
  for (Node *node : trace.order) {
    // The walk ends there.
    if (node->op() == OpKind::Transfer && !node->isEvaluated() &&
        node->isTraced()) {
      r.location = node->location();
      r.fail("grad", "a differentiated function runs on one device; move its "
                     "arguments before the call");
      return false;
    }
    bool isInput = inputs.contains(node);
    depends[node->ordinal] =
        isInput || llvm::any_of(graph::operandsOf(*node), [&](Node *operand) {
          return depends[operand->ordinal];
        });
    if (depends[node->ordinal] && !isInput)
      dependent.push_back(node);
  }
  for (Node *node : dependent)
    addNode(node, depends);
  for (const NodeRef &result : request.results)
    if (!depends[result->ordinal])
      inputs.insert(result.get());
  return true;
}

/// What a rule said of an op, as an error of the function that has it.
void Program::refuse(mlir::Diagnostic &diagnostic) {
  Node *node = graph::nodeAt(diagnostic.getLocation(), order);
  std::string message = diagnostic.str();
  llvm::StringRef text = message;
  // 'tx.sort' op is ... -> sort is ...
  auto [op, rest] = text.split("' op ");
  if (op.consume_front("'tx."))
    message = (op + " " + rest).str();
  Recorder at(node ? node->location() : r.location, r.called);
  at.fail("grad", message);
  if (r.error.empty())
    r.error = std::move(at.error);
}

/// Null after an error.
mlir::OwningOpRef<mlir::ModuleOp>
Program::differentiated(mlir::MLIRContext &context) {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  {
    std::scoped_lock lock(graph::graphMutex());
    if (!collect())
      return nullptr;
    module = graph::toModule(context, order, inputs.getArrayRef(),
                             pointers(request.results));
  }
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) { refuse(diagnostic); });
  compiler::PullbackOptions options;
  options.of = of;
  options.isScalar = request.cotangents.empty();
  for (auto [i, isWanted] : llvm::enumerate(request.wanted))
    if (isWanted)
      options.wrt.push_back(i);
  auto function = *module->getOps<mlir::func::FuncOp>().begin();
  if (mlir::failed(compiler::addPullback(function, options)))
    return nullptr;
  // What is folded and shared here is not recorded.
  mlir::PassManager pm(&context, mlir::func::FuncOp::getOperationName());
  pm.addPass(compiler::createSimplifyTensorsPass());
  pm.addPass(mlir::createCSEPass());
  if (mlir::failed(pm.run(function)))
    return nullptr;
  return module;
}

PulledBack Program::run() {
  if (!check())
    return {};
  llvm::SmallVector<NodeRef> nodes;
  jit::Session::get().withContext([&](mlir::MLIRContext &context) {
    auto module = differentiated(context);
    if (!module) {
      r.fail("grad", "the function cannot be differentiated");
      return;
    }
    llvm::SmallVector<NodeRef> arguments(request.values);
    for (Node *input :
         inputs.getArrayRef().drop_front(request.arguments.size()))
      arguments.push_back(input);
    for (unsigned result : of)
      if (!request.cotangents.empty())
        arguments.push_back(request.cotangents[result]);
    nodes = graph::fromModule(r, *module->getOps<mlir::func::FuncOp>().begin(),
                              order, arguments);
  });
  if (!r.error.empty())
    return {};
  PulledBack made;
  size_t numResults = request.results.size();
  made.results.append(nodes.begin(), nodes.begin() + numResults);
  auto *next = nodes.begin() + numResults;
  for (bool isWanted : request.wanted)
    made.gradients.push_back(isWanted ? *next++ : NodeRef());
  return made;
}

PulledBack pullBack(Recorder &r, const PullbackRequest &request) {
  return Program(r, request).run();
}

} // namespace tensorc::transforms
