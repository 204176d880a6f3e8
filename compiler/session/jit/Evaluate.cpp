//===- Evaluate.cpp - From handles to values ------------------------------===//

#include "compiler/graph/CustomCalls.h"
#include "compiler/graph/Placement.h"
#include "compiler/output/pipelines/HostLock.h"
#include "compiler/session/jit/CustomOps.h"
#include "compiler/session/jit/Donation.h"
#include "compiler/session/jit/NumberChecks.h"
#include "compiler/session/jit/Session.h"
#include "compiler/session/jit/Streams.h"
#include "compiler/session/jit/ThreadObjects.h"
#include "compiler/session/jit/TraceFile.h"
#include "compiler/session/jit/growth/Folded.h"
#include "compiler/session/jit/growth/Joined.h"
#include "compiler/session/jit/growth/Steps.h"
#include "runtime/include/tensorc/communicator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace tensorc::jit {

using graph::Node;

tensorc_rt_arg argumentOf(const Node &value) {
  return {value.buffer(), 0, graph::storedDims(value),
          static_cast<int32_t>(value.rank()),
          static_cast<tensorc_rt_dtype>(value.dtype())};
}

void appendArguments(const graph::Trace &trace, const Executable &executable,
                     llvm::SmallVectorImpl<tensorc_rt_arg> &arguments) {
  for (uint64_t word : trace.words)
    arguments.push_back({nullptr, word, nullptr, 0, TENSORC_RT_NONE});
  for (uint32_t id : executable.boundSizes)
    arguments.push_back({nullptr, static_cast<uint64_t>(trace.sizes[id]),
                         nullptr, 0, TENSORC_RT_NONE});
}

llvm::SmallVector<Node *, 4> openOf(llvm::ArrayRef<Node *> roots) {
  llvm::SmallVector<Node *, 4> open;
  llvm::copy_if(roots, std::back_inserter(open),
                [](Node *root) { return !root->isEvaluated(); });
  return open;
}

/// True if the host can read the device's memory. Caches the answer for the
/// thread's latest device.
static bool isHostVisible(tensorc_rt_device *device) {
  thread_local tensorc_rt_device *latest = nullptr;
  thread_local bool isVisible = false;
  if (device != latest) {
    tensorc_rt_device_properties properties;
    tensorc_rt_device_get_properties(device, &properties);
    isVisible = properties.host_visible != 0;
    latest = device;
  }
  return isVisible;
}

/// True if error messages about kernels on the device, or about collectives,
/// need source lines.
static bool needsLines(tensorc_rt_device *device) {
  static const bool checks = secure_getenv("TENSORC_CHECK") != nullptr;
  return checks || !isHostVisible(device) || tensorc_rt_thread_communicator();
}

Lines linesOf(const graph::Trace &trace, tensorc_rt_device *device) {
  Lines lines;
  if (needsLines(device))
    for (const Node *node : trace.order)
      lines.push_back({node->location().file, node->location().line});
  return lines;
}

using Outputs = llvm::SmallVector<tensorc_rt_output, 2>;

static Status run(tensorc_rt_device *device, graph::Trace &trace,
                  const Executable &executable, const Lines &lines,
                  Donation &donation, Outputs &outputs) {
  llvm::SmallVector<tensorc_rt_arg, 16> arguments;
  TransferredInputs inputs(device);
  for (Node *node : trace.arguments) {
    Status status;
    arguments.push_back(argumentOf(*node));
    if (!(arguments.back().buffer = inputs.find(*node, status)))
      return status;
  }
  appendArguments(trace, executable, arguments);
  outputs.resize_for_overwrite(trace.outputs.size());
  RunMemory memory;
  memory.lines = lines;
  // A failed evaluation must leave its inputs intact. Number checks may fail
  // after the run, so nothing is donated if they are on.
  if (!checksNumbers())
    memory.donated = donation.take(trace);
  if (Status status = executable.run(arguments, outputs, memory))
    return status;
  inputs.keep();
  return nullptr;
}

