//===- StagedPullback.cpp - Gradients over several devices ----------------===//

#include "compiler/session/derive/StagedPullback.h"

#include "compiler/graph/Dependents.h"
#include "compiler/graph/LiveHandles.h"
#include "compiler/graph/Placement.h"
#include "compiler/graph/Trace.h"
#include "compiler/graph/ops/Builders.h"
#include "compiler/session/derive/Derived.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tensorc::derive {

using graph::Node;
using graph::NodeRef;
using graph::OpKind;
using graph::Recorder;

/// Returns the transfers of a recorded function, operands first.
static llvm::SmallVector<NodeRef>
recordedTransfers(llvm::ArrayRef<NodeRef> results) {
  std::scoped_lock lock(graph::graphMutex());
  llvm::SmallVector<NodeRef> found;
  for (NodeRef &transfer : graph::pendingTransfers(graph::pointers(results)))
    if (transfer->isTraced())
      found.push_back(std::move(transfer));
  return found;
}

namespace {
class StagedPullback {
public:
  StagedPullback(Recorder &r, const PullbackRequest &request,
                 llvm::ArrayRef<NodeRef> transfers)
      : r(r), request(request), transfers(transfers),
        arguments(request.arguments), values(request.values),
        wanted(request.wanted), gradients(request.arguments.size()) {}

  PulledBack run();

private:
  size_t numArguments() const { return request.arguments.size(); }
  bool computeTransfer(const NodeRef &transfer);
  llvm::SmallVector<NodeRef> pull(PullbackRequest stage,
                                  llvm::ArrayRef<unsigned> inputs);
  NodeRef moved(const NodeRef &x, const Node &like);

  Recorder &r;
  const PullbackRequest &request;
  llvm::ArrayRef<NodeRef> transfers;
  // Of the function's arguments, followed by its transfers. The gradients are
  // sums over the stages so far, or null.
  llvm::SmallVector<NodeRef> arguments, values;
  llvm::SmallVector<bool> wanted;
  llvm::SmallVector<NodeRef> gradients;
  /// The operand of each transfer: as it was recorded, and its value.
  llvm::SmallVector<NodeRef> recorded, sources;
};
} // namespace

NodeRef StagedPullback::moved(const NodeRef &x, const Node &like) {
  if (like.isAuto())
    return graph::moveToAuto(r, x);
  return like.device() ? graph::moveTo(r, x, like.device()) : x;
}

/// Records the stage before the transfer on the values.
bool StagedPullback::computeTransfer(const NodeRef &transfer) {
  {
    std::scoped_lock lock(graph::graphMutex());
    recorded.push_back(transfer->inputs()[0]);
  }
  llvm::SmallVector<NodeRef> stageArguments, stageValues;
  for (unsigned i : graph::indicesRead(arguments, recorded.back())) {
    stageArguments.push_back(arguments[i]);
    stageValues.push_back(values[i]);
  }
  auto unchanged = [](mlir::func::FuncOp function, size_t) {
    return mlir::FailureOr<mlir::func::FuncOp>(function);
  };
  auto isOutside = [](const Node &, unsigned) { return false; };
  llvm::SmallVector<NodeRef> made = derive(r, {"grad",
                                               "differentiated",
                                               stageArguments,
                                               recorded.back(),
                                               isOutside,
                                               stageValues,
                                               {},
                                               unchanged});
  if (!r.error.empty())
    return false;
  sources.push_back(made[0]);
  arguments.push_back(transfer);
  values.push_back(moved(made[0], *transfer.get()));
  bool isWanted =
      llvm::is_contained(request.wanted, true) &&
      graph::isIn(transfer->dtype(), graph::floatMask | graph::complexMask);
  wanted.push_back(isWanted);
  gradients.push_back(NodeRef());
  return r.error.empty();
}

/// Pulls back a stage and adds to the gradients of its inputs. Returns its
/// results.
llvm::SmallVector<NodeRef>
StagedPullback::pull(PullbackRequest stage, llvm::ArrayRef<unsigned> inputs) {
  llvm::SmallVector<NodeRef> stageArguments, stageValues;
  llvm::SmallVector<bool> stageWanted;
  for (unsigned i : inputs) {
    stageArguments.push_back(arguments[i]);
    stageValues.push_back(values[i]);
    stageWanted.push_back(wanted[i]);
  }
  stage.arguments = stageArguments;
  stage.values = stageValues;
  stage.wanted = stageWanted;
  PulledBack made = pullBack(r, stage);
  if (!r.error.empty())
    return {};
  for (auto [i, gradient] : llvm::zip_equal(inputs, made.gradients))
    if (gradient)
      gradients[i] = gradients[i] ? graph::elementwise(r, OpKind::Add,
                                                       {gradients[i], gradient})
                                  : gradient;
  return made.results;
}

PulledBack StagedPullback::run() {
  if (!checkArguments(r, request))
    return {};
  for (const NodeRef &transfer : transfers)
    if (!computeTransfer(transfer))
      return {};
  // The last stage also gives zeros as the gradients of arguments that no stage
  // reads.
  llvm::SmallVector<unsigned> last =
      graph::indicesRead(arguments, request.results);
  llvm::SmallVector<bool> isRead(arguments.size());
  for (unsigned i : last)
    isRead[i] = true;
  for (const NodeRef &operand : recorded)
    for (unsigned i : graph::indicesRead(arguments, operand))
      isRead[i] = true;
  for (size_t i = 0; i < numArguments(); ++i)
    if (!isRead[i])
      last.push_back(i);
  PulledBack made;
  made.results = pull(request, last);
  for (size_t i = transfers.size(); r.error.empty() && i-- > 0;) {
    const NodeRef &gradient = gradients[numArguments() + i];
    if (!gradient)
      continue;
    NodeRef cotangent = moved(gradient, *sources[i].get());
    PullbackRequest stage = {{}, {}, {}, recorded[i], cotangent};
    if (r.error.empty())
      pull(stage, graph::indicesRead(arguments, recorded[i]));
  }
  if (!r.error.empty())
    return {};
  made.gradients.assign(gradients.begin(), gradients.begin() + numArguments());
  return made;
}

PulledBack pullBackInStages(Recorder &r, const PullbackRequest &request) {
  llvm::SmallVector<NodeRef> transfers = recordedTransfers(request.results);
  return transfers.empty() ? pullBack(r, request)
                           : StagedPullback(r, request, transfers).run();
}

} // namespace tensorc::derive
