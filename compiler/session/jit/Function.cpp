//===- Function.cpp - A traced function, compiled -------------------------===//

#include "compiler/session/jit/Function.h"

#include "compiler/graph/Dependents.h"
#include "compiler/graph/Placement.h"
#include "compiler/graph/ops/Constants.h"
#include "compiler/session/jit/CustomOps.h"
#include "compiler/session/jit/Donation.h"
#include "compiler/session/jit/NumberChecks.h"
#include "compiler/session/jit/Streams.h"
#include "compiler/session/jit/TraceFile.h"

#include "llvm/ADT/STLExtras.h"

namespace tensorc::jit {

using graph::Node;
using graph::NodeRef;

template <typename Nodes>
static int indexOf(const Nodes &nodes, const Node *node) {
  auto it = llvm::find_if(
      nodes, [&](auto &each) { return std::to_address(each) == node; });
  return it == nodes.end() ? -1 : it - nodes.begin();
}

//===----------------------------------------------------------------------===//
// Tracing and compiling
//===----------------------------------------------------------------------===//

Function::Function(llvm::ArrayRef<Node *> placeholders,
                   llvm::ArrayRef<Node *> results, Status &status) {
  arguments.assign(placeholders.begin(), placeholders.end());
  bool isAuto = false;
  tensorc_rt_device *device = nullptr;
  for (Node *result : results) {
    isAuto |= result->isAuto();
    if (!device)
      device = result->device();
  }
  if (!results.empty())
    location = results[0]->location();
  if (isAuto && !device) {
    status = prepareAuto(results);
    return;
  }
  only = std::make_unique<Variant>(device);
  graph::Trace trace;
  if (!(status = build(*only, results, trace)))
    fillSlots(trace, results);
}

Function::Function(tensorc_rt_device *device,
                   std::shared_ptr<const Executable> executable,
                   std::vector<NamedArgument> arguments,
                   llvm::ArrayRef<NodeRef> captures,
                   llvm::ArrayRef<ValueType> results,
                   graph::SourceLocation location)
    : isNamed(true), named(std::move(arguments)), location(location),
      numOutputs(results.size()) {
  only = std::make_unique<Variant>(device);
  only->executable = std::move(executable);
  for (unsigned i = 0; i < named.size(); ++i) {
    only->holes.push_back({i, i});
    only->prepared.push_back({});
  }
  for (const NodeRef &node : captures) {
    captured.push_back({node, node->dtype(), 0, node->location()});
    only->constants.push_back(node);
    only->captures.push_back(
        {static_cast<unsigned>(only->prepared.size()), node.get()});
    only->prepared.push_back(argumentOf(*node.get()));
  }
  for (auto [i, type] : llvm::enumerate(results)) {
    Slot slot;
    slot.kind = Slot::Output;
    slot.index = i;
    slot.type = type;
    slots.push_back(std::move(slot));
  }
}

Status Function::record(graph::Trace &trace, llvm::ArrayRef<Node *> results,
                        std::vector<NodeRef> &constants) const {
  constants.clear();
  trace.record(results,
               checksNumbers() ? graph::Stored::All : graph::Stored::Roots,
               UINT32_MAX, /*keepsParts=*/true);
  for (Node *node : trace.arguments) {
    if (node->isEvaluated())
      constants.push_back(node);
    else if (indexOf(arguments, node) < 0)
      return makeStatus(TENSORC_RT_FAILED_PRECONDITION,
                        "jit: a result depends on an argument of another "
                        "function that is being traced");
  }
  return nullptr;
}

Status Function::build(Variant &variant, llvm::ArrayRef<Node *> results,
                       graph::Trace &trace, Sizes sizes,
                       KernelCache::BytesLeft bytesLeft,
                       uint64_t *bytesMissing) const {
  Status status;
  variant.executable = Session::get().executableFor(
      variant.device, trace,
      [&](graph::Trace &trace) {
        Status status = record(trace, results, variant.constants);
        variant.lines = linesOf(trace, variant.device);
        return status;
      },
      status, sizes, {}, bytesLeft, bytesMissing);
  if (status)
    return status;
  variant.results.assign(results.begin(), results.end());
  TransferredInputs inputs(variant.device);
  for (Node *node : trace.arguments) {
    variant.prepared.push_back(argumentOf(*node));
    if (node->isEvaluated()) {
      tensorc_rt_buffer *buffer = inputs.find(*node, status);
      if (!buffer)
        return status;
      variant.prepared.back().buffer = buffer;
      variant.captures.push_back(
          {static_cast<unsigned>(variant.prepared.size() - 1), node});
    } else {
      variant.holes.push_back(
          {static_cast<unsigned>(variant.prepared.size() - 1),
           static_cast<unsigned>(indexOf(arguments, node))});
    }
  }
  inputs.keep();
  if (variant.executable)
    appendArguments(trace, *variant.executable, variant.prepared);
  return nullptr;
}

void Function::fillSlots(const graph::Trace &trace,
                         llvm::ArrayRef<Node *> results) {
  numOutputs = trace.outputs.size();
  if (checksNumbers())
    checked.assign(trace.outputs.begin(), trace.outputs.end());
  customCalls = trace.customCalls;
  for (Node *node : trace.order) {
    if (node->isEvaluated())
      captured.push_back({node, node->dtype(), 0, node->location()});
    else if (node->op() == graph::OpKind::Full)
      captured.push_back({nullptr, node->dtype(),
                          node->attributes<graph::FullAttributes>().bits,
                          node->location()});
  }
  for (Node *result : results) {
    Slot slot;
    int output = indexOf(trace.outputs, result);
    int argument = indexOf(arguments, result);
    slot.kind = output >= 0     ? Slot::Output
                : argument >= 0 ? Slot::Argument
                                : Slot::Constant;
    slot.index = output >= 0 ? output : std::max(argument, 0);
    slot.split = output >= 0 ? trace.splitOfOutput(output) : nullptr;
    slot.isAuto = result->isAuto();
    slot.type = {result->dtype(), llvm::to_vector<4>(result->shape())};
    if (slot.kind == Slot::Constant)
      slot.constant = result;
    slots.push_back(std::move(slot));
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Returns `f32[n,784]`.
static std::string textOf(const Function::NamedArgument &argument) {
  std::string text = graph::dtypeName(argument.dtype);
  text += "[";
  for (auto [i, name] : llvm::enumerate(argument.names))
    text += (i ? "," : "") +
            (name.empty() ? std::to_string(argument.dims[i]) : name);
  return text + "]";
}

static std::string otherDevice(const Node &value, tensorc_rt_device *own) {
  return std::string(" is on ") + graph::deviceName(value.device()) +
         ", not on " + graph::deviceName(own) + ": move it with to()";
}

Function::ValueType Function::argumentType(unsigned i) const {
  if (!isNamed)
    return {arguments[i]->dtype(), llvm::to_vector<4>(arguments[i]->shape())};
  ValueType type{named[i].dtype, named[i].dims};
  for (auto [size, name] : llvm::zip(type.shape, named[i].names))
    if (!name.empty())
      size = -1;
  return type;
}

/// True if a value has the sizes that an argument declares, and equal sizes for
/// equal names.
static bool fits(const Node &value, const Function::NamedArgument &argument,
                 std::vector<std::pair<llvm::StringRef, int64_t>> &sizes) {
  if (value.dtype() != argument.dtype || value.rank() != argument.dims.size())
    return false;
  for (auto [size, dim, name] :
       llvm::zip(value.shape(), argument.dims, argument.names)) {
    if (name.empty() ? size != dim : size % dim != 0)
      return false;
    if (name.empty())
      continue;
    auto known =
        llvm::find_if(sizes, [&](auto &each) { return each.first == name; });
    if (known == sizes.end())
      sizes.push_back({name, size});
    else if (known->second != size)
      return false;
  }
  return true;
}

std::string Function::refusalOf(llvm::ArrayRef<Node *> values) const {
  if (values.size() != numArguments())
    return std::to_string(values.size()) + " arguments for " +
           std::to_string(numArguments());
  std::vector<std::pair<llvm::StringRef, int64_t>> sizes;
  for (unsigned i = 0; i < values.size(); ++i) {
    std::string which = "argument " + std::to_string(i);
    const Node *value = values[i];
    if (!value)
      return which + " is an undefined tensor";
    const Node *like = isNamed ? nullptr : arguments[i].get();
    auto before = sizes;
    bool isLike = like ? value->dtype() == like->dtype() &&
                             value->shape() == like->shape()
                       : fits(*value, named[i], sizes);
    if (!isLike) {
      std::string given;
      for (auto &[name, size] : before)
        given += (given.empty() ? " where " : ", ") + name.str() + " is " +
                 std::to_string(size);
      return which + " is " + graph::typeOf(*value) + ", not " +
             (like ? graph::typeOf(*like) : textOf(named[i]) + given);
    }
    auto *own = like ? like->device() : only->device;
    if (value->device() != own)
      return which + otherDevice(*value, own);
  }
  return "";
}

bool Function::accepts(llvm::ArrayRef<Node *> values) const {
  if (isNamed)
    return refusalOf(values).empty();
  if (values.size() != arguments.size())
    return false;
  for (auto [value, argument] : llvm::zip(values, arguments))
    if (!value || !value->isLike(*argument.get()) ||
        value->device() != argument->device())
      return false;
  return true;
}

/// Compiles the results of a variant once more, for other kernels. Returns null
/// if that fails, or if a value that was evaluated since is captured instead.
std::unique_ptr<Function::Variant>
Function::compileAgain(const Variant &variant, Sizes sizes,
                       KernelCache::BytesLeft bytesLeft,
                       uint64_t *bytesMissing) const {
  auto results = llvm::map_to_vector(
      variant.results, [](const NodeRef &result) { return result.get(); });
  auto again = std::make_unique<Variant>(variant.device);
  graph::Trace trace;
  if (build(*again, results, trace, sizes, bytesLeft, bytesMissing) ||
      !again->executable || again->executable == variant.executable ||
      again->captures != variant.captures)
    return nullptr;
  return again;
}

/// Returns the variant with kernels for the function's sizes. One call compiles
/// it while other calls continue. Returns null if the given variant's kernels
/// are to be used.
const Function::Variant *Function::sizedFor(const Variant &variant) const {
  if (const Variant *known = variant.sized.load(std::memory_order_acquire))
    return known;
  constexpr auto relaxed = std::memory_order_relaxed;
  if (variant.calls.fetch_add(1, relaxed) + 1 < KernelCache::frequentUses ||
      !checked.empty() || checksNumbers() ||
      variant.isAskedForSized.exchange(true, relaxed))
    return nullptr;
  std::unique_ptr<Variant> sized = compileAgain(variant, Sizes::OnlyThese);
  if (!sized)
    return nullptr;
  variant.sized.store(sized.get(), std::memory_order_release);
  return sized.release();
}

/// Runs the variant. If the device runs out of memory before the run has had an
/// effect, compiles a program that fits into what is left, and runs that.
Status Function::run(const Variant &variant, llvm::ArrayRef<Node *> values,
                     const RunMemory &memory,
                     llvm::MutableArrayRef<tensorc_rt_output> outputs) const {
  auto bytesLeft = [&] {
    auto inputs = llvm::to_vector(llvm::make_second_range(variant.captures));
    for (auto [position, argument] : variant.holes)
      inputs.push_back(values[argument]);
    return bytesLeftFor(inputs, variant.device);
  };
  const Variant *known = variant.fitted.find(bytesLeft);
  bool overwrites = !memory.donated.empty();
  auto countEffects = [&]() -> uint64_t {
    bool hasEffects = overwrites || !customCalls.empty();
    return hasEffects ? countCalls(variant.device, overwrites) : 0;
  };
  uint64_t effects = countEffects();
  auto mayRepeat = [&](const Status &status) {
    return isOutOfMemory(status) && !isOneOfRanks() &&
           countEffects() == effects && !variant.results.empty() &&
           checked.empty() && !checksNumbers();
  };
  Status failure = runOnce(known ? *known : variant, values, memory, outputs);
  if (!mayRepeat(failure))
    return failure;
  Status status;
  uint64_t bytesMissing = 0;
  for (Sizes sizes : {Sizes::Planned, Sizes::Fitted}) {
    std::unique_ptr<Variant> fitted =
        compileAgain(variant, sizes, bytesLeft, &bytesMissing);
    if (!fitted)
      continue;
    if (!(status = runOnce(*fitted, values, memory, outputs))) {
      MemoryFit fit = fitted->executable->fit;
      if (!fit.limit)
        fit = MemoryFit::ofPlans(
            bytesNeeded(*variant.executable, variant.prepared, bytesLeft()));
      variant.fitted.add(std::move(fitted), fit);
      return nullptr;
    }
    if (!mayRepeat(status))
      break;
  }
  // The first error names the failed allocation.
  return isCancelled(status)
             ? std::move(status)
             : withBytesMissing(std::move(failure), bytesMissing);
}

Status
Function::runOnce(const Variant &variant, llvm::ArrayRef<Node *> values,
                  const RunMemory &memory,
                  llvm::MutableArrayRef<tensorc_rt_output> outputs) const {
  if (!variant.executable)
    return nullptr;
  bool mayBeSized =
      variant.executable->isSlowerThanSized && !variant.results.empty();
  if (mayBeSized)
    if (const Variant *sized = sizedFor(variant))
      return run(*sized, values, memory, outputs);
  llvm::SmallVector<tensorc_rt_arg, 8> call(variant.prepared);
  TransferredInputs inputs(variant.device);
  Status status;
  for (auto [position, argument] : variant.holes) {
    if (isNamed)
      call[position] = argumentOf(*values[argument]);
    if (!(call[position].buffer = inputs.find(*values[argument], status)))
      return status;
  }
  std::shared_ptr<const Bindings> other = bindings();
  if (other)
    for (auto [position, node] : variant.captures)
      if (auto it = other->find(node); it != other->end())
        call[position].buffer = it->second->buffer();
  RunMemory forRun;
  forRun.outputs = memory.outputs;
  forRun.lines = variant.lines;
  llvm::SmallVector<uint8_t> donated;
  if (!memory.donated.empty()) {
    donated.resize(call.size());
    for (auto [position, argument] : variant.holes)
      donated[position] = memory.donated[argument];
    forRun.donated = donated;
  }
  int64_t begin = mayBeSized ? threadNanoseconds() : 0;
  if ((status = variant.executable->run(call, outputs, forRun)))
    return located(std::move(status), customCalls, location);
  if (mayBeSized)
    variant.calls += KernelCache::moreUses(threadNanoseconds() - begin);
  if ((status = check(values, outputs)))
    return status;
  inputs.keep();
  Session::get().noteRun(variant.executable);
  return nullptr;
}

Status Function::check(llvm::ArrayRef<Node *> values,
                       llvm::ArrayRef<tensorc_rt_output> outputs) const {
  auto nodes = llvm::map_to_vector(
      checked, [](const NodeRef &node) { return node.get(); });
  std::shared_ptr<const Bindings> other = bindings();
  return checkNumbers(nodes, outputs, customCalls, [&](const Node &argument) {
    if (int index = indexOf(arguments, &argument); index >= 0)
      return values[index]->buffer();
    auto it = other ? other->find(&argument) : Bindings::const_iterator();
    return other && it != other->end() ? it->second->buffer()
                                       : argument.buffer();
  });
}

/// Returns a flag per argument: true for a donated value that the run may
/// overwrite, because it has no other references and is not a result.
static std::vector<uint8_t> donatable(llvm::ArrayRef<Node *> values,
                                      llvm::ArrayRef<uint8_t> donated,
                                      llvm::ArrayRef<Function::Slot> slots) {
  std::vector<uint8_t> result(donated.begin(), donated.end());
  for (auto [i, value, isFree] : llvm::enumerate(values, result))
    isFree = isFree != 0 && value->isHeldOnce() && hasMemoryOfItsOwn(*value) &&
             llvm::count(values, value) == 1;
  for (const Function::Slot &slot : slots)
    if (slot.kind == Function::Slot::Argument && !result.empty())
      result[slot.index] = false;
  // Number checks read the arguments after the run.
  if (checksNumbers())
    result.clear();
  return result;
}

Status Function::call(llvm::ArrayRef<Node *> values, const RunMemory &memory,
                      Node **results) const {
  if (results)
    std::fill_n(results, slots.size(), nullptr);
  if (Status status = checkOutsideCustomOp())
    return status;
  for (Node *value : values)
    if (!value->isEvaluated())
      if (Status status = Session::get().evaluate(values))
        return status;
  SplitValues kept;
  if (Status status = kept.reshard(values, arguments))
    return status;
  auto isSplit = [&](const Slot &slot) {
    bool isOwn = slot.kind != Slot::Argument || isNamed;
    return graph::partsOf(isOwn ? slot.split : arguments[slot.index]->split());
  };
  if (!memory.outputs.empty() && llvm::any_of(slots, isSplit))
    return makeStatus(
        TENSORC_RT_UNSUPPORTED,
        "jit: a result is split over ranks, so it needs no memory "
        "for a whole: leave that out");
  llvm::SmallVector<tensorc_rt_output, 2> outputs;
  outputs.resize_for_overwrite(numOutputs);
  RunMemory forRun;
  std::vector<uint8_t> donated;
  if (!memory.donated.empty())
    forRun.donated = donated = donatable(values, memory.donated, slots);
  llvm::SmallVector<tensorc_rt_buffer *> given;
  if (!memory.outputs.empty()) {
    given.resize(numOutputs);
    for (auto [slot, buffer] : llvm::zip_equal(slots, memory.outputs))
      if (slot.kind == Slot::Output && !given[slot.index])
        given[slot.index] = buffer;
    forRun.outputs = given;
  }
  Status status;
  if (only)
    status = run(*only, values, forRun, outputs);
  else
    status = tryInOrder(sumsFor(values), *Session::get().candidates(status),
                        [&](unsigned candidate) {
                          Status status;
                          const Variant *variant = variantOn(candidate, status);
                          return variant
                                     ? run(*variant, values, forRun, outputs)
                                     : std::move(status);
                        });
  return status ? std::move(status) : give(values, memory, outputs, results);
}

/// Makes a node with the buffer as its value. Takes ownership of the reference.
static Node *nodeOver(tensorc_rt_buffer *buffer, graph::DType dtype,
                      llvm::ArrayRef<int64_t> shape, bool isAuto,
                      const graph::Split *split, graph::SourceLocation at) {
  Node *node = Node::createData(dtype, shape, buffer, at);
  node->becomeSplit(split);
  if (isAuto)
    node->makeAuto();
  node->becomeHandle();
  return node;
}

Status Function::give(llvm::ArrayRef<Node *> values, const RunMemory &memory,
                      llvm::MutableArrayRef<tensorc_rt_output> outputs,
                      Node **results) const {
  std::shared_ptr<const Bindings> other = bindings();
  llvm::SmallVector<bool> taken(outputs.size(), false);
  Status status;
  for (auto [i, slot] : llvm::enumerate(slots)) {
    tensorc_rt_buffer *to =
        memory.outputs.empty() ? nullptr : memory.outputs[i];
    tensorc_rt_buffer *from = nullptr;
    Node *node = nullptr;
    llvm::ArrayRef<int64_t> shape = slot.type.shape;
    if (isNamed)
      shape = llvm::ArrayRef(outputs[slot.index].dims, slot.type.shape.size());
    if (slot.kind == Slot::Output) {
      from = outputs[slot.index].buffer;
    } else {
      node = slot.kind == Slot::Argument ? values[slot.index]
                                         : slot.constant.get();
      // If a result is both a captured value and an argument, the argument's
      // current value is returned.
      if (other && slot.kind == Slot::Constant)
        if (auto it = other->find(node); it != other->end())
          node = it->second.get();
      from = node->buffer();
    }
    // Copies a result that is not an output into the caller's memory for it.
    if (to && to != from) {
      tensorc_rt_device *device = tensorc_rt_buffer_device(to);
      auto bytes = static_cast<size_t>(
          tx::bytesOf(slot.type.dtype, llvm::product_of(shape, int64_t(1))));
      if ((status = Status(tensorc_rt_buffer_copy(to, 0, from, 0, bytes,
                                                  currentStream(device)))))
        break;
      node = nullptr;
      from = to;
    }
    if (!results)
      continue;
    if (node) {
      node->retainHandle();
      results[i] = node;
      continue;
    }
    bool isLast = slot.kind == Slot::Output &&
                  from == outputs[slot.index].buffer &&
                  !std::exchange(taken[slot.index], true);
    if (!isLast)
      tensorc_rt_buffer_retain(from);
    results[i] = nodeOver(from, slot.type.dtype, shape, slot.isAuto, slot.split,
                          location);
  }
  // Releases outputs that were computed only for number checks, or into the
  // caller's memory.
  for (auto [output, isTaken] : llvm::zip(outputs, taken))
    if (!isTaken)
      tensorc_rt_buffer_release(output.buffer);
  if (status && results)
    for (size_t i = 0; i < slots.size(); ++i)
      if (Node *node = std::exchange(results[i], nullptr))
        node->releaseHandle();
  return status;
}

//===----------------------------------------------------------------------===//
// Captured values
//===----------------------------------------------------------------------===//

std::shared_ptr<const Function::Bindings> Function::bindings() const {
  if (!isRebound.load(std::memory_order_acquire))
    return nullptr;
  std::scoped_lock lock(bindingMutex);
  return bound;
}

Status Function::rebind(unsigned capture, Node *value) {
  auto refuse = [&](const llvm::Twine &message) {
    return makeStatus(TENSORC_RT_INVALID_ARGUMENT,
                      ("rebind: " + message).str());
  };
  if (capture >= captured.size() || !captured[capture].tensor)
    return refuse("the function has captured no tensor of number " +
                  llvm::Twine(capture));
  Node *former = captured[capture].tensor.get();
  if (graph::isConstant(*former))
    return refuse("it is a constant, of which products hold packed copies");
  if (automatic)
    return refuse("the cost model places the function; pass an argument");
  if (value->dtype() != former->dtype() || value->shape() != former->shape())
    return refuse(graph::typeOf(*value) + " cannot stand for " +
                  graph::typeOf(*former));
  NodeRef given = value;
  if (Status status = reshard(given, former->split()))
    return status;
  value = given.get();
  if (value->isAuto() || value->device() != former->device())
    return refuse("the value" + otherDevice(*value, former->device()));
  std::scoped_lock lock(bindingMutex);
  auto next = std::make_shared<Bindings>(bound ? *bound : Bindings());
  (*next)[former] = value;
  bound = std::move(next);
  isRebound.store(true, std::memory_order_release);
  return nullptr;
}

} // namespace tensorc::jit
