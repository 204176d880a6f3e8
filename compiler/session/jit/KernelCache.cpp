//===- KernelCache.cpp - Compiled expressions by structure ----------------===//

#include "compiler/session/jit/KernelCache.h"

#include "llvm/ADT/STLExtras.h"

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
  case Reason::MemoryPlans:
    return "memory plans";
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

/// Finds a program that was fitted into the bytes that are left. If the wanted
/// sizes are not Sizes::Fitted, finds none where the program fits without that.
KernelCache::Result KernelCache::findFitted(const Entry &entry,
                                            const std::vector<int64_t> &sizes,
                                            Sizes wanted, BytesLeft bytesLeft) {
  auto hasSizes = [&](const Fitted &fitted) { return fitted.sizes == sizes; };
  if (wanted != Sizes::Fitted && llvm::none_of(entry.fitted, hasSizes))
    return {};
  Result result{nullptr, Reason::MemoryLimit, bytesLeft(), 0};
  const Fitted *best = nullptr;
  for (const Fitted &fitted : llvm::make_filter_range(entry.fitted, hasSizes)) {
    if (wanted != Sizes::Fitted && fitted.fit.natural <= result.limit)
      return {};
    if (!fitted.executable && fitted.fit.needed > result.limit)
      result.smallestLimit = fitted.fit.needed;
    if (fitted.executable && servesLimit(fitted.fit, result.limit) &&
        (!best || best->fit.needed < fitted.fit.needed))
      best = &fitted;
  }
  if (best)
    result.executable = best->executable;
  return result;
}

/// True if the only kernels for these sizes are those for all sizes.
bool KernelCache::isForAll(const Entry &entry,
                           const std::vector<int64_t> &sizes) {
  auto hasSizes = [&](const auto &known) { return known.sizes == sizes; };
  return entry.symbolic && llvm::none_of(entry.sized, hasSizes) &&
         llvm::none_of(entry.fitted, hasSizes);
}

KernelCache::Result KernelCache::find(const graph::Trace &trace, Sizes sizes,
                                      BytesLeft bytesLeft) {
  std::scoped_lock lock(mutex);
  auto entry = lookup(trace);
  Reason forAll = Reason::SecondSize;
  if (sizes == Sizes::Planned) {
    if (entry != entries.end() && isForAll(*entry, trace.sizes))
      return entry->isPlanned ? Result{entry->symbolic}
                              : Result{nullptr, Reason::MemoryPlans};
    sizes = Sizes::Fitted;
  }
  if (bytesLeft && entry != entries.end()) {
    Result fitted = findFitted(*entry, trace.sizes, sizes, bytesLeft);
    if (fitted.executable || sizes == Sizes::Fitted)
      return fitted;
  }
  if (sizes == Sizes::Fitted)
    return {nullptr, Reason::MemoryLimit, bytesLeft(), 0};
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
  if (reason == Reason::SecondSize || reason == Reason::MemoryPlans) {
    entry->symbolic = std::move(executable);
    entry->isPlanned = reason == Reason::MemoryPlans;
  } else if (reason == Reason::MemoryLimit) {
    MemoryFit fit = executable->fit;
    addFitted(*entry, {trace.sizes, std::move(executable), fit});
  } else {
    entry->sized.insert(entry->sized.begin(),
                        {trace.sizes, std::move(executable)});
    if (entry->sized.size() > maxSized)
      entry->sized.pop_back();
  }
}

void KernelCache::addFitted(Entry &entry, Fitted fitted) {
  entry.fitted.insert(entry.fitted.begin(), std::move(fitted));
  if (entry.fitted.size() > maxSized)
    entry.fitted.pop_back();
}

void KernelCache::refuseLimit(const graph::Trace &trace, const MemoryFit &fit) {
  std::scoped_lock lock(mutex);
  addFitted(*entryFor(trace), {trace.sizes, nullptr, fit});
}

void KernelCache::refusePlans(const graph::Trace &trace) {
  std::scoped_lock lock(mutex);
  entryFor(trace)->isPlanned = true;
}

bool KernelCache::refuseSymbolic(const graph::Trace &trace, Reason reason) {
  std::scoped_lock lock(mutex);
  Entry &entry = *entryFor(trace);
  if (entry.symbolic)
    entry.isPlanned = true;
  else
    entry.refusal = reason;
  return !entry.symbolic;
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

} // namespace tensorc::jit
