//===- Automatic.cpp - Placement of expressions on the fastest device -----===//

#include "compiler/graph/LiveHandles.h"
#include "compiler/graph/ops/Collectives.h"
#include "compiler/log/LogTopics.h"
#include "compiler/session/cache/BuildId.h"
#include "compiler/session/jit/CustomOps.h"
#include "compiler/session/jit/Function.h"
#include "compiler/session/jit/Session.h"
#include "compiler/session/jit/Streams.h"
#include "compiler/session/jit/ThreadObjects.h"
#include "compiler/session/placement/GraphCopies.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace tensorc::jit {

using graph::Node;
using graph::NodeRef;
using placement::Sum;

const placement::Placer::Candidates *Session::candidates(Status &status) {
  if (auto *known = placer.known())
    return known;
  std::shared_ptr<cache::DiskCache> cache = diskCache();
  std::scoped_lock lock(compileMutex);
  const placement::Placer::Candidates *result = nullptr;
  onLiveThread([&] {
    if (auto found = placer.candidates(cache->folders(), cache::buildId()))
      result = *found;
    else
      status = makeStatus(TENSORC_RT_INVALID_ARGUMENT,
                          "auto: " + llvm::toString(found.takeError()));
  });
  return result;
}

std::optional<placement::Figures> Session::figuresOf(tensorc_rt_device *device,
                                                     Status &status) {
  std::shared_ptr<cache::DiskCache> cache = diskCache();
  std::scoped_lock lock(compileMutex);
  std::optional<placement::Figures> result;
  onLiveThread([&] {
    auto figures = placer.figuresOf(device, cache->folders(), cache::buildId());
    if (figures)
      result = *figures;
    else
      status = makeStatus(TENSORC_RT_UNSUPPORTED,
                          "figures: " + llvm::toString(figures.takeError()));
  });
  return result;
}

/// Plans the trace's kernels for each target, without compiling them. Releases
/// the lock once the module has been built from the trace.
std::shared_ptr<const placement::KernelPlan>
Session::makePlan(const graph::Trace &trace,
                  std::unique_lock<std::mutex> &graphLock) {
  auto plan = std::make_shared<placement::KernelPlan>();
  plan->context = takeContext();
  graph::Program program = graph::toModule(*plan->context, trace, true);
  plan->isOneSize = !program.module;
  if (plan->isOneSize)
    program = graph::toModule(*plan->context, trace, false);
  graphLock.unlock();
  llvm::StringMap<std::shared_ptr<const placement::FunctionWork>> ofTargets;
  for (const placement::Candidate &candidate : *placer.known()) {
    compiler::CompileOptions options;
    options.target = targetOf(candidate.device);
    options.verify = verifiesPasses;
    auto [it, isNew] = ofTargets.try_emplace(options.target);
    if (isNew) {
      mlir::OwningOpRef<mlir::ModuleOp> module = program.module->clone();
      auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
      if (auto work = placement::planFor(main, options))
        it->second = std::make_shared<placement::FunctionWork>(*work);
    }
    plan->works.push_back(it->second);
  }
  return plan;
}

std::shared_ptr<const placement::KernelPlan>
Session::planFor(graph::Trace &trace,
                 llvm::function_ref<Status(graph::Trace &)> record,
                 Status &status) {
  if (!candidates(status))
    return nullptr;
  {
    std::scoped_lock lock(graph::graphMutex());
    if ((status = record(trace)) || trace.outputs.empty())
      return nullptr;
    if (auto known = plans.find(trace))
      return known;
  }
  std::scoped_lock compileLock(compileMutex);
  std::unique_lock graphLock(graph::graphMutex());
  // Meanwhile other threads may have made this plan or evaluated parts of the
  // expression.
  if ((status = record(trace)) || trace.outputs.empty())
    return nullptr;
  auto plan = plans.find(trace);
  if (!plan)
    onLiveThread([&] {
      plan = makePlan(trace, graphLock);
      plans.insert(trace, plan);
    });
  return plan;
}

