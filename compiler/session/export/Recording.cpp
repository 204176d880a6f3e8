//===- Recording.cpp - Recording of functions to save ---------------------===//

#include "compiler/session/export/Recording.h"

#include "ir/tx/Names.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::exporting {

using graph::Node;
using graph::NodeRef;
using jit::Status;

Status refusal(graph::SourceLocation at, const llvm::Twine &message) {
  graph::Recorder r(at);
  r.fail("compile", message);
  return jit::makeStatus(TENSORC_RT_INVALID_ARGUMENT, r.error);
}

/// True for a name that a tensor type can contain.
static bool isSizeName(llvm::StringRef name) {
  auto isFirst = [](char c) { return llvm::isAlpha(c) || c == '_'; };
  return !name.empty() && isFirst(name[0]) && llvm::all_of(name, [&](char c) {
    return isFirst(c) || llvm::isDigit(c);
  });
}

/// Collects the distinct symbols of all inputs in `sizes`, and the constant
/// sizes in `taken`. Returns an error message if the symbols are invalid, else
/// an empty text.
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
               "' is not a name of a size: letters, digits and _, no digit "
               "first";
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
    if ((status = result->record(i, function)) ||
        (status = result->checkRanges(result->samples.back())))
      return nullptr;
  return result;
}

/// Returns the text of a range, e.g. `[-3:3]`.
static std::string textOf(const graph::SliceRange &range) {
  auto bound = [](int64_t position) {
    return position == graph::openEnd ? "" : std::to_string(position);
  };
  return "[" + bound(range.start) + ":" + bound(range.stop) +
         (range.step == 1 ? "" : ":" + std::to_string(range.step)) + "]";
}

/// True for a bound that is outside of any axis, so that the range extends to
/// the axis's end.
static bool isOpen(int64_t bound) {
  return bound == graph::openEnd || bound >= INT32_MAX || bound <= INT32_MIN;
}

static bool isBeyond(int64_t bound, int64_t size) {
  return !isOpen(bound) && (bound > size || bound < -size);
}

/// True if the range is empty for every large axis but not for a small one,
/// such as [-3:3].
static bool isOnlyOfSmall(const graph::SliceRange &range) {
  if (isOpen(range.start) || isOpen(range.stop))
    return false;
  return range.step > 0 ? range.start < 0 && range.stop > 0
                        : range.start >= 0 && range.stop < -1;
}

/// Checks the ranges of slices. The samples show which elements of a large axis
/// a range selects. If the rule differs for smaller or larger axes, the size
/// cannot be symbolic.
Status Recording::checkRanges(const Sample &sample) const {
  const auto &first = samples[0].ranges, &ranges = sample.ranges;
  if (ranges.size() != first.size())
    return nullptr; // the exporter reports a different structure
  for (auto [a, b] : llvm::zip_equal(first, ranges)) {
    bool sameBounds =
        a.start == b.start && a.stop == b.stop && a.step == b.step;
    if (a.size == b.size || !sameBounds)
      continue;
    std::string remedy;
    int64_t size = std::min(a.size, b.size);
    if (isOnlyOfSmall(a))
      remedy = "count both bounds from the same end";
    else if (isBeyond(a.start, size) || isBeyond(a.stop, size))
      remedy = "use bounds of at most " + std::to_string(size);
    else
      continue;
    graph::Recorder r(a.at);
    r.fail("slice", "how much " + textOf(a) + " is of axis " +
                        llvm::Twine(a.axis) +
                        ", whose size has a name, depends on that size; " +
                        remedy + ", or give the size as a number");
    return jit::makeStatus(TENSORC_RT_INVALID_ARGUMENT, r.error);
  }
  return nullptr;
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
  Status failed;
  {
    graph::SliceRanges noted(sample.ranges, /*hasNames=*/!values.empty());
    failed = function(sample.arguments, sample.results);
  }
  if (failed) {
    if (values.empty())
      return failed;
    // The message contains the sizes of a sample, which the user did not
    // choose.
    std::string message = tensorc_rt_status_message(failed.get());
    return jit::makeStatus(tensorc_rt_status_code(failed.get()),
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

/// Evaluates the values that the user holds and that do not depend on an
/// argument. They become captured values, whatever computes them.
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

} // namespace tensorc::exporting
