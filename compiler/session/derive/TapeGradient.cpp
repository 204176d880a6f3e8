//===- TapeGradient.cpp - Gradients of recorded tapes ---------------------===//

#include "compiler/session/derive/TapeGradient.h"

#include "compiler/graph/Dependents.h"
#include "compiler/graph/Placement.h"
#include "compiler/graph/Trace.h"
#include "compiler/graph/ops/Builders.h"
#include "compiler/graph/ops/Collectives.h"
#include "compiler/session/derive/Pullback.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

#include <list>
#include <unordered_map>

namespace tensorc::derive {

using graph::Node;
using graph::NodeRef;
using graph::OpKind;
using graph::Recorder;
using graph::Tapes;

namespace {
using Key = std::vector<int64_t>;
struct HashOfKey {
  size_t operator()(const Key &key) const {
    return llvm::hash_combine_range(key.begin(), key.end());
  }
};

/// The structure of the expression between sources and target. It is the key
/// for templates of gradients.
struct Between {
  /// The leaves, sources first.
  llvm::SmallVector<Node *, 16> leaves;
  llvm::SmallVector<Node *, 32> ops;
  /// The operands of all ops in order. Numbers below the number of leaves are
  /// leaves; the following numbers are ops.
  llvm::SmallVector<uint32_t, 64> operands;
  llvm::SmallVector<uint32_t, 32> firstOperand;
  // For each op, whether its value is known.
  llvm::SmallVector<bool, 32> isKnown;
  // For each leaf, whether it is part of the structure.
  llvm::SmallVector<bool, 16> isNumber;
  uint32_t target = 0;
  Key key;

  llvm::ArrayRef<uint32_t> operandsOf(size_t op) const {
    size_t end = op + 1 < ops.size() ? firstOperand[op + 1] : operands.size();
    return llvm::ArrayRef(operands).slice(firstOperand[op],
                                          end - firstOperand[op]);
  }
};

/// Collects the structure.
class Collector {
public:
  Collector(Recorder &r, const Tapes &tapes, llvm::ArrayRef<NodeRef> sources)
      : r(r), tapes(tapes), sources(sources) {}
  bool run(const NodeRef &target, Between &out);

private:
  bool findSources();
  bool markNeeded(uint32_t target);
  uint32_t numberOf(const Tapes::Operand &operand, Between &out);
  void describe(uint32_t entry, Between &out);
  bool isSource(const Tapes::Operand &operand) const;