static void publish(const graph::Trace &trace, const Outputs &outputs) {
  llvm::SmallVector<Node *, 8> dropped;
  {
    std::scoped_lock lock(graph::graphMutex());
    for (const auto *nodes :
         {&trace.arguments, &trace.outputs, &trace.leftUnstored})
      for (Node *node : *nodes)
        node->noteReached();
    for (auto [i, node, output] : llvm::enumerate(trace.outputs, outputs)) {
      graph::SourceLocation at = node->location();
      tensorc_rt_buffer_set_origin(output.buffer, at.file, at.line);
      node->publish(output.buffer, trace.splitOfOutput(i), dropped);
    }
  }
  for (Node *node : dropped)
    node->release();
}

namespace {
/// A value of Trace::early or Trace::heldConstants. Describes the node's inputs,
/// because other threads may evaluate the node, which then releases them.
struct EarlyValue {
  graph::NodeRef node;
  /// The value whose row the node is, and the row's offset in bytes. Null if the
  /// node is a constant.
  graph::NodeRef source;
  size_t offset = 0;
  /// The bytes of a constant.
  llvm::SmallVector<char, 64> bytes;
};
} // namespace

using EarlyValues = llvm::SmallVector<EarlyValue, 2>;

/// Returns the nodes on the device that can be stored early. The caller must hold
/// graphMutex().
static EarlyValues findEarly(tensorc_rt_device *device,
                             llvm::ArrayRef<Node *> nodes) {
  EarlyValues values;
  for (Node *node : nodes) {
    bool isFound = llvm::any_of(values, [&](const EarlyValue &value) {
      return value.node.get() == node;
    });
    if (node->device() != device || node->isEvaluated() || isFound)
      continue;
    std::optional<graph::Row> row = graph::rowOf(*node);
    if (!row)
      values.push_back({node, {}, 0, graph::bytesOfScalars(*node)});
    else if (row->value->bufferOn(device))
      values.push_back(
          {node, row->value, static_cast<size_t>(row->offset), {}});
  }
  return values;
}

/// Returns the constants to store before an expression is compiled. On ranks
/// there are none: all of them must run equal programs, which would depend on how
/// often an expression occurred. The caller must hold graphMutex().
static EarlyValues findConstants(tensorc_rt_device *device,
                                 const graph::Trace &trace, Growth &growth) {
  EarlyValues values;
  if (!isOneOfRanks())
    values = findEarly(device, trace.heldConstants);
  if (!values.empty() && !growth.storesConstants(trace))
    values.clear();
  return values;
}

/// Returns the roots, and the values that a program for the whole expression
/// would store.
static llvm::SmallVector<Node *, 4> withOutputs(llvm::ArrayRef<Node *> roots,
                                                const graph::Trace &trace) {
  llvm::SmallVector<Node *, 4> wanted(roots);
  llvm::copy_if(trace.outputs, std::back_inserter(wanted),
                [&](Node *node) { return !llvm::is_contained(roots, node); });
  return wanted;
}

/// Returns how to evaluate the expression. Ranks do not cut it into steps.
static Growth::Plan growthPlan(Growth &growth, const graph::Trace &trace,
                               const Node &root) {
  Growth::Plan plan = growth.planFor(trace, root);
  return plan == Growth::Plan::Steps && isOneOfRanks() ? Growth::Plan::Whole
                                                       : plan;
}

/// Stores the values, in the order of the device's current stream. The caller
/// must not hold graphMutex(): a copy may wait for the stream, on which custom
/// calls may need the mutex.
static Status storeEarly(tensorc_rt_device *device, const EarlyValues &values) {
  tensorc_rt_stream *stream = currentStream(device);
  for (const EarlyValue &value : values) {
    Node &node = *value.node.get();
    auto size = static_cast<size_t>(node.byteSize());
    tensorc_rt_buffer *buffer = nullptr;
    if (Status status{tensorc_rt_buffer_allocate(device, size, &buffer)})
      return status;
    Status status{value.source
                      ? tensorc_rt_buffer_copy(buffer, 0,
                                               value.source->bufferOn(device),
                                               value.offset, size, stream)
                      : tensorc_rt_buffer_write(buffer, 0, value.bytes.data(),
                                                size, stream)};
    if (status) {
      tensorc_rt_buffer_release(buffer);
      return status;
    }
    graph::SourceLocation at = node.location();
    tensorc_rt_buffer_set_origin(buffer, at.file, at.line);
    llvm::SmallVector<Node *, 1> dropped;
    {
      std::scoped_lock lock(graph::graphMutex());
      node.publish(buffer, nullptr, dropped);
    }
    for (Node *input : dropped)
      input->release();
  }
  return nullptr;
}

