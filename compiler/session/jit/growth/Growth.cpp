//===- Growth.cpp - Expressions that grow in a loop -----------------------===//

#include "compiler/session/jit/growth/Growth.h"

#include "compiler/session/jit/growth/Joined.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tensorc::jit {

/// Maximum number of sizes of an expression that is compiled for all sizes
/// because a concatenation grew. The compile time is cubic in the number of named
/// sizes: 4 minutes of a Xeon (model 207) for 1,100 operands of rank 2. A loop
/// appends to few values.
static constexpr size_t maxNamedSizes = 64;

/// Returns true if the node was recorded after the line's last expression was
/// evaluated.
static bool isYounger(const graph::Node &node, uint16_t time) {
  return static_cast<int16_t>(node.birth - time) > 0;
}

Growth::Line &Growth::lineOf(const graph::Node &root) {
  graph::SourceLocation at = root.location();
  return lines[{at.file, at.line, root.op(), root.dtype(), root.rank()}];
}

bool Growth::continues(const Line &line, const graph::Trace &trace) {
  size_t carried = 0;
  bool advances = false;
  for (const graph::Node *node : trace.order) {
    if (!graph::isArgument(*node))
      continue;
    bool isNew = isYounger(*node, line.time);
    bool wasRead = !isNew && llvm::binary_search(line.read, node);
    bool wasComputed = !isNew && llvm::binary_search(line.computed, node);
    carried += wasRead || wasComputed;
    advances |= isNew || wasComputed;
  }
  return advances && carried >= line.arguments &&
         trace.arguments.size() > line.arguments;
}

/// True if the node combines an older value with others and then, by the same
/// op, with a value that is younger than `time`. The program must hold both
/// values, as a list does. A state that is updated in place (`x = x + f(x)`) is
/// not a list.
static bool extendsFold(const graph::Node &node, uint16_t time) {
  if (!graph::isElementwise(node) || node.inputs().size() != 2)
    return false;
  const graph::Node &fold = *node.inputs()[0];
  const graph::Node &added = *node.inputs()[1];
  auto isOlder = [&](const graph::Node *value) {
    return graph::isArgument(*value) && value->hasHandle() &&
           !isYounger(*value, time);
  };
  return !graph::isArgument(fold) && fold.op() == node.op() &&
         llvm::any_of(fold.inputs(), isOlder) &&
         (added.isEvaluated() || !graph::isTrivial(&added)) &&
         added.hasHandle() && isYounger(added, time);
}

bool Growth::isList(const Line &line, const graph::Trace &trace) {
  const graph::Node *first = nullptr;
  size_t numOps = 0;
  bool areAlike = true;
  for (const graph::Node *node : trace.order) {
    if (graph::isArgument(*node) || graph::isTrivial(node))
      continue;
    if (node->op() == graph::OpKind::Concatenate) {
      const graph::Node &front = graph::unreshaped(*node->inputs().front());
      const graph::Node &back = graph::unreshaped(*node->inputs().back());
      if (!isYounger(front, line.time) && isYounger(back, line.time))
        return true;
    }
    if (extendsFold(*node, line.time))
      return true;
    first = first ? first : node;
    areAlike &= node->op() == first->op();
    ++numOps;
  }
  return areAlike && numOps > 1;
}

void Growth::tell(Line &line, size_t size, graph::SourceLocation at) {
  if (!line.isTold)
    llvm::errs() << "tensorc: the expression evaluated at " << at.file << ":"
                 << at.line << " is longer each time (" << line.size << ", now "
                 << size
                 << " ops); it is evaluated in parts instead of being compiled "
                    "each time. Evaluate in each iteration what the next one "
                    "continues from (x.eval()), and keep values in one tensor "
                    "instead of a list\n";
  line.isTold = true;
}

/// Returns the largest size along the dim of a concatenation, or 0 if there is
/// no concatenation.
static int64_t concatenatedSize(const graph::Trace &trace) {
  int64_t largest = 0;
  for (const graph::Node *node : trace.order)
    if (!graph::isArgument(*node) && node->op() == graph::OpKind::Concatenate) {
      int64_t dim = node->attributes<tx::ConcatenateAttributes>().dim;
      largest = std::max(largest, node->shape()[dim]);
    }
  return largest;
}

/// Returns about how many launches an evaluation in parts of `opsOfLaunch` ops
/// costs. Writing a result to memory costs more if it is large.
static uint64_t costInParts(const graph::Trace &trace, size_t opsOfLaunch) {
  constexpr int64_t bytesOfLaunch = 1 << 16;
  uint64_t cost = 0;
  for (const graph::Node *node : trace.order)
    if (!graph::isTrivial(node))
      cost += 1 + static_cast<uint64_t>(node->byteSize() / bytesOfLaunch);
  return cost / opsOfLaunch + 1;
}