  Recorder &r;
  const Tapes &tapes;
  llvm::ArrayRef<NodeRef> sources;
  llvm::SmallDenseMap<const Node *, uint32_t, 16> numbers; // numbers of leaves
  /// Flags of the tape's entries, indexed by the entry's number.
  llvm::SmallBitVector isSourceEntry, depends, isNeeded;
  llvm::SmallVector<uint32_t, 64> opNumbers;
};
} // namespace

bool Collector::findSources() {
  isSourceEntry.resize(tapes.list().size());
  for (auto [i, source] : llvm::enumerate(sources)) {
    uint32_t entry = tapes.find(source.get());
    if (entry == Tapes::constant) {
      r.fail("gradient",
             "source " + llvm::Twine(i) +
                 " is not watched: watch() it before it is used, and ask for "
                 "it before its variable gets another value (w -= g)");
      return false;
    }
    if (!graph::isIn(source->dtype(), graph::floatMask | graph::complexMask)) {
      r.fail("gradient", "source " + llvm::Twine(i) + " is " +
                             typeOf(*source.get()) +
                             "; a gradient is by floats");
      return false;
    }
    if (entry != Tapes::watched)
      isSourceEntry.set(entry);
    if (!numbers.try_emplace(source.get(), i).second) {
      r.fail("gradient", "source " + llvm::Twine(i) + " is source " +
                             llvm::Twine(numbers[source.get()]) + " again");
      return false;
    }
  }
  return true;
}

bool Collector::isSource(const Tapes::Operand &operand) const {
  return operand.entry == Tapes::watched
             ? numbers.contains(operand.node)
             : operand.entry != Tapes::constant && isSourceEntry[operand.entry];
}

/// Marks the entries that depend on sources, and among these the entries that
/// the target depends on.
bool Collector::markNeeded(uint32_t target) {
  depends.resize(target + 1);
  isNeeded.resize(target + 1);
  auto dependsOnSources = [&](const Tapes::Operand &operand) {
    return isSource(operand) ||
           (operand.entry < Tapes::watched && depends[operand.entry]);
  };
  for (uint32_t entry = 0; entry <= target; ++entry)
    depends[entry] = llvm::any_of(tapes.operandsOf(entry), dependsOnSources);
  isNeeded.set(target);
  for (uint32_t entry = target + 1; entry-- > 0;) {
    if (!isNeeded[entry])
      continue;
    if (isSourceEntry[entry] && depends[entry]) {
      r.fail("gradient",
             "source " + llvm::Twine(numbers[tapes.list()[entry].node.get()]) +
                 " is made of another source: ask for the two in "
                 "calls of their own");
      return false;
    }
    if (!isSourceEntry[entry])
      for (const Tapes::Operand &operand : tapes.operandsOf(entry))
        if (operand.entry < Tapes::watched &&
            (depends[operand.entry] || isSourceEntry[operand.entry]))
          isNeeded.set(operand.entry);
  }
  return true;
}

static void addLeaf(Node *node, Between &out) {
  out.leaves.push_back(node);
  out.isNumber.push_back(false);
}

/// Marks an operand as an op. Ops get their final numbers once the number of
/// leaves is known.
static constexpr uint32_t isOp = 1u << 31;

uint32_t Collector::numberOf(const Tapes::Operand &operand, Between &out) {
  if (operand.entry < Tapes::watched && depends[operand.entry] &&
      !isSourceEntry[operand.entry])
    return isOp | opNumbers[operand.entry];
  auto [known, isNew] = numbers.try_emplace(
      operand.node, static_cast<uint32_t>(out.leaves.size()));
  if (isNew)
    addLeaf(operand.node, out);
  return known->second;
}

/// True if the operand is a constant exponent, which has a simpler gradient.
static bool isExponent(const Node &user, unsigned number,
                       const Tapes::Operand &operand) {
  return user.op() == OpKind::Pow && number == 1 &&
         operand.entry == Tapes::constant &&
         operand.node->op() == OpKind::Full && !operand.node->isEvaluated();
}

void Collector::describe(uint32_t entry, Between &out) {
  Node &node = *tapes.list()[entry].node.get();
  // The tape no longer needs the value; from now on only the user's handles
  // keep it alive.
  node.isOnTape = false;
  opNumbers[entry] = static_cast<uint32_t>(out.ops.size());
  bool isKnown = node.isEvaluated();
  out.ops.push_back(&node);
  out.isKnown.push_back(isKnown);
  out.firstOperand.push_back(static_cast<uint32_t>(out.operands.size()));
  auto operands = tapes.operandsOf(entry);
  out.key.push_back(int64_t(node.op()) | int64_t(node.dtype()) << 8 |
                    int64_t(node.rank()) << 16 | int64_t(isKnown) << 24 |
                    int64_t(operands.size()) << 32 |
                    int64_t(node.words().size()) << 48);
  llvm::append_range(out.key, node.shape());
  llvm::append_range(out.key, node.words());
  for (auto [i, operand] : llvm::enumerate(operands)) {
    uint32_t number = numberOf(operand, out);
    out.operands.push_back(number);
    out.key.push_back(number);
    if (isExponent(node, i, operand))
      out.isNumber[number] = true;
  }
}

bool Collector::run(const NodeRef &target, Between &out) {
  if (!findSources())
    return false;
  for (const NodeRef &source : sources)
    addLeaf(source.get(), out);
  out.key.reserve(16 * tapes.list().size());
  out.key.push_back(static_cast<int64_t>(sources.size()));
  uint32_t last = tapes.find(target.get());
  if (last == Tapes::constant) {
    r.fail(
        "gradient",
        "the target was not recorded: nothing that it is made of is watched, "
        "or it was made before");
    return false;
  }
  if (last == Tapes::watched) {
    out.target = numberOf({target.get(), last}, out);
  } else {
    if (!markNeeded(last))
      return false;
    opNumbers.resize(last + 1);
    for (uint32_t entry = 0; entry <= last; ++entry)
      if (isNeeded[entry] && depends[entry] && !isSourceEntry[entry])
        describe(entry, out);
    out.target = numberOf({target.get(), last}, out);
  }
  out.key.push_back(out.target);
  for (auto [leaf, isNumber] : llvm::zip(out.leaves, out.isNumber)) {
    out.key.push_back(int64_t(leaf->dtype()) | int64_t(leaf->rank()) << 8 |
                      int64_t(isNumber) << 16);
    llvm::append_range(out.key, leaf->shape());
    if (isNumber)
      llvm::append_range(out.key, leaf->words());
  }
  auto absolute = [&](uint32_t &number) {
    if (number & isOp)
      number = (number & ~isOp) + static_cast<uint32_t>(out.leaves.size());
  };
  llvm::for_each(out.operands, absolute);
  absolute(out.target);
  return true;
}

//===----------------------------------------------------------------------===//
// Templates
//===----------------------------------------------------------------------===//

namespace {
/// The gradient of a structure, recorded on placeholders: one for each leaf,
/// followed by one for each known value.
struct Template {
  std::vector<NodeRef> arguments;
  /// The nodes that compute the gradient, operands before users.
  std::vector<NodeRef> steps;
  /// The operands of all steps. Numbers below the number of arguments are
  /// arguments; the following numbers are steps.
  std::vector<uint32_t> operands;
  /// Number of times that steps and results use each argument and each step.
  std::vector<uint32_t> uses;
  std::vector<uint32_t> results;
};

/// The templates of the process; the least recently used ones are evicted.
class Templates {
public:
  std::shared_ptr<const Template> find(const Key &key) {
    std::scoped_lock lock(mutex);
    auto known = byKey.find(key);
    if (known == byKey.end())
      return nullptr;
    order.splice(order.begin(), order, known->second.place);
    return known->second.found;
  }
  void add(const Key &key, std::shared_ptr<const Template> made) {
    std::shared_ptr<const Template> gone;
    std::scoped_lock lock(mutex);
    auto [entry, isNew] = byKey.try_emplace(key);
    if (!isNew)
      return;
    order.push_front(&entry->first);
    entry->second = {std::move(made), order.begin()};
    if (byKey.size() <= capacity)
      return;
    auto oldest = byKey.find(*order.back());
    gone = std::move(oldest->second.found);
    order.pop_back();
    byKey.erase(oldest);
  }

private:
  static constexpr size_t capacity = 1024;
  struct Entry {
    std::shared_ptr<const Template> found;
    std::list<const Key *>::iterator place;
  };
  std::mutex mutex;
  std::unordered_map<Key, Entry, HashOfKey> byKey;
  std::list<const Key *> order; // most recent first
};
} // namespace

static Templates &templates() {
  // Never destroyed, because threads may record while the process exits.
  static auto *all = new Templates;
  return *all;
}

namespace {
/// Creates the template of a structure.
class Differentiation {
public:
  Differentiation(Recorder &r, const Between &between, size_t numSources)
      : r(r), between(between), numSources(numSources) {}
  std::shared_ptr<const Template> run();

private:
  void recordAgain();
  void addSteps(llvm::ArrayRef<NodeRef> gradients);