/// Returns the node's device, or the thread's device if the node has none.
static tensorc_rt_device *placeOf(const Node &node, Status &status) {
  return node.device() ? node.device() : Session::get().bufferDevice(status);
}

Status Session::evaluate(llvm::ArrayRef<Node *> roots,
                         tensorc_rt_device *home) {
  if (Status status = evaluateTransfers(roots))
    return status;
  llvm::SmallVector<Node *, 4> rest(roots);
  while (!rest.empty()) {
    Status status;
    bool isAuto = rest.front()->isAuto();
    tensorc_rt_device *device = placeOf(*rest.front(), status);
    llvm::SmallVector<Node *, 4> here, elsewhere;
    for (Node *node : rest)
      (node->isAuto() == isAuto && placeOf(*node, status) == device ? here
                                                                    : elsewhere)
          .push_back(node);
    if (!status)
      status = isAuto ? evaluateAuto(here, home)
                      : evaluateOn(device, here, maxNodes);
    if (status)
      return status;
    rest = std::move(elsewhere);
  }
  return nullptr;
}

Status Session::evaluatePending(Node &node) {
  Status status;
  if (!node.isTraced()) {
    compiler::HostLock::Released released;
    status = evaluate(&node);
  }
  node.forgetPending();
  // The error is reported when the value is read, except in op-by-op mode.
  return opByOp ? std::move(status) : nullptr;
}

static constexpr llvm::StringLiteral tracedNow =
    " traces a function, nor after that";

/// Returns the error for reading a value that depends on the arguments of a
/// function being traced. The caller adds the source line.
static Status unknownValue(const Node &root) {
  const Node *op = &root; // results of a custom call are separate nodes
  while (op->op() == graph::OpKind::CustomResult)
    op = graph::operandsOf(*op)[0];
  llvm::StringRef name = op->op() == graph::OpKind::CustomCall
                             ? op->attributes<graph::CustomCall>().name
                             : graph::traits(op->op()).apiName;
  name.consume_front("tx.");
  graph::SourceLocation at = root.location();
  llvm::StringRef traced = tracer;
  bool isGradient = traced == "grad" || traced == "vjp";
  std::string text;
  llvm::raw_string_ostream(text)
      << reader << ": the value of "
      << (op->op() == graph::OpKind::Placeholder || name.empty() ? "an argument"
                                                                 : name)
      << " is not known while " << tracer << tracedNow
      << (at.file ? "; it was recorded at " + std::string(at.file) + ":" +
                        std::to_string(at.line)
                  : std::string())
      << ": choose by it with where, cond or while_loop"
      << (isGradient ? ", or use a Tape, which differentiates what was done"
                     : "");
  return makeStatus(TENSORC_RT_FAILED_PRECONDITION, text);
}

static bool saysUnknown(const Status &status) {
  return llvm::StringRef(tensorc_rt_status_message(status.get()))
      .contains(tracedNow);
}

uint64_t countCalls(tensorc_rt_device *device, bool overwrites) {
  tensorc_rt_run_stats stats;
  tensorc_rt_device_run_stats(device, &stats);
  return stats.custom_calls + (overwrites ? stats.launches + stats.copies : 0);
}

/// Runs the program. If it is for all sizes, sets `more` to the number of
/// further uses of these sizes that its time amounts to.
static Status runTimed(tensorc_rt_device *device, graph::Trace &trace,
                       const Executable &executable, const Lines &lines,
                       Donation &donation, Outputs &outputs, unsigned &more) {
  if (!executable.isSlowerThanSized)
    return run(device, trace, executable, lines, donation, outputs);
  int64_t begin = threadNanoseconds();
  Status status = run(device, trace, executable, lines, donation, outputs);
  more = KernelCache::moreUses(threadNanoseconds() - begin);
  return status;
}

