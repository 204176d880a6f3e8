//===- Checkpoint.cpp - Gradient checkpointing ----------------------------===//

#include "compiler/graph/Dependents.h"
#include "compiler/graph/Tapes.h"
#include "compiler/graph/ops/Builders.h"
#include "compiler/session/derive/ControlFlow.h"
#include "compiler/session/derive/Pullback.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::derive {

using graph::Node;
using graph::NodeRef;
using graph::Recorder;

using Nodes = llvm::SmallVector<NodeRef>;

namespace {
class Checkpoint {
public:
  Checkpoint(Recorder &r, llvm::ArrayRef<NodeRef> inputs, const Body &body)
      : r(r), body(body), inputs(inputs), arguments(body.arguments) {}
  Nodes run();

private:
  bool addCaptured();
  Nodes gradientsAgain(llvm::ArrayRef<NodeRef> taken);
  Nodes gradientsOf(llvm::ArrayRef<NodeRef> values,
                    llvm::ArrayRef<NodeRef> cotangents);

  Recorder &r;
  const Body &body;
  /// Inputs of the body, followed by the values that it captures.
  Nodes inputs;
  /// Placeholders for the inputs, and the results recorded from them.
  Nodes arguments, results;
};
} // namespace

static bool hasGradient(const Node &node) {
  return graph::isIn(node.dtype(), graph::floatMask | graph::complexMask);
}

/// True if a gradient with respect to a captured node may be requested.
static bool isVariable(const Node &node) {
  const graph::Tapes *tapes = graph::Tapes::current();
  return node.isTraced() ||
         (tapes && tapes->find(&node) != graph::Tapes::constant);
}

static NodeRef placeholderLike(Recorder &r, const NodeRef &like) {
  return graph::placeholder(r, like->dtype(), like->shape());
}

bool Checkpoint::addCaptured() {
  std::scoped_lock lock(graph::graphMutex());
  graph::Dependents nodes;
  auto isInside = [](const Node &, unsigned) { return true; };
  if (!collectDependents(r, body.arguments, body.results, isInside, nodes))
    return false;
  llvm::DenseMap<Node *, NodeRef> changed;
  for (Node *captured :
       nodes.inputs.getArrayRef().drop_front(body.arguments.size()))
    if (hasGradient(*captured) && isVariable(*captured)) {
      inputs.push_back(captured);
      arguments.push_back(placeholderLike(r, captured));
      changed[captured] = arguments.back();
    }
  auto now = [&](Node *node) {
    auto known = changed.find(node);
    return known == changed.end() ? node : known->second.get();
  };
  for (Node *node : nodes.order) {
    auto operands = llvm::map_to_vector<4>(node->inputs(), now);
    if (llvm::ArrayRef(operands) != node->inputs())
      changed[node] = NodeRef::take(Node::createLike(*node, operands));
  }
  for (const NodeRef &result : body.results)
    results.push_back(now(result.get()));
  return true;
}

/// Records the body again with `values`, and its gradients with respect to
/// them.
Nodes Checkpoint::gradientsOf(llvm::ArrayRef<NodeRef> values,
                              llvm::ArrayRef<NodeRef> cotangents) {
  llvm::SmallVector<bool> wanted;
  for (const NodeRef &argument : arguments)
    wanted.push_back(hasGradient(*argument.get()));
  Nodes of;
  for (const NodeRef &cotangent : cotangents)
    of.push_back(hasGradient(*cotangent.get()) ? cotangent : NodeRef());
  Nodes made(arguments.size());
  if (llvm::any_of(of, [](const NodeRef &g) { return bool(g); }))
    made = pullBack(r, {arguments, values, wanted, results, of}).gradients;
  if (!r.error.empty())
    return {};
  // Values that are not floats have no gradient; their place in the list holds
  // 0.
  for (auto [gradient, argument] : llvm::zip_equal(made, arguments))
    if (!gradient)
      gradient = graph::full(r, argument->dtype(), argument->shape(),
                             graph::Scalar::of(int64_t(0)));
  return made;
}

/// Recomputes the body in a loop of one iteration, so that no value is shared
/// with its first run.
Nodes Checkpoint::gradientsAgain(llvm::ArrayRef<NodeRef> taken) {
  Nodes scanned, parts{graph::placeholder(r, graph::DType::I64, {})};
  for (const NodeRef &x : taken) {
    graph::Shape shape(x->shape());
    shape.insert(shape.begin(), 1);
    scanned.push_back(graph::reshape(r, x, shape));
    parts.push_back(placeholderLike(r, x));
  }
  if (!r.error.empty())
    return {};
  auto given = llvm::ArrayRef(parts).drop_front();
  Nodes each = gradientsOf(given.take_front(arguments.size()),
                           given.drop_front(arguments.size()));
  if (!r.error.empty())
    return {};
  Nodes made = scan(r, {}, scanned, 1, /*reverse=*/false, {parts, each});
  for (auto [gradient, argument] : llvm::zip(made, arguments))
    gradient = graph::reshape(r, gradient, argument->shape());
  return made;
}

Nodes Checkpoint::run() {
  if (inputs.size() != arguments.size()) {
    r.fail("checkpoint", "the body has " + llvm::Twine(arguments.size()) +
                             " arguments, but there are " +
                             llvm::Twine(inputs.size()) + " values");
    return {};
  }
  if (!addCaptured())
    return {};
  if (arguments.empty()) // everything is captured
    return results;
  Nodes taken;
  for (const NodeRef &x : llvm::concat<NodeRef>(arguments, results))
    taken.push_back(placeholderLike(r, x));
  Nodes gradients = gradientsAgain(taken);
  if (!r.error.empty())
    return {};
  Nodes given(results);
  llvm::append_range(given, arguments);
  return customVjp(r, inputs, results.size(), {arguments, given},
                   {taken, gradients});
}

Nodes checkpoint(Recorder &r, llvm::ArrayRef<NodeRef> arguments,
                 const Body &body) {
  return Checkpoint(r, arguments, body).run();
}

} // namespace tensorc::derive
