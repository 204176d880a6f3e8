//===- Evaluate.cpp - From handles to values ------------------------------===//

#include "compiler/jit/CustomOps.h"
#include "compiler/jit/Session.h"

#include "llvm/ADT/STLExtras.h"

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

static Status
runAndPublish(Session &session, graph::Trace &trace,
              const std::shared_ptr<const Executable> &executable) {
  llvm::SmallVector<tensorc_rt_arg, 16> arguments;
  for (Node *node : trace.arguments)
    arguments.push_back(argumentOf(*node));
  appendArguments(trace, *executable, arguments);
  llvm::SmallVector<tensorc_rt_output, 2> outputs;
  outputs.resize_for_overwrite(trace.outputs.size());
  if (Status status = executable->run(arguments, outputs))
    return status;
  session.noteRun(executable);
  std::vector<Node *> dropped;
  {
    std::scoped_lock lock(graph::graphMutex());
    for (auto [node, output] : llvm::zip(trace.outputs, outputs))
      node->publish(output.buffer, dropped);
  }
  for (Node *node : dropped)
    node->release();
  return nullptr;
}

Status Session::evaluateInPieces(llvm::ArrayRef<Node *> roots) {
  std::vector<std::vector<graph::NodeRef>> pieces;
  {
    std::scoped_lock lock(graph::graphMutex());
    graph::Trace trace;
    trace.collect(roots);
    pieces = trace.segments(pieceNodes);
  }
  for (std::vector<graph::NodeRef> &piece : pieces) {
    llvm::SmallVector<Node *> nodes;
    for (graph::NodeRef &node : piece)
      nodes.push_back(node.get());
    if (nodes.empty())
      continue;
    if (Status status = evaluate(nodes, UINT32_MAX))
      return status;
    piece.clear();
  }
  return evaluate(roots, UINT32_MAX);
}

Status Session::evaluate(llvm::ArrayRef<Node *> roots, unsigned limit) {
  llvm::SmallVector<Node *, 4> open;
  for (Node *root : roots)
    if (!root->isEvaluated())
      open.push_back(root);
  if (open.empty())
    return nullptr;
  // Reused by the thread, so that a hit allocates nothing.
  static thread_local graph::Trace trace;
  // References to what the run reads and writes; other threads may drop theirs.
  llvm::SmallVector<graph::NodeRef, 16> held;
  bool isLarge = false;
  auto record = [&](graph::Trace &trace) -> Status {
    llvm::erase_if(open, [](Node *root) { return root->isEvaluated(); });
    isLarge = !trace.record(open, /*withLive=*/true, limit);
    if (isLarge)
      return nullptr;
    for (Node *node : trace.arguments)
      if (!node->isEvaluated())
        return makeStatus(TENSORC_RT_FAILED_PRECONDITION,
                          "the value of an argument is not known while jit "
                          "traces a function");
    held.append(trace.arguments.begin(), trace.arguments.end());
    held.append(trace.outputs.begin(), trace.outputs.end());
    return nullptr;
  };
  Status status;
  auto executable = executableFor(trace, record, status);
  if (isLarge)
    return evaluateInPieces(roots);
  if (executable)
    status = runAndPublish(*this, trace, executable);
  if (status)
    status = located(std::move(status), trace.customCalls,
                     roots.front()->location());
  return status;
}

} // namespace tensorc::jit