Status Session::evaluateOn(tensorc_rt_device *device,
                           llvm::ArrayRef<Node *> roots, unsigned limit,
                           Sizes sizes, Repetition *repetition) {
  llvm::SmallVector<Node *, 4> open = openOf(roots);
  if (open.empty())
    return nullptr;
  if (Status status = checkOutsideCustomOp())
    return status;
  ThreadScratch<graph::Trace> scratch;
  graph::Trace &trace = *scratch;
  // References to the nodes that the run reads and writes. They are needed
  // because other threads may release their own references.
  llvm::SmallVector<graph::NodeRef, 16> held;
  Lines lines;
  bool isLarge = false;
  EarlyValues early, constants;
  Donation donation;
  auto record = [&](graph::Trace &trace) -> Status {
    llvm::erase_if(open, [](Node *root) { return root->isEvaluated(); });
    isLarge = !trace.record(
        open, checksNumbers() ? graph::Stored::All : graph::Stored::Held, limit,
        /*keepsParts=*/true);
    if (isLarge)
      return nullptr;
    if (early = findEarly(device, trace.early); !early.empty()) {
      trace.outputs.clear(); // nothing is looked up
      return nullptr;
    }
    for (Node *node : trace.arguments)
      if (!node->isEvaluated())
        return unknownValue(*open.front());
    held.append(trace.arguments.begin(), trace.arguments.end());
    held.append(trace.outputs.begin(), trace.outputs.end());
    lines = linesOf(trace, device);
    held.append(trace.leftUnstored.begin(), trace.leftUnstored.end());
    donation.find(trace, held);
    return nullptr;
  };
  Status status;
  auto plan = Growth::Plan::Whole;
  // Pieces are compiled whatever their number of nodes is. Programs that need
  // less memory are for the whole expression.
  auto hasOtherPlan = [&](const graph::Trace &trace) {
    if (!(constants = findConstants(device, trace, growth)).empty())
      return true;
    plan = growthPlan(growth, trace, *open.front());
    return plan != Growth::Plan::Whole;
  };
  auto bytesLeft = [&] { return bytesLeftFor(trace.arguments, device); };
  llvm::function_ref<bool(const graph::Trace &)> refuses;
  bool isForMemory = sizes == Sizes::Fitted || sizes == Sizes::Planned;
  if (limit != UINT32_MAX && !isForMemory)
    refuses = hasOtherPlan;
  auto executable =
      executableFor(device, trace, record, status, sizes, refuses, bytesLeft,
                    repetition ? &repetition->bytesMissing : nullptr);
  if (early.empty() && !executable)
    early = std::move(constants);
  if (!early.empty() && !status) {
    // The references would keep the values from being donated.
    if ((status = storeEarly(device, std::exchange(early, {}))))
      return status;
    return evaluateOn(device, roots, limit, sizes, repetition);
  }
  if (repetition)
    repetition->isPossible = !isLarge;
  if (isLarge)
    return evaluateInPieces(device, roots, Pieces::Large);
  if (plan == Growth::Plan::AllSizes)
    return evaluateOn(device, roots, UINT32_MAX, Sizes::All, repetition);
  if (plan != Growth::Plan::Whole) {
    return evaluateInPieces(device, withOutputs(open, trace),
                            plan == Growth::Plan::Parts ? Pieces::Growing
                                                        : Pieces::Steps);
  }
  Outputs outputs;
  if (executable) {
    uint64_t calls = repetition ? countCalls(device) : 0;
    unsigned more = 0;
    status =
        runTimed(device, trace, *executable, lines, donation, outputs, more);
    if (status && repetition)
      repetition->isPossible &= countCalls(device) == calls;
    Status unknown;
    if (Device *known = more ? deviceFor(device, unknown) : nullptr)
      known->cache.addUses(trace, more);
  }
  if (status && saysUnknown(status))
    return status;
  if (status)
    return located(std::move(status), trace.customCalls,
                   roots.front()->location());
  if (!executable)
    return nullptr;
  if ((status = checkNumbers(trace.outputs, outputs, trace.customCalls)))
    return status;
  noteRun(executable);
  publish(trace, outputs);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Evaluation in pieces, for expressions that are too large or grow in a loop
//===----------------------------------------------------------------------===//

Status Session::evaluateInPieces(tensorc_rt_device *device,
                                 llvm::ArrayRef<Node *> roots, Pieces kind) {
  if (kind == Pieces::Growing) {
    llvm::SmallVector<Node *, 4> open = openOf(roots);
    for (graph::NodeRef &operand : appendedOperands(open)) {
      std::vector<graph::NodeRef> needed = withNeededLater(*operand.get());
      auto nodes = llvm::map_to_vector<4>(
          needed, [](graph::NodeRef &node) { return node.get(); });
      if (Status status = evaluateOn(device, nodes, maxNodes))
        return status;
    }
    auto isSteady = [&](size_t size) {
      std::scoped_lock lock(compileMutex);
      return growth.isSteady(*open.front(), size);
    };
    std::optional<Status> status = evaluateJoined(
        device, open, isSteady, [&](llvm::ArrayRef<Node *> joined) {
          return evaluateOn(device, joined, UINT32_MAX, Sizes::All);
        });
    if (!status)
      status = evaluateFolded(
          device, open, isSteady,
          [&](llvm::ArrayRef<Node *> nodes) {
            return evaluateOn(device, nodes, maxNodes);
          },
          [&](llvm::ArrayRef<Node *> nodes) {
            return evaluateOn(device, nodes, UINT32_MAX);
          });
    if (status)
      return std::move(*status);
  }
  bool isGrowing = kind == Pieces::Growing;
  // Pieces of long traces have several periods, because each additional piece
  // is another launch.
  constexpr size_t maxSmallPieces = 4 * periodicPieceNodes;
  std::vector<std::vector<graph::NodeRef>> pieces;
  EarlyValues early;
  {
    std::unique_lock<std::mutex> growthLock(compileMutex, std::defer_lock);
    if (kind == Pieces::Steps)
      growthLock.lock();
    std::scoped_lock lock(graph::graphMutex());
    graph::Trace trace;
    trace.collectBySteps(roots);
    bool isShort = isGrowing && trace.order.size() <= maxSmallPieces;
    pieces = kind == Pieces::Steps
                 ? cutIntoSteps(trace, roots, growth.shapeOfSteps(trace))
                 : trace.segments(isGrowing ? 1 : pieceNodes,
                                  isShort ? 1 : periodicPieceNodes);
    early = findEarly(device, trace.early);
  }
  if (Status status = storeEarly(device, early))
    return status;
  auto evaluatePiece = [&](llvm::ArrayRef<Node *> nodes) -> Status {
    if (isGrowing)
      for (Node *node : nodes)
        if (Status status = joinValues(device, *node))
          return status;
    return evaluateOn(device, nodes, UINT32_MAX);
  };
  for (std::vector<graph::NodeRef> &piece : pieces) {
    llvm::SmallVector<Node *> nodes;
    for (graph::NodeRef &node : piece)
      nodes.push_back(node.get());
    if (nodes.empty())
      continue;
    if (Status status = evaluatePiece(nodes))
      return status;
    piece.clear();
  }
  return evaluatePiece(roots);
}

Status Session::evaluateTransfers(llvm::ArrayRef<Node *> roots) {
  if (llvm::none_of(roots, [](Node *root) { return root->needsTransfers(); }))
    return nullptr;
  std::vector<graph::NodeRef> transfers;
  {
    std::scoped_lock lock(graph::graphMutex());
    transfers = graph::pendingTransfers(roots);
  }
  for (graph::NodeRef &node : transfers)
    if (Status status = transfer(*node.get())) {
      graph::Recorder r(node->location(), "to");
      // An error from computing the operand already has a location.
      llvm::StringRef message = tensorc_rt_status_message(status.get());
      if (message.contains("  at ") || saysUnknown(status))
        return status;
      r.fail("to", message);
      return makeStatus(tensorc_rt_status_code(status.get()), r.error);
    }
  return nullptr;
}

} // namespace tensorc::jit
