//===- Folded.cpp - Sums of lists that grow in a loop ---------------------===//

#include "compiler/session/jit/growth/Folded.h"

#include "compiler/graph/LiveHandles.h"
#include "compiler/session/jit/Streams.h"
#include "compiler/session/jit/growth/Joined.h"

#include "llvm/ADT/STLExtras.h"

#include <mutex>
#include <vector>

namespace tensorc::jit {

using graph::Node;

/// Maximum size of a value whose sum begins with a buffer of zeros. The host
/// writes them.
static constexpr int64_t maxZeroBytes = 1 << 20;

/// True if the node combines an older result with a value that the program
/// holds, as a list does.
static bool isStep(const Node &node) {
  if (graph::isArgument(node) || node.isOnTape || node.inputs().size() != 2 ||
      graph::traits(node.op()).elementwiseOps == 0)
    return false;
  const Node &added = *node.inputs()[1];
  auto hasSameType = [&](const Node *input) {
    return input->dtype() == node.dtype() && input->shape() == node.shape();
  };
  return llvm::all_of(node.inputs(), hasSameType) && added.hasHandle() &&
         !added.split() && (added.isEvaluated() || !graph::isTrivial(&added));
}

namespace {
/// A chain of equal ops whose right operands are the values of a list.
struct Fold {
  std::vector<uint32_t> steps; // ordinals
  /// The first step adds to a constant 0, which is not stored.
  bool beginsWithZero = false;
};

class FoldedExpression {
public:
  FoldedExpression(tensorc_rt_device *device, llvm::ArrayRef<Node *> roots)
      : device(device) {
    std::scoped_lock lock(graph::graphMutex());
    graph::Trace trace;
    trace.collect(roots);
    order.assign(trace.order.begin(), trace.order.end());
    uses.resize(order.size(), 0);
    foldAt.resize(order.size(), 0);
    for (Node *node : trace.order) {
      operands.emplace_back();
      for (Node *operand : graph::operandsOf(*node)) {
        operands.back().push_back(operand->ordinal);
        ++uses[operand->ordinal];
      }
    }
    for (Node *root : roots)
      rootOrdinals.push_back(root->ordinal);
    for (Node *node : trace.order)
      if (isStep(*node))
        addStep(*node);
    llvm::erase_if(folds,
                   [](const Fold &fold) { return fold.steps.size() < 2; });
    isInFold.resize(order.size(), false);
    for (const Fold &fold : folds)
      for (uint32_t step : fold.steps)
        isInFold[step] = true;
  }

  bool hasFolds() const { return !folds.empty(); }

  /// Returns the number of nodes that depend on folds.
  size_t size() const {
    std::vector<bool> depends(order.size(), false);
    for (const Fold &fold : folds)
      depends[fold.steps.back()] = true;
    for (size_t i = 0; i < order.size(); ++i)
      for (uint32_t operand : operands[i])
        depends[i] = depends[i] || (depends[operand] && !isInFold[i]);
    return static_cast<size_t>(llvm::count(depends, true));
  }

  /// Returns the values of the lists that are not computed yet.
  std::vector<graph::NodeRef> openValues() const {
    std::vector<graph::NodeRef> open;
    auto add = [&](uint32_t ordinal) {
      if (!isInFold[ordinal] && !order[ordinal]->isEvaluated())
        open.push_back(order[ordinal]);
    };
    for (const Fold &fold : folds) {
      if (!fold.beginsWithZero)
        add(operands[fold.steps[0]][0]);
      for (uint32_t step : fold.steps)
        add(operands[step][1]);
    }
    return open;
  }

  /// Computes the folds, and makes new nodes for the ops that depend on them.
  Status fold(Evaluate evaluate) {
    replaced.resize(order.size());
    for (const Fold &fold : folds) {
      Status status;
      graph::NodeRef value = firstOf(fold, status);
      if (status)
        return status;
      for (uint32_t step : fold.steps) {
        if (step == fold.steps[0] && fold.beginsWithZero && !value) {
          value = order[step];
        } else {
          std::scoped_lock lock(graph::graphMutex());
          value = graph::NodeRef::take(Node::createLike(
              *order[step].get(), {value.get(), valueOf(operands[step][1])}));
        }
        if (Status failure = evaluate(value.get()))
          return failure;
      }
      replaced[fold.steps.back()] = std::move(value);
    }
    replaceDependents();
    return nullptr;
  }

  /// Returns the nodes to evaluate in place of the roots. Drops all other
  /// references, because an evaluation stores nodes that others refer to.
  std::vector<graph::NodeRef> takeRoots() {
    std::vector<graph::NodeRef> roots;
    for (uint32_t ordinal : rootOrdinals)
      roots.push_back((replaced[ordinal] ? replaced : order)[ordinal]);
    order.clear();
    replaced.clear();
    return roots;
  }

private:
  Node *valueOf(uint32_t ordinal) const {
    return (replaced[ordinal] ? replaced : order)[ordinal].get();
  }

