//===- CustomCalls.cpp - Functions of the embedder as nodes ---------------===//

#include "compiler/graph/CustomCalls.h"

#include "llvm/ADT/STLExtras.h"

#include <mutex>
#include <set>

namespace tensorc::graph {

CustomCall CustomCall::read(Ints words) {
  CustomCall call;
  call.name = reinterpret_cast<const char *>(words[0]);
  call.config = reinterpret_cast<const char *>(words[1]);
  call.derivative = reinterpret_cast<const char *>(words[2]);
  call.kernel = reinterpret_cast<const kernels::Kernel *>(words[3]);
  call.region = reinterpret_cast<const RegionTemplate *>(words[4]);
  auto numSizes = static_cast<size_t>(words[5]);
  call.sizes = words.slice(6, numSizes);
  for (words = words.drop_front(6 + numSizes); !words.empty();) {
    auto rank = static_cast<size_t>(words[1]);
    call.outputs.push_back(
        {static_cast<DType>(words[0]), words.slice(2, rank)});
    words = words.drop_front(2 + rank);
  }
  return call;
}

size_t CustomCall::numWords() const {
  size_t count = 6 + sizes.size();
  for (const Output &output : outputs)
    count += 2 + output.shape.size();
  return count;
}

void CustomCall::write(int64_t *words) const {
  const void *pointers[] = {name, config, derivative, kernel, region};
  for (const void *pointer : pointers)
    *words++ = static_cast<int64_t>(reinterpret_cast<intptr_t>(pointer));
  *words++ = static_cast<int64_t>(sizes.size());
  words = llvm::copy(sizes, words);
  for (const Output &output : outputs) {
    *words++ = static_cast<int64_t>(output.dtype);
    *words++ = static_cast<int64_t>(output.shape.size());
    words = llvm::copy(output.shape, words);
  }
}

size_t CustomCall::firstDim(unsigned result) const {
  size_t first = 0;
  for (const Output &output : llvm::ArrayRef(outputs).take_front(result))
    first += output.shape.size();
  return first;
}

/// Interns a string and never frees it, because nodes and kernels keep pointers
/// to it.
static const char *keep(const char *text) {
  static std::mutex mutex;
  static auto *texts = new std::set<std::string>;
  std::scoped_lock lock(mutex);
  return texts->insert(text).first->c_str();
}

llvm::SmallVector<NodeRef> customCall(Recorder &r, const CustomCall &call,
                                      llvm::ArrayRef<NodeRef> inputs) {
  CustomCall kept = call;
  for (const char **text : {&kept.name, &kept.config, &kept.derivative})
    *text = keep(*text);
  llvm::SmallVector<Node *> nodes;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (!input)
      return r.fail(call.name,
                    "input " + llvm::Twine(i) + " is an undefined tensor"),
             llvm::SmallVector<NodeRef>();
    nodes.push_back(input.get());
  }
  for (const CustomCall::Output &output : call.outputs)
    if (!checkShape(r, call.name, output.dtype, output.shape))
      return {};
  NodeRef token = NodeRef::take(Node::create(OpKind::CustomCall, DType::None,
                                             {}, nodes, kept, r.location));
  llvm::SmallVector<NodeRef> results;
  for (auto [i, output] : llvm::enumerate(call.outputs))
    results.push_back(NodeRef::take(Node::create(
        OpKind::CustomResult, output.dtype, output.shape, token.get(),
        CustomResultAttributes{static_cast<unsigned>(i)}, r.location)));
  return results;
}

NodeRef throughFunction(Recorder &r, const char *function, const NodeRef &x,
                        const char *text) {
  if (!x)
    return r.fail(function, "the operand is an undefined tensor");
  CustomCall call;
  call.name = function;
  call.config = text;
  call.derivative = "";
  call.outputs.push_back({x->dtype(), x->shape()});
  llvm::SmallVector<NodeRef> results = customCall(r, call, x);
  return results.empty() ? NodeRef() : results.front();
}

} // namespace tensorc::graph