std::optional<size_t> Growth::opsOfSteps(Line &line,
                                         const graph::Trace &trace) {
  std::vector<uint64_t> ops = locatedOps(trace);
  uint64_t hash = hashOfOps(ops);
  if (auto shape = shapes.find(hash);
      shape != shapes.end() && shape->second.length)
    return shape->second.length;
  size_t numOps = ops.size(), numArguments = trace.arguments.size();
  auto *known = llvm::find_if(
      line.alike, [&](const Alike &alike) { return alike.hash == hash; });
  if (known == line.alike.end()) {
    if (line.alike.size() == maxAlike)
      line.alike.erase(line.alike.begin());
    line.alike.push_back({hash, numOps, numArguments});
    return std::nullopt;
  }
  if (numOps == known->ops)
    return std::nullopt;
  ++known->lengths;
  // A step that reads values of its own adds at least one argument.
  size_t moreArguments =
      numArguments - std::min(numArguments, known->arguments);
  bool isOfLoop =
      moreArguments * known->ops < std::max(numOps, known->ops) - known->ops ||
      moreArguments == 0 || known->lengths > compiledLengths;
  if (numOps < known->ops) {
    known->ops = numOps;
    known->arguments = numArguments;
  }
  return isOfLoop ? std::optional(known->ops) : std::nullopt;
}

bool Growth::storesConstants(const graph::Trace &trace) {
  if (stores.size() >= capacity)
    stores.clear();
  return ++stores[trace.hash] <= maxStores;
}

Growth::Plan Growth::planFor(const graph::Trace &trace,
                             const graph::Node &root) {
  graph::SourceLocation at = root.location();
  if (!at.file)
    return Plan::Whole;
  if (auto known = spent.find(trace.hash); known != spent.end()) {
    Spent &earlier = known->second;
    earlier.launches += costInParts(trace, earlier.opsOfLaunch);
    return earlier.launches <= maxLaunchesInParts ? earlier.plan : Plan::Whole;
  }
  if (lines.size() >= capacity)
    lines.clear();
  if (spent.size() >= capacity)
    spent.clear();
  Line &line = lineOf(root);
  size_t size = trace.order.size();
  // Arguments are counted as well: a list whose values were computed before has
  // fewer nodes than one of new values. An expression without arguments was the
  // first iteration of a loop that begins with constants. Other expressions with
  // more arguments and fewer ops do not grow: ops were replaced by their values.
  bool hasMoreArguments =
      line.arguments > 0 && trace.arguments.size() > line.arguments;
  bool hasFewerOps = size - trace.arguments.size() < line.size - line.arguments;
  bool grows = line.size &&
               (size > line.size ||
                (hasMoreArguments && (!hasFewerOps || isList(line, trace))));
  bool isContinued = grows && continues(line, trace);
  // Growth by equal steps counts twice. Unequal steps may come from the first
  // iterations of a loop whose values begin as constants.
  size_t step = grows ? size - line.size : 0;
  unsigned evidence = step == std::exchange(line.step, step) ? 2 : 1;
  if (isContinued && isList(line, trace))
    evidence = compiledContinued + 1;
  line.continued = isContinued ? line.continued + evidence : 0;
  line.rebuilt = grows && !isContinued ? line.rebuilt + 1 : 0;
  if (line.continued > compiledContinued + 2)
    tell(line, size, at);
  int64_t concatenated = concatenatedSize(trace);
  bool isLonger = line.concatenated && concatenated > line.concatenated &&
                  trace.sizes.size() <= maxNamedSizes;
  line.concatenated = concatenated;
  line.size = size;
  line.arguments = trace.arguments.size();
  line.read.clear();
  line.computed.clear();
  for (const graph::Node *node : trace.order)
    if (graph::isArgument(*node))
      line.read.push_back(node);
    else if (node->op() != graph::OpKind::Full &&
             node->op() != graph::OpKind::Iota)
      line.computed.push_back(node);
  llvm::sort(line.read);
  llvm::sort(line.computed);
  line.time = graph::recordingClock.fetch_add(1, std::memory_order_relaxed);
  bool isGrowing =
      line.continued > compiledContinued || beginsList(trace.order);
  std::optional<size_t> ops = opsOfSteps(line, trace);
  if (!isGrowing && ops) {
    spent[trace.hash] = {Plan::Steps, *ops, costInParts(trace, *ops)};
    return Plan::Steps;
  }
  if (isGrowing || line.rebuilt > compiledRebuilt) {
    spent[trace.hash] = {Plan::Parts, 1, costInParts(trace, 1)};
    return Plan::Parts;
  }
  return isLonger ? Plan::AllSizes : Plan::Whole;
}

bool Growth::isSteady(const graph::Node &root, size_t size) {
  Line &line = lineOf(root);
  if (size > line.joinedSize) {
    line.joinedSize = size;
    ++line.joinedSizes;
  }
  return line.joinedSizes <= maxJoinedSizes;
}

void Growth::clear() {
  lines.clear();
  spent.clear();
  stores.clear();
  shapes.clear();
}

} // namespace tensorc::jit
