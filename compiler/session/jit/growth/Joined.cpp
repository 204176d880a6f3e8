//===- Joined.cpp - Concatenations that grow in a loop --------------------===//

#include "compiler/session/jit/growth/Joined.h"

#include "compiler/session/jit/Streams.h"

#include "llvm/ADT/STLExtras.h"

#include <mutex>

namespace tensorc::jit {

using graph::Node;

/// If `node` is a reshape of an evaluated node, returns that node; otherwise
/// returns null.
static Node *reshapedValue(Node *node) {
  auto *of = const_cast<Node *>(&graph::unreshaped(*node));
  return of->isEvaluated() && !of->isAuto() && !of->split() ? of : nullptr;
}

namespace {
/// Consecutive operands of a concatenation that are evaluated. Their bytes are
/// contiguous in the result.
struct Run {
  size_t begin = 0;
  std::vector<graph::NodeRef> values;
};
} // namespace

/// True if the node is a concatenation whose result consists of the bytes of
/// its operands in sequence.
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

/// Copies the values into one buffer. Copies are used because a kernel would
/// have to be compiled for each number of operands. Returns null on failure and
/// sets `status`.
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

/// Sets a node's value. Takes ownership of the reference to the buffer.
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

void publishReplaced(llvm::ArrayRef<Node *> roots,
                     llvm::ArrayRef<Node *> replaced) {
  for (auto [root, with] : llvm::zip_equal(roots, replaced)) {
    if (root == with)
      continue;
    tensorc_rt_buffer_retain(with->buffer());
    publishOne(*root, with->buffer(), with->split());
  }
}

bool beginsList(llvm::ArrayRef<Node *> nodes) {
  return llvm::any_of(nodes, [](const Node *node) {
    return canJoin(*node) && node->inputs().size() == 1;
  });
}

std::vector<graph::NodeRef> appendedOperands(llvm::ArrayRef<Node *> roots) {
  std::scoped_lock lock(graph::graphMutex());
  std::vector<graph::NodeRef> operands;
  graph::Trace trace;
  trace.collect(roots);
  for (Node *node : trace.order)
    if (canJoin(*node) &&
        (node->inputs().size() == 1 ||
         graph::isTrivial(&graph::unreshaped(*node->inputs().front()))))
      for (Node *operand : node->inputs())
        if (!reshapedValue(operand))
          operands.emplace_back(
              const_cast<Node *>(&graph::unreshaped(*operand)));
  return operands;
}

std::vector<graph::NodeRef> withNeededLater(Node &node) {
  std::scoped_lock lock(graph::graphMutex());
  graph::Trace trace;
  trace.collect(&node);
  std::vector<uint32_t> uses(trace.order.size(), 0);
  for (Node *reader : trace.order)
    for (Node *operand : graph::operandsOf(*reader))
      ++uses[operand->ordinal];
  std::vector<graph::NodeRef> needed;
  needed.emplace_back(&node);
  for (Node *other : llvm::ArrayRef(trace.order).drop_back())
    if (!graph::isTrivial(other) && other->op() != graph::OpKind::CustomCall &&
        (other->hasHandle() || other->references() > uses[other->ordinal]))
      needed.emplace_back(other);
  return needed;
}

Status joinValues(tensorc_rt_device *device, Node &node) {
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

/// Returns the shape of the value into which the run's operands of a
/// concatenation are joined.
static llvm::SmallVector<int64_t> shapeOfRun(const Node &node, const Run &run) {
  llvm::SmallVector<int64_t> shape(node.shape());
  int64_t axis = node.attributes<tx::ConcatenateAttributes>().dim;
  shape[axis] = 0;
  for (size_t i = 0; i < run.values.size(); ++i)
    shape[axis] += node.inputs()[run.begin + i]->shape()[axis];
  return shape;
}

namespace {
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
      joined.push_back({ordinal, run.begin, run.values.size(),
                        dataOf(node, run, shapes[joined.size()], buffer)});
    }
    replaceDependents();
  }

  bool hasRuns() const { return !joined.empty(); }
  size_t size() const { return numNodes; }
  Node *root(size_t i) const { return replaced[rootOrdinals[i]].get(); }

private:
  struct Joined {
    uint32_t ordinal; // number of the concatenation
    size_t begin, count;
    graph::NodeRef value;
  };

  /// Makes a node for joined operands of a concatenation. Takes ownership of
  /// the reference to the buffer.
  static graph::NodeRef dataOf(const Node &concatenation, const Run &run,
                               llvm::ArrayRef<int64_t> shape,
                               tensorc_rt_buffer *buffer) {
    graph::DType dtype = concatenation.dtype();
    int64_t axis = concatenation.attributes<tx::ConcatenateAttributes>().dim;
    // Named sizes are at least 1.
    if (shape[axis] == 0)
      return graph::NodeRef::take(Node::createData(dtype, shape, buffer, {}));
    graph::JoinedAttributes attributes{axis};
    auto data = graph::NodeRef::take(
        Node::create(graph::OpKind::Data, dtype, shape, {}, attributes, {}));
    data->bind(tensorc_rt_buffer_device(buffer));
    llvm::SmallVector<Node *, 1> dropped;
    std::scoped_lock lock(graph::graphMutex());
    data->publish(buffer, nullptr, dropped);
    return data;
  }

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
  std::vector<llvm::SmallVector<uint32_t, 2>> operands; // operands by ordinal
  // Shapes of joined values.
  std::vector<llvm::SmallVector<int64_t>> shapes;
  std::vector<uint32_t> rootOrdinals;
  std::vector<Joined> joined;
  size_t numNodes = 0;
};
} // namespace

std::optional<Status>
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
  publishReplaced(roots, replaced);
  return Status();
}

} // namespace tensorc::jit
