//===- Steps.cpp - The steps of a loop in an expression -------------------===//

#include "compiler/session/jit/growth/Steps.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>

namespace tensorc::jit {

using graph::Node;

/// Maximum number of ops of a step. It bounds the time of the search.
static constexpr size_t maxStepOps = 256;
/// Minimum number of steps from which their shape is found, and minimum number if
/// the expression repeats ops of an earlier one, which left its state unstored. In
/// that case two steps are often the second iteration of a loop that evaluates
/// each step from then on.
static constexpr size_t minSteps = 2, minRepeatedSteps = 3;

/// True for ops that a step repeats. Constants are left out because the first
/// step may read one instead of a value.
static bool isOfStep(const Node &node) {
  return !graph::isArgument(node) && node.op() != graph::OpKind::Full &&
         node.op() != graph::OpKind::Iota;
}

std::vector<uint64_t> locatedOps(const graph::Trace &trace) {
  std::vector<uint64_t> ops;
  for (const Node *node : trace.order) {
    if (!isOfStep(*node))
      continue;
    graph::SourceLocation at = node->location();
    llvm::ArrayRef<Node *> inputs = node->inputs();
    bool isSquare = inputs.size() == 2 && inputs[0] == inputs[1];
    ops.push_back(llvm::hash_combine(at.file, at.line, node->op(),
                                     node->dtype(), node->rank(), inputs.size(),
                                     isSquare));
  }
  return ops;
}

uint64_t hashOfOps(std::vector<uint64_t> ops) {
  llvm::sort(ops);
  ops.erase(llvm::unique(ops), ops.end());
  return llvm::hash_combine_range(ops.begin(), ops.end());
}

namespace {
/// The ops of a trace that steps repeat.
class StepFinder {
public:
  explicit StepFinder(graph::Trace &trace)
      : trace(trace), ops(locatedOps(trace)) {
    for (auto [i, node] : llvm::enumerate(trace.order))
      if (isOfStep(*node))
        positions.push_back(i);
  }

  /// Finds the steps that cover most ops, but at least half of them. They end at
  /// the last value that the program holds, which is the state.
  void find(StepShape &shape) const {
    size_t count = ops.size(), end = 0, most = 0, fewest = minSteps;
    for (size_t op = 0; op < count; ++op)
      if (node(op).wasReached())
        fewest = minRepeatedSteps;
    for (size_t length = 1; length <= std::min(maxStepOps, count / fewest);
         ++length)
      for (size_t i = count - length, alike = 0, last = 0; i-- > 0;) {
        if (ops[i] != ops[i + length])
          alike = 0;
        else if (!alike++)
          last = i + length + 1;
        size_t covered = (alike / length + 1) * length;
        if (covered < fewest * length || covered <= most)
          continue;
        most = covered;
        end = last;
        shape.length = length;
      }
    if (most < count / 2)
      shape.length = 0;
    if (!shape.length)
      return;
    size_t begin = end - shape.length;
    while (end > begin + 1 && !node(end - 1).hasHandle())
      --end;
    if (!node(end - 1).hasHandle())
      end = begin + shape.length;
    shape.last = ops[end - 1];
    // Other repetitions, as of the backward half of a gradient, would make the
    // rest depend on the number of steps.
    size_t covered = end / shape.length * shape.length;
    if (repeats(0, end - covered) || repeats(end, count))
      shape.length = 0;
  }

  /// Returns the ops at which steps begin, and the one after the last step, in
  /// order. Returns an empty list if there are no steps.
  std::vector<size_t> bounds(const StepShape &shape) const {
    auto last = llvm::find(llvm::reverse(ops), shape.last);
    size_t length = shape.length, end = ops.rend() - last;
    std::vector<size_t> result;
    if (!length || end < length)
      return result;
    for (size_t begin = end; begin >= length; begin -= length) {
      result.push_back(begin);
      // The first step may compute its operands in another order.
      auto *first = &ops[begin - length];
      if (!std::is_permutation(first, first + length, &ops[end - length]))
        break;
      if (begin < 2 * length)
        result.push_back(begin - length);
    }
    std::reverse(result.begin(), result.end());
    return result;
  }

