//===- CustomCalls.cpp - Functions of the embedder as nodes ---------------===//

#include "compiler/graph/CustomCalls.h"

#include "llvm/ADT/STLExtras.h"

#include <mutex>
#include <set>

namespace tensorc::graph {

CustomCall::CustomCall(const Node &node) {
  auto words = node.attributes();
  name = reinterpret_cast<const char *>(words[0]);
  config = reinterpret_cast<const char *>(words[1]);
  derivative = reinterpret_cast<const char *>(words[2]);
  kernel = reinterpret_cast<const kernels::Kernel *>(words[3]);
  for (words = words.drop_front(4); !words.empty();) {
    auto rank = static_cast<size_t>(words[1]);
    outputs.push_back({static_cast<DType>(words[0]), words.slice(2, rank)});
    words = words.drop_front(2 + rank);
  }
}

size_t CustomCall::firstDim(unsigned result) const {
  size_t first = 0;
  for (const Output &output : llvm::ArrayRef(outputs).take_front(result))
    first += output.shape.size();
  return first;
}

/// One copy of each text, for good: nodes and kernels refer to it.
static int64_t keep(const char *text) {
  static std::mutex mutex;
  static auto *texts = new std::set<std::string>;
  std::scoped_lock lock(mutex);
  const char *kept = texts->insert(text).first->c_str();
  return static_cast<int64_t>(reinterpret_cast<intptr_t>(kept));
}

llvm::SmallVector<NodeRef> customCall(Recorder &r, const CustomCall &call,
                                      llvm::ArrayRef<NodeRef> inputs) {
  Shape attributes{
      keep(call.name), keep(call.config), keep(call.derivative),
      static_cast<int64_t>(reinterpret_cast<intptr_t>(call.kernel))};
  llvm::SmallVector<Node *> nodes;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (!input)
      return r.fail(call.name,
                    "input " + llvm::Twine(i) + " is an empty tensor"),
             llvm::SmallVector<NodeRef>();
    nodes.push_back(input.get());
  }
  for (const CustomCall::Output &output : call.outputs) {
    if (!checkShape(r, call.name, output.dtype, output.shape))
      return {};
    attributes.push_back(static_cast<int64_t>(output.dtype));
    attributes.push_back(output.shape.size());
    llvm::append_range(attributes, output.shape);
  }
  NodeRef token = NodeRef::take(Node::create(
      OpKind::CustomCall, DType::None, {}, nodes, attributes, r.location));
  llvm::SmallVector<NodeRef> results;
  for (auto [i, output] : llvm::enumerate(call.outputs))
    results.push_back(NodeRef::take(
        Node::create(OpKind::CustomResult, output.dtype, output.shape,
                     token.get(), static_cast<int64_t>(i), r.location)));
  return results;
}

NodeRef throughFunction(Recorder &r, const char *function, const NodeRef &x,
                        const char *text) {
  if (!x)
    return r.fail(function, "the operand is an empty tensor");
  CustomCall call;
  call.name = function;
  call.config = text;
  call.derivative = "";
  call.outputs.push_back({x->dtype(), x->shape()});
  llvm::SmallVector<NodeRef> results = customCall(r, call, x);
  return results.empty() ? NodeRef() : results.front();
}

} // namespace tensorc::graph
