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
  return {value.buffer(), 0, value.shape().data(),
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

Lines linesOf(const graph::Trace &trace) {
  static const bool isOn = secure_getenv("TENSORC_CHECK") != nullptr;
  Lines lines;
  if (isOn)
    for (const Node *node : trace.order)
      lines.push_back(node->location());
  return lines;
}

void nameLines(const Executable &executable, const Lines &lines) {
  if (lines.empty())
    return;
  llvm::SmallVector<graph::SourceLocation> ofKernels;
  for (uint32_t op : executable.kernelOps)
    ofKernels.push_back(op < lines.size() ? lines[op]
                                          : graph::SourceLocation());
  executable.setOrigins(ofKernels);
}

using Outputs = llvm::SmallVector<tensorc_rt_output, 2>;

static Status run(tensorc_rt_device *device, graph::Trace &trace,
                  const Executable &executable, Donation &donation,
                  Outputs &outputs) {
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
  // What an evaluation that fails reads stays as it was: no check may follow.
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
    for (auto [node, output] : llvm::zip(trace.outputs, outputs)) {
      graph::SourceLocation at = node->location();
      tensorc_rt_buffer_set_origin(output.buffer, at.file, at.line);
      node->publish(output.buffer, dropped);
    }
  }
  for (Node *node : dropped)
    node->release();
}

/// Returns the node's device, or the thread's if nothing has bound the node.
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
  // Otherwise the error is reported when the value is read.
  return opByOp ? std::move(status) : nullptr;
}

static constexpr llvm::StringLiteral tracedNow =
    " traces a function, nor after that";

