//===- Recording.cpp - A function, recorded to be saved -------------------===//

#include "compiler/aot/Recording.h"

#include "ir/tx/Names.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::aot {

using graph::Node;
using graph::NodeRef;
using jit::Status;

Status refusal(graph::SourceLocation at, const llvm::Twine &message) {
  graph::Recorder r(at);
  r.fail("compile", message);
  return jit::makeStatus(TENSORC_RT_INVALID_ARGUMENT, r.error);
}

/// A name that the type of a tensor can hold.
static bool isSizeName(llvm::StringRef name) {
  auto isFirst = [](char c) { return llvm::isAlpha(c) || c == '_'; };
  return !name.empty() && isFirst(name[0]) && llvm::all_of(name, [&](char c) {
    return isFirst(c) || llvm::isDigit(c);
  });
}

/// The names of all inputs, and the sizes that are none.
static std::string listSizes(llvm::ArrayRef<Input> inputs,
                             std::vector<NamedSize> &sizes,
                             std::vector<int64_t> &taken) {
  for (const Input &input : inputs)
    for (auto [i, dim] : llvm::enumerate(input.dims)) {
      std::string name = input.sizes.empty() ? "" : input.sizes[i];
      if (name.empty()) {
        taken.push_back(dim);
        continue;
      }
      if (!isSizeName(name))
        return "'" + name +
               "' is no name of a size: letters, digits and _, no digit first";
      if (dim < 1)
        return "the size " + name + " is a multiple of " + std::to_string(dim) +
               "; it must be 1 or more";
      auto known = llvm::find_if(
          sizes, [&](const NamedSize &size) { return size.name == name; });
      if (known == sizes.end())
        sizes.push_back({name, dim});
      else if (known->divisor != dim)
        return "the size " + name + " is a multiple of both " +
               std::to_string(known->divisor) + " and " + std::to_string(dim);
    }
  return "";
}

std::unique_ptr<Recording> Recording::create(std::vector<Input> inputs,
                                             Function function,
                                             graph::SourceLocation at,
                                             Status &status) {
  std::vector<NamedSize> sizes;
  std::vector<int64_t> taken;
  if (std::string why = listSizes(inputs, sizes, taken); !why.empty()) {
    status = refusal(at, why);
    return nullptr;
  }
  std::unique_ptr<Recording> result(
      new Recording(std::move(inputs), SizeFit(std::move(sizes), taken), at));
  for (unsigned i = 0; i < result->fit.samples().size(); ++i)
    if ((status = result->record(i, function)))
      return nullptr;
  return result;
}

Status Recording::record(unsigned index, Function function) {
  Sample sample;
  llvm::ArrayRef<int64_t> values = fit.samples()[index];
  for (const Input &input : inputs) {
    graph::Shape shape(input.dims);
    for (auto [i, name] : llvm::enumerate(input.sizes))
      for (auto [size, value] : llvm::zip(fit.sizes(), values))
        if (size.name == name)
          shape[i] = value;
    graph::Recorder r(at, "compile");
    if (!graph::checkShape(r, "compile", input.dtype, shape))
      return jit::makeStatus(TENSORC_RT_INVALID_ARGUMENT, r.error);
    NodeRef node = graph::placeholder(r, input.dtype, shape);
    jit::Session::get().bindCurrent(*node.get());
    sample.arguments.push_back(std::move(node));
  }
  if (Status status = function(sample.arguments, sample.results)) {
    if (values.empty())
      return status;
    // The sizes in the message are not the user's.
    std::string message = tensorc_rt_status_message(status.get());
    return jit::makeStatus(tensorc_rt_status_code(status.get()),
                           message + " (recorded with " + fit.describe(index) +
                               ")");
  }
  if (sample.results.empty())
    return refusal(at, "the function has no result");
  llvm::SmallVector<Node *> results;
  for (const NodeRef &result : sample.results)
    results.push_back(result.get());
  if (Status status = jit::Session::get().evaluateTransfers(results))
    return status;
  if (Status status = evaluateCaptured(sample))
    return status;
  samples.push_back(std::move(sample));
  return nullptr;
}

/// What the user holds and no argument goes into is a value, however it was
/// made.
Status Recording::evaluateCaptured(const Sample &sample) {
  llvm::SmallVector<Node *> results, roots;
  std::vector<NodeRef> captured;
  for (const NodeRef &result : sample.results)
    results.push_back(result.get());
  {
    std::scoped_lock lock(graph::graphMutex());
    graph::Trace trace;
    trace.collect(results);
    for (Node *node : trace.order)
      if (!node->isTraced() && !node->isEvaluated() && node->hasHandle() &&
          node->op() != graph::OpKind::CustomCall &&
          !llvm::is_contained(results, node))
        captured.push_back(node);
  }
  if (captured.empty())
    return nullptr;
  for (const NodeRef &node : captured)
    roots.push_back(node.get());
  return jit::Session::get().evaluate(roots);
}

} // namespace tensorc::aot
