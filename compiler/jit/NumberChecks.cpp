//===- NumberChecks.cpp - Where a NaN or an infinity arises ---------------===//

#include "compiler/jit/NumberChecks.h"

#include "compiler/graph/LiveHandles.h"
#include "compiler/jit/Streams.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdlib>

namespace tensorc::jit {

using graph::Node;
using graph::OpKind;

bool checksNumbers() {
  static const bool isOn = [] {
    llvm::SmallVector<llvm::StringRef> words;
    if (const char *text = secure_getenv("TENSORC_CHECK"))
      llvm::StringRef(text).split(words, ',');
    return llvm::is_contained(words, "nan");
  }();
  return isOn;
}

namespace {
struct Nonfinite {
  bool nan = false, infinity = false;
};

class Search {
public:
  Search(llvm::function_ref<tensorc_rt_buffer *(const Node &)> valueOf)
      : valueOf(valueOf) {}

  void add(const Node &node, tensorc_rt_buffer *value) {
    values[&node] = value;
  }
  /// An error if the node's value has what its operands have not.
  Status check(const Node &node);

private:
  Nonfinite in(const Node &node, Status &status);
  Nonfinite scan(const Node &node, const void *data);
  Nonfinite inOperands(const Node &node, Status &status);

  llvm::function_ref<tensorc_rt_buffer *(const Node &)> valueOf;
  llvm::DenseMap<const Node *, tensorc_rt_buffer *> values;
  llvm::DenseMap<const Node *, Nonfinite> known;
};
} // namespace

static Status read(tensorc_rt_buffer *buffer, std::string &bytes) {
  bytes.resize(tensorc_rt_buffer_size(buffer));
  return Status(
      tensorc_rt_buffer_read(buffer, 0, bytes.data(), bytes.size(),
                             currentStream(tensorc_rt_buffer_device(buffer))));
}

static tensorc_rt_array arrayOf(const Node &node, const void *data) {
  return {const_cast<void *>(data), static_cast<tensorc_rt_dtype>(node.dtype()),
          static_cast<int32_t>(node.rank()), node.shape().data()};
}

Nonfinite Search::scan(const Node &node, const void *data) {
  tensorc_rt_array array = arrayOf(node, data);
  tensorc_rt_nonfinite found;
  Status ignored(tensorc_rt_array_nonfinite(&array, &found));
  return {found.nans > 0, found.infinities > 0};
}

Nonfinite Search::inOperands(const Node &node, Status &status) {
  Nonfinite result;
  for (const Node *operand : graph::operandsOf(node)) {
    Nonfinite one = in(*operand, status);
    result.nan |= one.nan;
    result.infinity |= one.infinity;
  }
  return result;
}

/// What has no value of its own is a constant, a view, or a custom call.
Nonfinite Search::in(const Node &node, Status &status) {
  if (auto it = known.find(&node); it != known.end())
    return it->second;
  Nonfinite result;
  tensorc_rt_buffer *value = values.lookup(&node);
  if (!value && graph::isArgument(node))
    value = valueOf(node);
  if (value) {
    std::string bytes;
    if ((graph::isFloat(node.dtype()) || graph::isComplex(node.dtype())) &&
        !status && !(status = read(value, bytes)))
      result = scan(node, bytes.data());
  } else if (node.op() == OpKind::Full) {
    tensorc_rt_array array = arrayOf(node, node.words().data());
    array.rank = 0;
    tensorc_rt_nonfinite found;
    Status ignored(tensorc_rt_array_nonfinite(&array, &found));
    result = {found.nans > 0, found.infinities > 0};
  } else {
    result = inOperands(node, status);
  }
  known[&node] = result;
  return result;
}

Status Search::check(const Node &node) {
  Status status;
  Nonfinite found = in(node, status);
  if (status || (!found.nan && !found.infinity))
    return status;
  // The results of a custom call have a node between them and its operands.
  const Node *op = &node;
  while (op->op() == OpKind::CustomResult && !graph::operandsOf(*op).empty())
    op = graph::operandsOf(*op)[0];
  Nonfinite before = inOperands(*op, status);
  bool arises = (found.nan && !before.nan) ||
                (found.infinity && !before.infinity && !before.nan);
  if (status || !arises)
    return status;
  std::string bytes;
  if ((status = read(values.lookup(&node), bytes)))
    return status;
  tensorc_rt_array array = arrayOf(node, bytes.data());
  Status text(tensorc_rt_array_check_finite(&array));
  graph::Recorder r(node.location());
  r.fail(graph::traits(op->op()).apiName,
         llvm::Twine(tensorc_rt_status_message(text.get())) +
             (before.infinity ? ", of operands with infinities"
                              : ", of finite operands"));
  return makeStatus(TENSORC_RT_FAILED_PRECONDITION, r.error);
}

Status
checkNumbers(llvm::ArrayRef<Node *> nodes,
             llvm::ArrayRef<tensorc_rt_output> outputs,
             llvm::function_ref<tensorc_rt_buffer *(const Node &)> valueOf) {
  if (!checksNumbers())
    return nullptr;
  std::scoped_lock lock(graph::graphMutex());
  Search search(valueOf);
  for (auto [node, output] : llvm::zip(nodes, outputs))
    search.add(*node, output.buffer);
  Status status;
  for (Node *node : nodes)
    if ((status = search.check(*node)))
      break;
  for (const tensorc_rt_output &output : outputs)
    if (status)
      tensorc_rt_buffer_release(output.buffer);
  return status;
}

} // namespace tensorc::jit
