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

KernelCache::Result KernelCache::find(const graph::Trace &trace,
                                      bool onlyThese) {
  std::scoped_lock lock(mutex);
  auto entry = lookup(trace);
  if (entry == entries.end())
    return {};
  for (const Sized &sized : entry->sized)
    if (sized.sizes == trace.sizes)
      return {sized.executable};
  if (entry->symbolic) {
    bool mayReplace = entry->symbolic->isSlowerThanSized && entry->countsUses &&
                      entry->sized.size() < maxSized;
    if (mayReplace && (onlyThese || areFrequent(*entry, trace.sizes)))
      return {nullptr, Reason::FrequentSizes};
    return {entry->symbolic};
  }
  if (entry->refusal != Reason::NewStructure)
    return {nullptr, entry->refusal};
  return {nullptr, Reason::SecondSize};
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
  auto entry = lookup(trace);
  if (entry == entries.end()) {
    entries.push_front({trace.hash, trace.key});
    entry = entries.begin();
    index.emplace(trace.hash, entry);
  }
  if (reason == Reason::SecondSize) {
    entry->symbolic = std::move(executable);
  } else {
    entry->sized.insert(entry->sized.begin(),
                        {trace.sizes, std::move(executable)});
    if (entry->sized.size() > maxSized)
      entry->sized.pop_back();
  }
  while (entries.size() > capacity) {
    auto last = std::prev(entries.end());
    auto [begin, end] = index.equal_range(last->hash);
    for (auto it = begin; it != end; ++it)
      if (it->second == last) {
        index.erase(it);
        break;
      }
    entries.erase(last);
  }
}

void KernelCache::refuseSymbolic(const graph::Trace &trace, Reason reason) {
  std::scoped_lock lock(mutex);
  auto entry = lookup(trace);
  if (entry != entries.end())
    entry->refusal = reason;
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
  Line &line = lines[{at.file, at.line, root.op(), root.dtype(), root.rank()}];
  size_t nodes = trace.order.size();
  size_t step = nodes > line.nodes && line.nodes ? nodes - line.nodes : 0;
  bool grows = step && step == line.step;
  line.nodes = nodes;
  line.step = step;
  if (!grows)
    return false;
  uses[trace.hash] = 1;
  if (!line.isTold)
    llvm::errs() << "tensorc: the expression evaluated at " << at.file << ":"
                 << at.line << " grows by " << step
                 << " ops each time; it is evaluated in parts instead of being "
                    "compiled each time. Evaluate in each iteration what the "
                    "next one continues from (x.eval()), and keep values in "
                    "one tensor instead of a list\n";
  line.isTold = true;
  return true;
}

} // namespace tensorc::jit
