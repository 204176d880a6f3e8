//===- KernelCache.cpp - Compiled expressions by structure ----------------===//

#include "compiler/session/jit/KernelCache.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace tensorc::jit {

const char *reasonName(Reason reason) {
  switch (reason) {
  case Reason::NewStructure:
    return "new structure";
  case Reason::SecondSize:
    return "second size";
  case Reason::SizesNotExpressible:
    return "sizes not expressible";
  case Reason::SymbolicFailed:
    return "symbolic compilation failed";
  case Reason::FrequentSizes:
    return "frequent sizes";
  case Reason::MemoryLimit:
    return "memory limit";
  }
  return "";
}

KernelCache::Entries::iterator KernelCache::lookup(const graph::Trace &trace) {
  auto [begin, end] = index.equal_range(trace.hash);
  for (auto it = begin; it != end; ++it)
    if (it->second->key == trace.key) {
      entries.splice(entries.begin(), entries, it->second);
      return it->second;
    }
  return entries.end();
}

KernelCache::Entries::iterator
KernelCache::entryFor(const graph::Trace &trace) {
  if (auto entry = lookup(trace); entry != entries.end())
    return entry;
  entries.push_front({trace.hash, trace.key});
  index.emplace(trace.hash, entries.begin());
  if (entries.size() > std::max<size_t>(capacity, 1)) {
    auto last = std::prev(entries.end());
    auto [begin, end] = index.equal_range(last->hash);
    for (auto it = begin; it != end; ++it)
      if (it->second == last) {
        index.erase(it);
        break;
      }
    entries.erase(last);
  }
  return entries.begin();
}

bool KernelCache::areFrequent(Entry &entry, const std::vector<int64_t> &sizes) {
  auto &uses = entry.uses;
  auto known =
      llvm::find_if(uses, [&](auto &use) { return use.first == sizes; });
  if (known == uses.end()) {
    if (uses.size() == maxSized)
      uses.pop_back();
    known = uses.insert(uses.end(), {sizes, 0});
  }
  std::rotate(uses.begin(), known, known + 1);
  return ++uses.front().second >= frequentUses;
}

KernelCache::Result KernelCache::find(const graph::Trace &trace, Sizes sizes) {
  std::scoped_lock lock(mutex);
  auto entry = lookup(trace);
  Reason forAll = Reason::SecondSize;
  if (sizes == Sizes::Fitted)
    return {nullptr, Reason::MemoryLimit};
  if (entry == entries.end())
    return {nullptr, sizes == Sizes::All ? forAll : Reason::NewStructure};
  for (const Sized &sized : entry->sized)
    if (sized.sizes == trace.sizes)
      return {sized.executable};
  if (entry->symbolic) {
    bool mayReplace = entry->symbolic->isSlowerThanSized && entry->countsUses &&
                      entry->sized.size() < maxSized;
    if (mayReplace &&
        (sizes == Sizes::OnlyThese || areFrequent(*entry, trace.sizes)))
      return {nullptr, Reason::FrequentSizes};
    return {entry->symbolic};
  }
  if (entry->refusal != Reason::NewStructure)
    return {nullptr, entry->refusal};
  return {nullptr, forAll};
}

void KernelCache::addUses(const graph::Trace &trace, unsigned more) {
  std::scoped_lock lock(mutex);
  auto entry = lookup(trace);
  if (entry == entries.end())
    return;
  for (auto &[sizes, count] : entry->uses)
    if (sizes == trace.sizes)
      count += more;
}

void KernelCache::insert(const graph::Trace &trace, Reason reason,
                         std::shared_ptr<const Executable> executable) {
  std::scoped_lock lock(mutex);
  auto entry = entryFor(trace);
  if (reason == Reason::SecondSize) {
    entry->symbolic = std::move(executable);
  } else {
    entry->sized.insert(entry->sized.begin(),
                        {trace.sizes, std::move(executable)});
    if (entry->sized.size() > maxSized)
      entry->sized.pop_back();
  }
}

void KernelCache::refuseSymbolic(const graph::Trace &trace, Reason reason) {
  std::scoped_lock lock(mutex);
  entryFor(trace)->refusal = reason;
}

void KernelCache::refuseFrequent(const graph::Trace &trace) {
  std::scoped_lock lock(mutex);
  auto entry = lookup(trace);
  if (entry != entries.end())
    entry->countsUses = false;
}

void KernelCache::clear() {
  std::scoped_lock lock(mutex);
  index.clear();
  entries.clear();
}

size_t KernelCache::size() {
  std::scoped_lock lock(mutex);
  return entries.size();
}

/// True if the node was recorded after the line's last expression was
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
/// op, with a value that is younger than `time`. The program must hold both, as
/// a list does: a state that is updated in place (`x = x + f(x)`) is no list.
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
         llvm::any_of(fold.inputs(), isOlder) && !graph::isTrivial(&added) &&
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

bool Growth::contains(const graph::Trace &trace, const graph::Node &root) {
  graph::SourceLocation at = root.location();
  if (!at.file)
    return false;
  if (auto known = uses.find(trace.hash); known != uses.end())
    return ++known->second <= usesInParts;
  if (lines.size() >= capacity)
    lines.clear();
  if (uses.size() >= capacity)
    uses.clear();
  Line &line = lineOf(root);
  size_t size = trace.order.size();
  // Counts the arguments, too: an expression over values that were computed
  // before has fewer nodes than one over new values.
  bool grows = line.size &&
               (size > line.size || trace.arguments.size() > line.arguments);
  bool isContinued = grows && continues(line, trace);
  // Growth by equal steps counts twice. Unequal steps may be the first
  // iterations of a loop whose values begin as constants.
  size_t step = grows ? size - line.size : 0;
  unsigned evidence = step == std::exchange(line.step, step) ? 2 : 1;
  if (isContinued && isList(line, trace))
    evidence = compiledContinued + 1;
  line.continued = isContinued ? line.continued + evidence : 0;
  line.rebuilt = grows && !isContinued ? line.rebuilt + 1 : 0;
  if (line.continued > compiledContinued + 2)
    tell(line, size, at);
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
  bool isInParts =
      line.continued > compiledContinued || line.rebuilt > compiledRebuilt;
  if (isInParts)
    uses[trace.hash] = 1;
  return isInParts;
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
  uses.clear();
}

} // namespace tensorc::jit