/// The error for a value that depends on the arguments of a function being
/// traced. The caller adds the line that reads it, which it knows.
static Status unknownValue(const Node &root) {
  const Node *op = &root; // the results of a call have nodes of their own
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
                           llvm::ArrayRef<Node *> roots, unsigned limit) {
  llvm::SmallVector<Node *, 4> open = openOf(roots);
  if (open.empty())
    return nullptr;
  if (Status status = checkOutsideCustomOp())
    return status;
  ThreadScratch<graph::Trace> scratch;
  graph::Trace &trace = *scratch;
  // References to what the run reads and writes; other threads may drop theirs.
  llvm::SmallVector<graph::NodeRef, 16> held;
  Lines lines;
  bool isLarge = false;
  Donation donation;
  auto record = [&](graph::Trace &trace) -> Status {
    llvm::erase_if(open, [](Node *root) { return root->isEvaluated(); });
    isLarge = !trace.record(
        open, checksNumbers() ? graph::Stored::All : graph::Stored::Held,
        limit);
    if (isLarge)
      return nullptr;
    for (Node *node : trace.arguments)
      if (!node->isEvaluated())
        return unknownValue(*open.front());
    held.append(trace.arguments.begin(), trace.arguments.end());
    held.append(trace.outputs.begin(), trace.outputs.end());
    lines = linesOf(trace);
    held.append(trace.leftUnstored.begin(), trace.leftUnstored.end());
    donation.find(trace, held);
    return nullptr;
  };
  Status status;
  bool isGrowing = false;
  // Pieces are compiled, whatever their size.
  auto isPartOfGrowth = [&](const graph::Trace &trace) {
    return isGrowing = growth.contains(trace, *open.front());
  };
  auto executable =
      limit == UINT32_MAX
          ? executableFor(device, trace, record, status)
          : executableFor(device, trace, record, status, false, isPartOfGrowth);
  if (isLarge || isGrowing)
    return evaluateInPieces(device, roots,
                            isLarge ? Pieces::Large : Pieces::Growing);
  Outputs outputs;
  if (executable) {
    nameLines(*executable, lines);
    bool counts = executable->isSlowerThanSized;
    int64_t begin = counts ? threadNanoseconds() : 0;
    status = run(device, trace, *executable, donation, outputs);
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

/// The value of which the node is another shape; null: it has none.
static Node *reshapedValue(Node *node) {
  while (!node->isEvaluated() && node->op() == graph::OpKind::Reshape)
    node = node->inputs()[0];
  return node->isEvaluated() && !node->isAuto() ? node : nullptr;
}

/// The values whose bytes, one after the other, are the node's; none where it
/// is no concatenation of many values along its first dim of more than one
/// element.
static std::vector<graph::NodeRef> partsOf(const Node &node) {
  constexpr size_t minParts = 3;
  std::scoped_lock lock(graph::graphMutex());
  if (node.isEvaluated() || node.op() != graph::OpKind::Concatenate ||
      node.inputs().size() < minParts || graph::byteWidth(node.dtype()) < 1)
    return {};
  int64_t axis = node.attributes<tx::ConcatenateAttributes>().dim;
  if (llvm::any_of(node.shape().take_front(axis),
                   [](int64_t n) { return n != 1; }))
    return {};
  std::vector<graph::NodeRef> parts;
  for (Node *input : node.inputs()) {
    Node *part = reshapedValue(input);
    if (!part)
      return {};
    parts.emplace_back(part);
  }
  return parts;
}

/// Evaluates a concatenation by copies, as no kernel serves two numbers of
/// operands. Does nothing to other nodes.
static Status joinValues(tensorc_rt_device *device, Node &node) {
  std::vector<graph::NodeRef> parts = partsOf(node);
  if (parts.empty())
    return nullptr;
  tensorc_rt_buffer *joined = nullptr;
  if (Status status{tensorc_rt_buffer_allocate(
          device, static_cast<size_t>(node.byteSize()), &joined)})
    return status;
  size_t offset = 0;
  for (const graph::NodeRef &part : parts) {
    auto bytes = static_cast<size_t>(part->byteSize());
    if (Status status{tensorc_rt_buffer_copy(joined, offset, part->buffer(), 0,
                                             bytes, currentStream(device))}) {
      tensorc_rt_buffer_release(joined);
      return status;
    }
    offset += bytes;
  }
  llvm::SmallVector<Node *, 8> dropped;
  {
    std::scoped_lock lock(graph::graphMutex());
    graph::SourceLocation at = node.location();
    tensorc_rt_buffer_set_origin(joined, at.file, at.line);
    node.publish(joined, dropped);
  }
  for (Node *input : dropped)
    input->release();
  return nullptr;
}

Status Session::evaluateInPieces(tensorc_rt_device *device,
                                 llvm::ArrayRef<Node *> roots, Pieces kind) {
  bool isGrowing = kind == Pieces::Growing;
  std::vector<std::vector<graph::NodeRef>> pieces;
  {
    std::scoped_lock lock(graph::graphMutex());
    graph::Trace trace;
    trace.collect(roots);
    pieces = isGrowing ? trace.segments(1, 1)
                       : trace.segments(pieceNodes, periodicPieceNodes);
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

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// Returns the value of an evaluated node on the device, with a reference of
/// its own: the same buffer if it is there, else a copy.
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
  // In the order of the thread's work on the device whose memory is its own.
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
  Node *root = source.get();
  if (Status status = evaluate(root, node.device()))
    return status;
  tensorc_rt_device *device =
      node.isAuto() ? tensorc_rt_buffer_device(root->buffer()) : node.device();
  tensorc_rt_buffer *moved = nullptr;
  if (Status status = moveValue(*root, device, node.location(), moved))
    return status;
  llvm::SmallVector<Node *, 8> dropped;
  {
    std::scoped_lock lock(graph::graphMutex());
    node.publish(moved, dropped);
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
      // What computing the operand said names its own place.
      llvm::StringRef message = tensorc_rt_status_message(status.get());
      if (message.contains("  at ") || saysUnknown(status))
        return status;
      r.fail("to", message);
      return makeStatus(tensorc_rt_status_code(status.get()), r.error);
    }
  return nullptr;
}

} // namespace tensorc::jit
