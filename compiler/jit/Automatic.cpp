//===- Automatic.cpp - Expressions where they cost least ------------------===//

#include "compiler/jit/BuildId.h"
#include "compiler/jit/Session.h"
#include "compiler/jit/ThreadObjects.h"
#include "compiler/log/LogTopics.h"
#include "compiler/placement/GraphWork.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace tensorc::jit {

using graph::Node;
using placement::Sum;

const placement::Placer::Candidates *Session::candidates(Status &status) {
  if (auto *known = placer.known())
    return known;
  std::shared_ptr<DiskCache> cache = diskCache();
  std::scoped_lock lock(compileMutex);
  const placement::Placer::Candidates *result = nullptr;
  onLiveThread([&] {
    if (auto found = placer.candidates(cache->folders(), buildId()))
      result = *found;
    else
      status = makeStatus(TENSORC_RT_INVALID_ARGUMENT,
                          "auto: " + llvm::toString(found.takeError()));
  });
  return result;
}

std::optional<placement::Figures> Session::figuresOf(tensorc_rt_device *device,
                                                     Status &status) {
  std::shared_ptr<DiskCache> cache = diskCache();
  std::scoped_lock lock(compileMutex);
  std::optional<placement::Figures> result;
  onLiveThread([&] {
    auto figures = placer.figuresOf(device, cache->folders(), buildId());
    if (figures)
      result = *figures;
    else
      status = makeStatus(TENSORC_RT_UNSUPPORTED,
                          "figures: " + llvm::toString(figures.takeError()));
  });
  return result;
}

std::vector<Sum> Session::sumsFor(llvm::ArrayRef<Node *> roots,
                                  tensorc_rt_device *home, Status &status) {
  const auto *all = candidates(status);
  if (!all)
    return {};
  placement::Work work;
  {
    std::scoped_lock lock(graph::graphMutex());
    ThreadScratch<graph::Trace> trace;
    (*trace).collect(roots);
    work = placement::workOf(*trace, roots);
  }
  work.home = home;
  std::vector<Sum> sums;
  for (const placement::Candidate &candidate : *all)
    sums.push_back(placement::sumOf(*all, candidate, work));
  return sums;
}

bool isRefusal(const tensorc_rt_status *status) {
  tensorc_rt_code code = tensorc_rt_status_code(status);
  return code == TENSORC_RT_OUT_OF_MEMORY || code == TENSORC_RT_UNSUPPORTED;
}

Status tryInOrder(llvm::ArrayRef<Sum> sums,
                  const placement::Placer::Candidates &candidates,
                  llvm::function_ref<Status(unsigned)> attempt) {
  Status first;
  for (unsigned i : placement::rank(sums)) {
    Status status = attempt(i);
    if (!status || !isRefusal(status.get()))
      return status;
    if (isLogged(LogTopic::Placement))
      llvm::errs() << "tensorc: auto: not on " << candidates[i].name << ": "
                   << tensorc_rt_status_message(status.get()) << "\n";
    if (!first)
      first = std::move(status);
  }
  return first;
}

Status Session::evaluateAuto(llvm::ArrayRef<Node *> roots,
                             tensorc_rt_device *home) {
  llvm::SmallVector<Node *, 4> open;
  for (Node *root : roots)
    if (!root->isEvaluated())
      open.push_back(root);
  if (open.empty())
    return nullptr;
  Status status;
  const auto *all = candidates(status);
  if (!all)
    return status;
  if (all->size() == 1)
    return evaluateOn(all->front().device, open, maxNodes);
  std::vector<Sum> sums = sumsFor(open, home, status);
  if (status)
    return status;
  return tryInOrder(sums, *all, [&](unsigned i) {
    return evaluateOn((*all)[i].device, open, maxNodes);
  });
}

} // namespace tensorc::jit