  /// Adds the node to the fold that ends at its left operand, or begins a fold.
  void addStep(const Node &node) {
    uint32_t left = operands[node.ordinal][0];
    const Node &first = *order[left].get();
    bool continues = foldAt[left] && uses[left] == 1 && !first.hasHandle() &&
                     first.op() == node.op();
    bool beginsWithZero = graph::beginsSum(node);
    if (!continues && !beginsWithZero && (first.split() || !first.hasHandle()))
      return;
    if (!continues)
      folds.push_back({{}, beginsWithZero});
    foldAt[node.ordinal] = continues ? foldAt[left] : folds.size();
    folds[foldAt[node.ordinal] - 1].steps.push_back(node.ordinal);
  }

  /// Returns the value to which the first step adds. If that is a large 0, returns
  /// null: the first step is then a program of its own.
  graph::NodeRef firstOf(const Fold &fold, Status &status) const {
    uint32_t ordinal = operands[fold.steps[0]][0];
    if (!fold.beginsWithZero)
      return replaced[ordinal] ? replaced[ordinal] : order[ordinal];
    const Node &step = *order[fold.steps[0]].get();
    if (step.byteSize() > maxZeroBytes || graph::byteWidth(step.dtype()) < 1)
      return {};
    tensorc_rt_buffer *buffer = nullptr;
    std::vector<char> zeros(static_cast<size_t>(step.byteSize()), 0);
    status.reset(tensorc_rt_buffer_allocate(device, zeros.size(), &buffer));
    if (!status)
      status.reset(tensorc_rt_buffer_write(
          buffer, 0, zeros.data(), zeros.size(), currentStream(device)));
    if (status) {
      tensorc_rt_buffer_release(buffer);
      return {};
    }
    return graph::NodeRef::take(
        Node::createData(step.dtype(), step.shape(), buffer, {}));
  }

  void replaceDependents() {
    std::scoped_lock lock(graph::graphMutex());
    for (const Fold &fold : folds) {
      uint32_t last = fold.steps.back();
      // The first iteration of the loop compiled what follows on `0 + value`. The
      // same program serves all iterations, because 0 + sum is the sum.
      if (fold.beginsWithZero && !llvm::is_contained(rootOrdinals, last)) {
        uint32_t first = fold.steps[0];
        replaced[last] = graph::NodeRef::take(Node::createLike(
            *order[first].get(),
            {order[operands[first][0]].get(), replaced[last].get()}));
      }
    }
    for (auto [i, node] : llvm::enumerate(order)) {
      if (isInFold[i] || node->isEvaluated())
        continue;
      llvm::SmallVector<Node *> inputs;
      bool isNew = false;
      for (uint32_t operand : operands[i]) {
        inputs.push_back(valueOf(operand));
        isNew |= inputs.back() != order[operand].get();
      }
      if (isNew)
        replaced[i] =
            graph::NodeRef::take(Node::createLike(*node.get(), inputs));
    }
  }

  tensorc_rt_device *device;
  std::vector<graph::NodeRef> order, replaced;
  std::vector<llvm::SmallVector<uint32_t, 2>> operands; // operands by ordinal
  std::vector<uint32_t> rootOrdinals;
  std::vector<uint32_t> uses; // number of uses of each node in the expression
  /// For the last step of a fold, 1 + the index of the fold.
  std::vector<size_t> foldAt;
  std::vector<bool> isInFold;
  std::vector<Fold> folds;
};
} // namespace

std::optional<Status> evaluateFolded(tensorc_rt_device *device,
                                     llvm::ArrayRef<Node *> roots,
                                     llvm::function_ref<bool(size_t)> isSteady,
                                     Evaluate evaluateValue,
                                     Evaluate evaluate) {
  FoldedExpression expression(device, roots);
  if (!expression.hasFolds() || !isSteady(expression.size()))
    return std::nullopt;
  for (graph::NodeRef &value : expression.openValues()) {
    std::vector<graph::NodeRef> needed = withNeededLater(*value.get());
    auto nodes = llvm::map_to_vector<4>(
        needed, [](graph::NodeRef &node) { return node.get(); });
    if (Status status = evaluateValue(nodes))
      return status;
  }
  if (Status status = expression.fold(evaluate))
    return status;
  std::vector<graph::NodeRef> taken = expression.takeRoots();
  auto replaced = llvm::map_to_vector<4>(
      taken, [](graph::NodeRef &node) { return node.get(); });
  if (Status status = evaluate(replaced))
    return status;
  publishReplaced(roots, replaced);
  return Status();
}

} // namespace tensorc::jit