  Recorder &r;
  const Between &between;
  size_t numSources;
  Template made;
  llvm::SmallVector<NodeRef> values; // values of leaves and ops
};
} // namespace

/// Records the ops on placeholders.
void Differentiation::recordAgain() {
  for (auto [i, leaf] : llvm::enumerate(between.leaves)) {
    made.arguments.push_back(
        graph::placeholder(r, leaf->dtype(), leaf->shape()));
    values.push_back(between.isNumber[i]
                         ? NodeRef::take(Node::createLike(*leaf, {}))
                         : made.arguments.back());
  }
  for (auto [i, node] : llvm::enumerate(between.ops)) {
    llvm::SmallVector<Node *, 4> inputs;
    for (uint32_t operand : between.operandsOf(i))
      inputs.push_back(values[operand].get());
    values.push_back(NodeRef::take(Node::createLike(*node, inputs)));
  }
}

std::shared_ptr<const Template> Differentiation::run() {
  recordAgain();
  size_t numLeaves = between.leaves.size();
  llvm::SmallVector<NodeRef> results{values[between.target]}, known(1);
  for (auto [i, node] : llvm::enumerate(between.ops)) {
    if (!between.isKnown[i])
      continue;
    NodeRef value = graph::placeholder(r, node->dtype(), node->shape());
    made.arguments.push_back(value);
    if (numLeaves + i == between.target) {
      known[0] = value;
      continue;
    }
    results.push_back(values[numLeaves + i]);
    known.push_back(value);
  }
  llvm::SmallVector<bool> wanted(numLeaves, false);
  std::fill_n(wanted.begin(), numSources, true);
  llvm::ArrayRef<NodeRef> leaves(made.arguments.data(), numLeaves);
  PulledBack pulled = pullBack(r, {leaves, leaves, wanted, results, {}, known});
  if (!r.error.empty())
    return nullptr;
  addSteps(llvm::ArrayRef(pulled.gradients).take_front(numSources));
  return std::make_shared<const Template>(std::move(made));
}

void Differentiation::addSteps(llvm::ArrayRef<NodeRef> gradients) {
  llvm::DenseMap<const Node *, uint32_t> numbers;
  for (auto [i, argument] : llvm::enumerate(made.arguments))
    numbers[argument.get()] = static_cast<uint32_t>(i);
  std::scoped_lock lock(graph::graphMutex());
  graph::Trace trace;
  trace.collect(graph::pointers(gradients));
  for (Node *node : trace.order) {
    auto next =
        static_cast<uint32_t>(made.arguments.size() + made.steps.size());
    if (!numbers.try_emplace(node, next).second)
      continue;
    made.steps.push_back(node);
    if (!node->isEvaluated())
      for (Node *input : node->inputs())
        made.operands.push_back(numbers.lookup(input));
  }
  for (const NodeRef &gradient : gradients)
    made.results.push_back(numbers.lookup(gradient.get()));
  made.uses.resize(made.arguments.size() + made.steps.size());
  for (llvm::ArrayRef<uint32_t> users : {made.operands, made.results})
    for (uint32_t used : users)
      ++made.uses[used];
}

/// Creates the nodes of a template for the current recording. They are not
/// reachable yet, so each gets the references of all its users at once, which
/// saves atomic instructions.
static llvm::SmallVector<NodeRef> instantiate(const Template &from,
                                              const Between &between) {
  llvm::SmallVector<Node *, 64> values(llvm::ArrayRef<Node *>(between.leaves));
  values.reserve(from.uses.size());
  for (auto [node, isKnown] : llvm::zip(between.ops, between.isKnown))
    if (isKnown)
      values.push_back(node);
  size_t numArguments = values.size();
  auto refTo = [&](uint32_t number) {
    bool isNew = number >= numArguments &&
                 !from.steps[number - numArguments]->isEvaluated();
    return isNew ? NodeRef::take(values[number]) : NodeRef(values[number]);
  };
  const uint32_t *next = from.operands.data();
  for (const NodeRef &step : from.steps) {
    // The value is the same in every instance.
    if (step->isEvaluated()) {
      values.push_back(step.get());
      continue;
    }
    llvm::SmallVector<Node *, 4> inputs;
    llvm::SmallVector<NodeRef, 4> owned;
    for (size_t i = 0; i < step->inputs().size(); ++i, ++next) {
      inputs.push_back(values[*next]);
      owned.push_back(refTo(*next));
    }
    Node *made = Node::createLike(*step.get(), inputs, owned);
    made->retainNew(from.uses[values.size()] - 1);
    values.push_back(made);
  }
  llvm::SmallVector<NodeRef> results;
  for (uint32_t result : from.results)
    results.push_back(refTo(result));
  return results;
}

llvm::SmallVector<NodeRef> tapeGradient(Recorder &r, const Tapes &tapes,
                                        const NodeRef &target,
                                        llvm::ArrayRef<NodeRef> sources) {
  Between between;
  {
    std::scoped_lock lock(graph::graphMutex());
    if (!Collector(r, tapes, sources).run(target, between))
      return {};
  }
  graph::TapePause pause;
  auto found = templates().find(between.key);
  if (!found) {
    found = Differentiation(r, between, sources.size()).run();
    if (!found)
      return {};
    templates().add(between.key, found);
  }
  llvm::SmallVector<NodeRef> gradients = instantiate(*found, between);
  for (auto [gradient, source] : llvm::zip_equal(gradients, sources))
    gradient = graph::splitLike(r, graph::placedLike(gradient, *source.get()),
                                *source.get());
  return gradients;
}

} // namespace tensorc::derive
