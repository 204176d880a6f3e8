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

#include "llvm/ADT/STLExtras.h"
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

/// True if messages about kernels on the device need lines. The answer for the
/// thread's latest device is kept.
static bool needsLines(tensorc_rt_device *device) {
  static const bool checks = secure_getenv("TENSORC_CHECK") != nullptr;
  thread_local tensorc_rt_device *latest = nullptr;
  thread_local bool isHost = false;
  if (device != latest) {
    tensorc_rt_device_properties properties;
    tensorc_rt_device_get_properties(device, &properties);
    isHost = properties.host_visible != 0;
    latest = device;
  }
  return checks || !isHost;
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
  // Unless in op-by-op mode, the error is reported when the value is read.
  return opByOp ? std::move(status) : nullptr;
}

static constexpr llvm::StringLiteral tracedNow =
    " traces a function, nor after that";

/// The error for reading a value that depends on the arguments of a function
/// being traced. The caller adds the line.
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

Status Session::evaluateOn(tensorc_rt_device *device,
                           llvm::ArrayRef<Node *> roots, unsigned limit,
                           Sizes sizes) {
  llvm::SmallVector<Node *, 4> open = openOf(roots);
  if (open.empty())
    return nullptr;
  if (Status status = checkOutsideCustomOp())
    return status;
  ThreadScratch<graph::Trace> scratch;
  graph::Trace &trace = *scratch;
  // References to the nodes that the run reads and writes, because other
  // threads may release theirs.
  llvm::SmallVector<graph::NodeRef, 16> held;
  Lines lines;
  bool isLarge = false;
  Donation donation;
  auto record = [&](graph::Trace &trace) -> Status {
    llvm::erase_if(open, [](Node *root) { return root->isEvaluated(); });
    isLarge = !trace.record(
        open, checksNumbers() ? graph::Stored::All : graph::Stored::Held, limit,
        /*keepsParts=*/true);
    if (isLarge)
      return nullptr;
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
  bool isGrowing = false;
  // Pieces are compiled regardless of their size.
  auto isPartOfGrowth = [&](const graph::Trace &trace) {
    return isGrowing = growth.contains(trace, *open.front());
  };
  auto executable =
      limit == UINT32_MAX
          ? executableFor(device, trace, record, status, sizes)
          : executableFor(device, trace, record, status, sizes, isPartOfGrowth);
  if (isLarge || isGrowing)
    return evaluateInPieces(device, roots,
                            isLarge ? Pieces::Large : Pieces::Growing);
  Outputs outputs;
  if (executable) {
    bool counts = executable->isSlowerThanSized;
    int64_t begin = counts ? threadNanoseconds() : 0;
    status = run(device, trace, *executable, lines, donation, outputs);
    unsigned more =
        counts ? KernelCache::moreUses(threadNanoseconds() - begin) : 0;
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
// Pieces: expressions that are too large, or that a loop makes longer
//===----------------------------------------------------------------------===//

/// Returns the node that `node` reshapes if that node is evaluated, else null.
static Node *reshapedValue(Node *node) {
  auto *of = const_cast<Node *>(&graph::unreshaped(*node));
  return of->isEvaluated() && !of->isAuto() && !of->split() ? of : nullptr;
}

/// Consecutive operands of a concatenation that are evaluated. In the result
/// their bytes are contiguous.
struct Run {
  size_t begin = 0;
  std::vector<graph::NodeRef> values;
};

/// True if the node is a concatenation whose result consists of the bytes of its
/// operands, one after the other.
static bool canJoin(const Node &node) {
  if (node.isEvaluated() || node.op() != graph::OpKind::Concatenate ||
      node.isOnTape || graph::byteWidth(node.dtype()) < 1)
    return false;
  int64_t axis = node.attributes<tx::ConcatenateAttributes>().dim;
  return llvm::all_of(node.shape().take_front(axis),
                      [](int64_t n) { return n == 1; });
}

/// Returns the runs of at least `minLength` evaluated operands of a
/// concatenation. A run that begins at the first operand may have length 1.
/// Returns none unless canJoin is true. The caller must hold graphMutex().
static std::vector<Run> runsOf(const Node &node, size_t minLength) {
  if (!canJoin(node))
    return {};
  std::vector<Run> runs;
  Run run;
  auto end = [&](size_t next) {
    if (run.values.size() >= (run.begin == 0 ? 1 : minLength))
      runs.push_back(std::move(run));
    run = {next, {}};
  };
  for (auto [i, input] : llvm::enumerate(node.inputs())) {
    Node *value = reshapedValue(input);
    if (value)
      run.values.emplace_back(value);
    else
      end(i + 1);
  }
  end(node.inputs().size());
  return runs;
}

/// Copies the values into one buffer. It makes copies because each number of
/// operands would need another kernel. Returns null on failure and sets
/// `status`.
static tensorc_rt_buffer *join(tensorc_rt_device *device,
                               llvm::ArrayRef<graph::NodeRef> values,
                               Status &status) {
  if (values.size() == 1) {
    tensorc_rt_buffer_retain(values[0]->buffer());
    return values[0]->buffer();
  }
  size_t size = 0, offset = 0;
  for (const graph::NodeRef &value : values)
    size += static_cast<size_t>(value->byteSize());
  tensorc_rt_buffer *joined = nullptr;
  status.reset(tensorc_rt_buffer_allocate(device, size, &joined));
  for (const graph::NodeRef &value : values) {
    if (status)
      break;
    auto bytes = static_cast<size_t>(value->byteSize());
    status.reset(tensorc_rt_buffer_copy(joined, offset, value->buffer(), 0,
                                        bytes, currentStream(device)));
    offset += bytes;
  }
  if (status && joined)
    tensorc_rt_buffer_release(std::exchange(joined, nullptr));
  return joined;
}

/// Sets a node's value; takes ownership of the reference to the buffer.
static void publishOne(Node &node, tensorc_rt_buffer *buffer,
                       const graph::Split *split = nullptr) {
  llvm::SmallVector<Node *, 8> dropped;
  {
    std::scoped_lock lock(graph::graphMutex());
    graph::SourceLocation at = node.location();
    tensorc_rt_buffer_set_origin(buffer, at.file, at.line);
    node.noteReached();
    node.publish(buffer, split, dropped);
  }
  for (Node *input : dropped)
    input->release();
}

/// Returns the operands of growing concatenations that have no value yet,
/// except the last operand of each. They are evaluated first, because their
/// number varies and a kernel is compiled for one number.
static std::vector<graph::NodeRef>
appendedOperands(llvm::ArrayRef<Node *> roots) {
  std::scoped_lock lock(graph::graphMutex());
  std::vector<graph::NodeRef> operands;
  graph::Trace trace;
  trace.collect(roots);
  for (Node *node : trace.order)
    if (canJoin(*node) &&
        graph::isTrivial(&graph::unreshaped(*node->inputs().front())))
      for (Node *operand : node->inputs().drop_back())
        if (!reshapedValue(operand))
          operands.emplace_back(
              const_cast<Node *>(&graph::unreshaped(*operand)));
  return operands;
}

/// Evaluates a concatenation of values by copies. Does nothing to other nodes.
static Status joinValues(tensorc_rt_device *device, Node &node) {
  constexpr size_t minValues = 3;
  std::vector<Run> runs;
  {
    std::scoped_lock lock(graph::graphMutex());
    runs = runsOf(node, minValues);
    if (runs.size() != 1 || runs[0].values.size() != node.inputs().size())
      return nullptr;
  }
  Status status;
  if (tensorc_rt_buffer *joined = join(device, runs[0].values, status))
    publishOne(node, joined);
  return status;
}

/// Returns the shape of the run's operands of a concatenation, joined into one
/// value.
static llvm::SmallVector<int64_t> shapeOfRun(const Node &node, const Run &run) {
  llvm::SmallVector<int64_t> shape(node.shape());
  int64_t axis = node.attributes<tx::ConcatenateAttributes>().dim;
  shape[axis] = 0;
  for (size_t i = 0; i < run.values.size(); ++i)
    shape[axis] += node.inputs()[run.begin + i]->shape()[axis];
  return shape;
}

/// An expression in which each run of evaluated operands of a concatenation is
/// joined to one value. A longer list then changes only the sizes of the
/// expression.
class JoinedExpression {
public:
  JoinedExpression(tensorc_rt_device *device, llvm::ArrayRef<Node *> roots,
                   Status &status) {
    std::vector<std::pair<uint32_t, Run>> runs;
    {
      std::scoped_lock lock(graph::graphMutex());
      graph::Trace trace;
      trace.collect(roots);
      order.assign(trace.order.begin(), trace.order.end());
      for (Node *node : trace.order) {
        operands.emplace_back();
        for (Node *operand : graph::operandsOf(*node))
          operands.back().push_back(operand->ordinal);
        for (Run &run : runsOf(*node, 2)) {
          shapes.push_back(shapeOfRun(*node, run));
          runs.emplace_back(node->ordinal, std::move(run));
        }
      }
      for (Node *root : roots)
        rootOrdinals.push_back(root->ordinal);
    }
    replaced.resize(order.size());
    for (auto &[ordinal, run] : runs) {
      Node &node = *order[ordinal].get();
      tensorc_rt_buffer *buffer = join(device, run.values, status);
      if (!buffer)
        return;
      size_t index = joined.size();
      joined.push_back({ordinal, run.begin, run.values.size(),
                        graph::NodeRef::take(Node::createData(
                            node.dtype(), shapes[index], buffer, {}))});
    }
    replaceDependents();
  }

  bool hasRuns() const { return !joined.empty(); }
  size_t size() const { return numNodes; }
  Node *root(size_t i) const { return replaced[rootOrdinals[i]].get(); }

private:
  struct Joined {
    uint32_t ordinal; // of the concatenation
    size_t begin, count;
    graph::NodeRef value;
  };

  /// Makes new nodes for the ops that depend on joined values.
  void replaceDependents() {
    std::scoped_lock lock(graph::graphMutex());
    size_t next = 0;
    for (auto [i, node] : llvm::enumerate(order)) {
      llvm::SmallVector<Node *> inputs;
      bool isNew = false;
      size_t position = 0;
      for (uint32_t operand : operands[i]) {
        bool inRun = next < joined.size() && joined[next].ordinal == i &&
                     position >= joined[next].begin;
        if (inRun) {
          if (position == joined[next].begin)
            inputs.push_back(joined[next].value.get());
          isNew = true;
          if (++position == joined[next].begin + joined[next].count)
            ++next;
          continue;
        }
        Node *with = replaced[operand].get();
        isNew |= with != order[operand].get();
        inputs.push_back(with);
        ++position;
      }
      if (!isNew || node->isEvaluated())
        replaced[i] = node;
      else if (inputs.size() == 1 && node->op() == graph::OpKind::Concatenate)
        replaced[i] = inputs[0];
      else
        replaced[i] =
            graph::NodeRef::take(Node::createLike(*node.get(), inputs));
    }
    llvm::SmallVector<Node *> roots;
    for (uint32_t ordinal : rootOrdinals)
      roots.push_back(replaced[ordinal].get());
    graph::Trace trace;
    trace.collect(roots);
    numNodes = trace.order.size();
  }

  std::vector<graph::NodeRef> order, replaced;
  std::vector<llvm::SmallVector<uint32_t, 2>> operands; // by ordinal
  std::vector<llvm::SmallVector<int64_t>> shapes;       // of joined values
  std::vector<uint32_t> rootOrdinals;
  std::vector<Joined> joined;
  size_t numNodes = 0;
};

/// Evaluates the roots after joining runs of concatenated values. Returns
/// nullopt if there is nothing to join, or if the joined expression still
/// grows.
static std::optional<Status>
evaluateJoined(tensorc_rt_device *device, llvm::ArrayRef<Node *> roots,
               llvm::function_ref<bool(size_t)> isSteady,
               llvm::function_ref<Status(llvm::ArrayRef<Node *>)> evaluate) {
  Status status;
  JoinedExpression expression(device, roots, status);
  if (status)
    return status;
  if (!expression.hasRuns() || !isSteady(expression.size()))
    return std::nullopt;
  llvm::SmallVector<Node *, 4> replaced;
  for (size_t i = 0; i < roots.size(); ++i)
    replaced.push_back(expression.root(i));
  if ((status = evaluate(replaced)))
    return status;
  for (auto [root, with] : llvm::zip_equal(roots, replaced)) {
    if (root == with)
      continue;
    tensorc_rt_buffer_retain(with->buffer());
    publishOne(*root, with->buffer(), with->split());
  }
  return Status();
}

Status Session::evaluateInPieces(tensorc_rt_device *device,
                                 llvm::ArrayRef<Node *> roots, Pieces kind) {
  if (kind == Pieces::Growing) {
    llvm::SmallVector<Node *, 4> open = openOf(roots);
    for (graph::NodeRef &operand : appendedOperands(open))
      if (Status status =
              evaluateInPieces(device, operand.get(), Pieces::Appended))
        return status;
    std::optional<Status> status = evaluateJoined(
        device, open,
        [&](size_t size) {
          std::scoped_lock lock(compileMutex);
          return growth.isSteady(*open.front(), size);
        },
        [&](llvm::ArrayRef<Node *> joined) {
          return evaluateOn(device, joined, UINT32_MAX, Sizes::All);
        });
    if (status)
      return std::move(*status);
  }
  bool isGrowing = kind != Pieces::Large;
  // Pieces of long traces have several periods, because each piece is an
  // additional launch.
  constexpr size_t maxSmallPieces = 4 * periodicPieceNodes;
  std::vector<std::vector<graph::NodeRef>> pieces;
  {
    std::scoped_lock lock(graph::graphMutex());
    graph::Trace trace;
    trace.collect(roots);
    bool isShort = isGrowing && trace.order.size() <= maxSmallPieces;
    pieces = trace.segments(isGrowing ? 1 : pieceNodes,
                            isShort ? 1 : periodicPieceNodes);
  }
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