/// The cost of an expression that is evaluated in pieces is estimated as the
/// cost of its first piece times the number of pieces, because pieces are often
/// alike.
std::vector<Sum> Session::sumsFor(llvm::ArrayRef<Node *> roots,
                                  tensorc_rt_device *home, Status &status) {
  const auto *all = candidates(status);
  if (!all)
    return {};
  placement::Work copies;
  double pieces = 1;
  std::vector<graph::NodeRef> held;
  auto record = [&](graph::Trace &trace) -> Status {
    llvm::SmallVector<Node *, 4> open = openOf(roots);
    bool isSmall = trace.record(open, graph::Stored::Held, maxNodes);
    copies = placement::copiesOf(trace, open);
    if (isSmall)
      return nullptr;
    size_t numNodes = trace.order.size();
    std::vector<std::vector<graph::NodeRef>> segments =
        trace.segments(pieceNodes, periodicPieceNodes);
    auto piece =
        llvm::find_if(segments, [](auto &nodes) { return !nodes.empty(); });
    llvm::SmallVector<Node *, 4> first(open);
    if (piece != segments.end()) {
      first.clear();
      for (graph::NodeRef &node : *piece)
        first.push_back(node.get());
      llvm::move(*piece, std::back_inserter(held));
    }
    trace.record(first, graph::Stored::Held);
    pieces =
        static_cast<double>(numNodes) / std::max<size_t>(trace.order.size(), 1);
    return nullptr;
  };
  ThreadScratch<graph::Trace> trace;
  std::shared_ptr<const placement::KernelPlan> plan =
      planFor(*trace, record, status);
  if (status)
    return {};
  std::vector<Sum> sums(all->size());
  if (plan)
    sums = plan->sums(*all, *trace);
  copies.home = home;
  for (auto [candidate, sum] : llvm::zip_equal(*all, sums)) {
    sum.repeat(pieces);
    placement::addCopies(*all, candidate, copies, sum);
  }
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
  llvm::SmallVector<Node *, 4> open = openOf(roots);
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

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// Returns in `out` a buffer on the device that has the value of an evaluated
/// node: the node's own buffer if it is on the device, otherwise a copy. The
/// caller owns a reference to the buffer.
static Status moveValue(const Node &source, tensorc_rt_device *device,
                        graph::SourceLocation at, tensorc_rt_buffer *&out) {
  if ((out = source.bufferOn(device))) {
    tensorc_rt_buffer_retain(out);
    return nullptr;
  }
  tensorc_rt_buffer *from = source.buffer();
  auto bytes = static_cast<size_t>(source.byteSize());
  if (Status status{tensorc_rt_buffer_allocate(device, bytes, &out)})
    return status;
  tensorc_rt_buffer_set_origin(out, at.file, at.line);
  // The copy is queued on the thread's stream of the device that has its own
  // memory.
  tensorc_rt_stream *stream = currentStream(device);
  if (!stream)
    stream = currentStream(tensorc_rt_buffer_device(from));
  Status status{tensorc_rt_buffer_copy(out, 0, from, 0, bytes, stream)};
  if (status)
    tensorc_rt_buffer_release(std::exchange(out, nullptr));
  return status;
}

Status Session::transfer(Node &node) {
  graph::NodeRef source;
  {
    std::scoped_lock lock(graph::graphMutex());
    if (node.isEvaluated())
      return nullptr;
    source = node.inputs()[0];
  }
  if (source->isTraced())
    return makeStatus(TENSORC_RT_UNSUPPORTED,
                      "a traced function runs on one device; move its "
                      "arguments before the call");
  if (Status status = evaluate(source.get(), node.device()))
    return status;
  // A sharded value is moved as a whole tensor, since other ranks may belong to
  // the other device.
  if (graph::partsOf(source->split()))
    if (Status status = reshard(source, nullptr))
      return status;
  Node *root = source.get();
  tensorc_rt_device *device =
      node.isAuto() ? tensorc_rt_buffer_device(root->buffer()) : node.device();
  tensorc_rt_buffer *moved = nullptr;
  if (Status status = moveValue(*root, device, node.location(), moved))
    return status;
  llvm::SmallVector<Node *, 8> dropped;
  {
    std::scoped_lock lock(graph::graphMutex());
    node.publish(moved, root->split(), dropped);
  }
  for (Node *input : dropped)
    input->release();
  return nullptr;
}

tensorc_rt_buffer *TransferredInputs::findOrCopy(Node &node, Status &status) {
  if (tensorc_rt_buffer *here = node.bufferOn(device))
    return here;
  tensorc_rt_buffer *copy = nullptr;
  status = moveValue(node, device, node.location(), copy);
  if (copy)
    copies.push_back({graph::NodeRef(&node), copy});
  return copy;
}

void TransferredInputs::keep() {
  if (copies.empty())
    return;
  std::scoped_lock lock(graph::graphMutex());
  for (auto &[node, buffer] : copies)
    node->addCopy(std::exchange(buffer, nullptr));
}

TransferredInputs::~TransferredInputs() {
  for (auto &[node, buffer] : copies)
    if (buffer)
      tensorc_rt_buffer_release(buffer);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Prepares a function whose device the cost model chooses. Compiles nothing
/// yet, because the choice depends on the devices that hold the arguments.
Status Function::prepareAuto(llvm::ArrayRef<Node *> results) {
  Status status;
  const auto *candidates = Session::get().candidates(status);
  if (!candidates)
    return status;
  automatic = std::make_unique<Automatic>();
  automatic->results.assign(results.begin(), results.end());
  automatic->variants =
      std::vector<std::atomic<const Variant *>>(candidates->size());
  std::vector<NodeRef> constants;
  graph::Trace trace;
  auto recordAll = [&](graph::Trace &trace) {
    return record(trace, results, constants);
  };
  // With a single candidate no plan is needed.
  std::shared_ptr<const placement::KernelPlan> plan;
  if (candidates->size() > 1)
    plan = Session::get().planFor(trace, recordAll, status);
  if (status)
    return status;
  if (plan)
    automatic->sums = plan->sums(*candidates, trace);
  automatic->sums.resize(candidates->size());
  std::scoped_lock lock(graph::graphMutex());
  if ((status = recordAll(trace)))
    return status;
  fillSlots(trace, results);
  automatic->copies = placement::copiesOf(trace, results);
  for (Node *node : trace.order)
    if (graph::isArgument(*node)) {
      auto it = llvm::find_if(arguments, [&](const NodeRef &argument) {
        return argument.get() == node;
      });
      automatic->operandArguments.push_back(
          it == arguments.end() ? -1 : it - arguments.begin());
    }
  return nullptr;
}

const Function::Variant *Function::variantOn(unsigned candidate,
                                             Status &status) const {
  std::atomic<const Variant *> &known = automatic->variants[candidate];
  if (const Variant *variant = known.load(std::memory_order_acquire))
    return variant;
  const auto *candidates = Session::get().candidates(status);
  auto variant = std::make_unique<Variant>((*candidates)[candidate].device);
  llvm::SmallVector<Node *> results;
  for (const NodeRef &result : automatic->results)
    results.push_back(result.get());
  graph::Trace trace;
  if ((status = build(*variant, results, trace)))
    return nullptr;
  // Set if another thread has made a variant in the meantime.
  const Variant *other = nullptr;
  return known.compare_exchange_strong(other, variant.get()) ? variant.release()
                                                             : other;
}

/// If there are no values, assumes that the arguments are on the host.
std::vector<placement::Sum>
Function::sumsFor(llvm::ArrayRef<Node *> values) const {
  Status status;
  const auto *candidates = Session::get().candidates(status);
  placement::Work copies = automatic->copies;
  if (!values.empty())
    for (auto [operand, argument] :
         llvm::zip_equal(copies.operands, automatic->operandArguments))
      if (argument >= 0)
        operand = placement::operandOf(*values[argument]);
  std::vector<placement::Sum> sums = automatic->sums;
  for (auto [candidate, sum] : llvm::zip_equal(*candidates, sums))
    placement::addCopies(*candidates, candidate, copies, sum);
  return sums;
}

//===----------------------------------------------------------------------===//
// Values that are split
//===----------------------------------------------------------------------===//

Status reshard(graph::NodeRef &node, const graph::Split *split) {
  if (Status status = Session::get().evaluate(node.get()))
    return status;
  const graph::Split *has = graph::partsOf(node->split());
  split = graph::partsOf(split);
  if (has == split)
    return nullptr;
  graph::Recorder r(node->location());
  const graph::Split &mesh = split ? *split : *has;
  llvm::SmallVector<int64_t> whole(mesh.mesh.size(), -1);
  graph::NodeRef other =
      graph::shard(r, node, mesh.mesh,
                   split ? graph::Ints(split->dims) : graph::Ints(whole));
  if (other.get() == node.get())
    r.fail("shard", "the value is split over " + llvm::Twine(mesh.numRanks()) +
                        " ranks, and the calling thread is none of them: "
                        "gather it there, by a shard that splits no axis");
  if (!r.error.empty())
    return makeStatus(TENSORC_RT_FAILED_PRECONDITION, r.error);
  node = std::move(other);
  return Session::get().evaluate(node.get());
}

Status SplitValues::reshard(llvm::ArrayRef<Node *> &values,
                            llvm::ArrayRef<NodeRef> arguments) {
  auto wanted = [&](size_t i) {
    return arguments.empty() ? nullptr : arguments[i]->split();
  };
  auto indices = llvm::seq<size_t>(0, values.size());
  if (llvm::all_of(indices,
                   [&](size_t i) { return values[i]->split() == wanted(i); }))
    return nullptr;
  bool hasParts = llvm::any_of(arguments, [](const NodeRef &argument) {
    return graph::partsOf(argument->split()) != nullptr;
  });
  for (size_t i : indices)
    if (hasParts && graph::isOwnByRank(values[i]->split()) &&
        !graph::isOwnByRank(wanted(i)))
      return makeStatus(TENSORC_RT_FAILED_PRECONDITION,
                        ("jit: argument " + llvm::Twine(i) +
                         " differs between ranks, unlike the value from which "
                         "the function was recorded")
                            .str());
  for (size_t i : indices) {
    refs.push_back(values[i]);
    if (Status status = jit::reshard(refs.back(), wanted(i)))
      return status;
    nodes.push_back(refs.back().get());
  }
  values = nodes;
  return nullptr;
}

Status Function::measure(tensorc_rt_memory_plan &plan) const {
  plan = {};
  Status status;
  const Variant *variant = only.get();
  if (!variant &&
      !(variant = variantOn(placement::rank(sumsFor({})).front(), status)))
    return status;
  if (isNamed)
    return makeStatus(TENSORC_RT_UNSUPPORTED,
                      "jit: the memory of a call depends on its sizes");
  if (!variant->executable)
    return nullptr;
  status = variant->executable->measure(variant->prepared, plan);
  return status ? located(std::move(status), customCalls, location) : nullptr;
}

} // namespace tensorc::jit