  Node &node(size_t op) const { return *trace.order[positions[op]]; }
  /// Returns the position after an op. The constants of the next one follow.
  size_t endOf(size_t op) const { return positions[op] + 1; }

  /// Returns the ops of the first step in the order of the second one's.
  std::vector<size_t> opsOfFirst(size_t first, size_t length) const {
    std::vector<size_t> paired;
    for (size_t op = first + length; op < first + 2 * length; ++op) {
      size_t same = first;
      while (ops[same] != ops[op] || llvm::is_contained(paired, same))
        ++same;
      paired.push_back(same);
    }
    return paired;
  }

  /// Adds the constants that the first step reads where the second one reads a
  /// value.
  void findFirstConstants(llvm::ArrayRef<size_t> first, size_t second) const {
    for (auto [i, op] : llvm::enumerate(first))
      for (auto [of, next] : llvm::zip(graph::operandsOf(node(op)),
                                       graph::operandsOf(node(second + i))))
        if (graph::isOfScalars(*of) && !graph::isOfScalars(*next) &&
            of->byteSize() <= maxConstantBytes)
          trace.early.push_back(of);
  }

private:
  /// True if an op occurs in the range as often as there must be steps.
  bool repeats(size_t begin, size_t end) const {
    return llvm::any_of(llvm::seq(begin, end), [&](size_t i) {
      return std::count(&ops[begin], &ops[begin] + (end - begin), ops[i]) >=
             static_cast<ptrdiff_t>(minRepeatedSteps);
    });
  }

  /// Writing a value of this size costs less than a compilation.
  static constexpr int64_t maxConstantBytes = 1 << 20;

  graph::Trace &trace;
  std::vector<uint64_t> ops;
  std::vector<size_t> positions; // of the ops in the trace
};
} // namespace

std::vector<std::vector<graph::NodeRef>>
cutIntoSteps(graph::Trace &trace, llvm::ArrayRef<Node *> roots,
             StepShape &shape) {
  StepFinder finder(trace);
  if (!shape.length)
    finder.find(shape);
  std::vector<size_t> bounds = finder.bounds(shape);
  // A single step is compiled as a whole, because many loops evaluate each step.
  if (bounds.size() < 3)
    return {};
  std::vector<size_t> ends;
  for (size_t op : bounds)
    if (op > 0 && finder.endOf(op - 1) < trace.order.size())
      ends.push_back(finder.endOf(op - 1));
  std::vector<std::vector<graph::NodeRef>> pieces = trace.cutAt(ends);
  std::vector<size_t> first = finder.opsOfFirst(bounds[0], shape.length);
  finder.findFirstConstants(first, bounds[1]);
  // The steps before the last one show which values are the state. What only the
  // rest reads of the last one is part of it, so that all steps are equal.
  size_t firstStep = bounds[0] > 0;
  size_t steps = bounds.size() - 1, shown = steps > 2 ? 1 : 0;
  auto isRead = [&](size_t step, const Node &node) {
    return llvm::any_of(
        pieces[firstStep + step],
        [&](const graph::NodeRef &read) { return read.get() == &node; });
  };
  if (shape.state.empty())
    for (size_t op = 0; op < shape.length; ++op) {
      const Node &early = finder.node(shown ? bounds[shown] + op : first[op]);
      const Node &last = finder.node(bounds[steps - 1] + op);
      if (isRead(shown, early) || isRead(steps - 1, last) ||
          llvm::is_contained(roots, &last))
        shape.state.push_back(shape.length - 1 - op);
    }
  for (size_t i = 0; i < steps; ++i) {
    std::vector<graph::NodeRef> &piece = pieces[firstStep + i];
    piece.clear();
    for (size_t back : shape.state) {
      size_t op = shape.length - 1 - back;
      piece.push_back(&finder.node(i ? bounds[i] + op : first[op]));
    }
  }
  return pieces;
}

} // namespace tensorc::jit
