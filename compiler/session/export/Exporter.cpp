//===- Exporter.cpp - Conversion of a recording to a program --------------===//
//
// toModule() creates a function for all sizes. Its arguments are in the trace's
// order and include scalars and starts of slices. Here sizes become constants
// or the user's symbols, scalars and captured values become constants, and the
// arguments become the user's.
//
//===----------------------------------------------------------------------===//

#include "compiler/session/export/Exporter.h"

#include "compiler/graph/Dependents.h"
#include "compiler/graph/ops/Constants.h"
#include "compiler/session/export/Context.h"
#include "ir/tx/Names.h"
#include "ir/tx/Tx.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/APFloat.h"

using namespace mlir;
using tensorc::shape::Dim;

namespace tensorc::exporting {

using graph::DType;
using graph::Node;
using graph::NodeRef;
using graph::OpKind;
using jit::Status;

/// Maximum number of elements of a constant that is stored as text. Larger
/// constants share memory with the module.
static constexpr int64_t maxInline = 64;

//===----------------------------------------------------------------------===//
// Fitting the samples
//===----------------------------------------------------------------------===//

/// Records the traces of all samples. The first sample is traced last, because
/// its trace is kept.
Status Exporter::traceAll() {
  traced.resize(recording.samples.size());
  for (size_t i = traced.size(); i-- > 0;) {
    trace.record(graph::pointers(recording.samples[i].results),
                 graph::Stored::Roots);
    traced[i] = {trace.key, trace.sizes, trace.words, trace.arguments};
  }
  for (size_t i = 1; i < traced.size(); ++i)
    if (Status status = compare(traced[i], i))
      return status;
  const auto &given = recording.samples[0].arguments;
  for (Node *node : trace.arguments) {
    if (!node->isEvaluated() &&
        !llvm::is_contained(graph::pointers(given), node))
      return refuse("a result depends on an argument of another function that "
                    "is being traced");
    if (graph::partsOf(node->split()))
      return refuse("the function captures " + graph::typeOf(*node) +
                    ", which is split over ranks: gather it by a shard that "
                    "splits no axis");
  }
  return nullptr;
}

static bool haveSameBytes(Node &a, Node &b) {
  std::string x(a.byteSize(), 0), y(b.byteSize(), 0);
  Status first(
      tensorc_rt_buffer_read(a.buffer(), 0, x.data(), x.size(), nullptr));
  Status second(
      tensorc_rt_buffer_read(b.buffer(), 0, y.data(), y.size(), nullptr));
  return !first && !second && x == y;
}

Status Exporter::compare(const Traced &other, unsigned sample) {
  auto when = [&](const Twine &what) {
    return refuse(what + " for " + fit.describe(0) + " than for " +
                  fit.describe(sample));
  };
  const Traced &first = traced[0];
  if (first.key != other.key || first.sizes.size() != other.sizes.size() ||
      first.words.size() != other.words.size() ||
      first.arguments.size() != other.arguments.size())
    return when("the function records other operations");
  for (auto [a, b] : llvm::zip(first.arguments, other.arguments)) {
    auto index = [](ArrayRef<NodeRef> list, Node *node) {
      return llvm::find_if(
                 list, [&](const NodeRef &ref) { return ref.get() == node; }) -
             list.begin();
    };
    bool same = a->isEvaluated()
                    ? a == b || (a->shape() == b->shape() && b->isEvaluated() &&
                                 haveSameBytes(*a, *b))
                    : index(recording.samples[0].arguments, a) ==
                          index(recording.samples[sample].arguments, b);
    if (!same)
      return when("the function captures another value");
  }
  return nullptr;
}

Status Exporter::fitSizes() {
  for (unsigned i = 0; i < trace.sizes.size(); ++i) {
    SmallVector<int64_t> values;
    for (const Traced &each : traced)
      values.push_back(each.sizes[i]);
    std::optional<Polynomial> found = fit.fit(values);
    if (!found)
      return refuse("a size is " + Twine(values[0]) + " for " +
                    fit.describe(0) + " and " + Twine(values[1]) + " for " +
                    fit.describe(1) +
                    ": sizes may be sums of products of named ones, not "
                    "quotients: leave out the `segment` of a scan over one");
    sizes.push_back(std::move(*found));
  }
  return nullptr;
}

/// Returns the integer that the bits of a scalar represent, if its dtype is an
/// integer.
static std::optional<int64_t> integerOf(graph::DType dtype, uint64_t bits) {
  if (!graph::isFloat(dtype))
    return static_cast<int64_t>(bits);
  llvm::APFloat value(tx::semanticsOf(dtype),
                      llvm::APInt(tx::bitWidth(dtype), bits));
  llvm::APSInt integer(64, /*isUnsigned=*/false);
  bool exact = false;
  value.convertToInteger(integer, llvm::APFloat::rmTowardZero, &exact);
  return exact ? std::optional(integer.getSExtValue()) : std::nullopt;
}

/// Fits a word of the trace, which holds the bits of a scalar or the start of a
/// slice. Finds the polynomial of the sizes that has the word's value in every
/// sample. A word that is the same in all samples becomes a constant
/// polynomial.
Status Exporter::fitWord(unsigned word, const Node &node) {
  uint64_t bits = traced[0].words[word];
  bool changes = llvm::any_of(
      traced, [&](const Traced &each) { return each.words[word] != bits; });
  if (!changes) {
    words.push_back({static_cast<int64_t>(bits), {}});
    return nullptr;
  }
  SmallVector<int64_t> values;
  for (const Traced &each : traced) {
    auto value = node.op() == OpKind::Full
                     ? integerOf(node.dtype(), each.words[word])
                     : std::optional(static_cast<int64_t>(each.words[word]));
    if (!value)
      break;
    values.push_back(*value);
  }
  std::optional<Polynomial> found;
  if (values.size() == traced.size())
    found = fit.fit(values);
  if (!found)
    return refuse(node, "a number depends on a named size and is not a sum of "
                        "products of such");
  words.push_back(std::move(*found));
  return nullptr;
}

/// Fits all words, in the order of the trace.
Status Exporter::fitWords() {
  unsigned word = 0;
  for (Node *node : trace.order) {
    if (graph::isArgument(*node))
      continue;
    unsigned count = node->op() == OpKind::Full;
    if (node->op() == OpKind::Slice)
      for (auto [i, size] : llvm::enumerate(node->inputs()[0]->shape()))
        count += !graph::hasFixedStart(*node, i, size);
    for (; count > 0; --count)
      if (Status status = fitWord(word++, *node))
        return status;
  }
  return nullptr;
}

Status Exporter::checkNames() {
  auto check = [&](const char *what, size_t given, size_t needed) {
    return given == 0 || given == needed
               ? Status()
               : refuse("the function has " + Twine(needed) + " " + what +
                        ", and names are given for " + Twine(given));
  };
  if (Status status =
          check("arguments", naming.inputs.size(), recording.inputs.size()))
    return status;
  if (Status status = check("results", naming.outputs.size(),
                            recording.samples[0].results.size()))
    return status;
  for (auto &[name, node] : naming.weights) {
    if (node && graph::isConstant(*node))
      return refuse("'" + name +
                    "' is a constant, of which products hold packed copies: it "
                    "cannot be an argument");
    if (!node || !llvm::is_contained(trace.arguments, node))
      return refuse("'" + name + "' is not a value that the function captures");
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Arguments, constants, results
//===----------------------------------------------------------------------===//

Attribute Exporter::denseOf(RankedTensorType type, Node &node,
                            ArrayRef<char> bytes) {
  if (node.numElements() <= maxInline && node.dtype() == DType::I1) {
    SmallVector<bool> values(bytes.begin(), bytes.end());
    return DenseElementsAttr::get(type, ArrayRef<bool>(values));
  }
  if (node.numElements() <= maxInline && !tx::isPacked(node.dtype()))
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  return DenseResourceElementsAttr::get(
      type, "captured", HeapAsmResourceBlob::allocateAndCopyInferAlign(bytes));
}

Value Exporter::constant(Node &node, Status &status) {
  auto type =
      RankedTensorType::get(node.shape(), graph::toType(context, node.dtype()));
  std::string bytes(node.byteSize(), 0);
  if (!bytes.empty())
    status.reset(tensorc_rt_buffer_read(node.buffer(), 0, bytes.data(),
                                        bytes.size(), nullptr));
  if (status)
    return nullptr;
  return atBegin<tx::ConstantOp>(
      type, cast<ElementsAttr>(denseOf(type, node, bytes)));
}

/// Replaces the trace's arguments by the user's arguments, followed by the
/// weights.
Status Exporter::replaceArguments() {
  Block &entry = function.front();
  unsigned before = entry.getNumArguments();
  std::vector<std::string> names;
  auto replace = [&](Node *node, Value with) {
    newArguments[node] = with;
    for (auto [i, argument] : llvm::enumerate(trace.arguments))
      if (argument == node)
        entry.getArgument(i).replaceAllUsesWith(with);
  };
  auto add = [&](Node *node, Type type, const std::string &name) {
    replace(node, entry.addArgument(type, builder.getUnknownLoc()));
    names.push_back(name.empty() ? "arg" + std::to_string(names.size()) : name);
  };
  for (auto [i, input] : llvm::enumerate(recording.inputs)) {
    SmallVector<Dim> shape;
    for (auto [d, dim] : llvm::enumerate(input.dims))
      shape.push_back(input.sizes.empty() || input.sizes[d].empty()
                          ? Dim(dim)
                          : dims.symbol(input.sizes[d]));
    add(recording.samples[0].arguments[i].get(),
        tx::tensorType(shape, graph::toType(context, input.dtype)),
        naming.inputs.empty() ? input.name : naming.inputs[i]);
  }
  for (auto &[name, node] : naming.weights)
    add(node,
        RankedTensorType::get(node->shape(),
                              graph::toType(context, node->dtype())),
        name);
  if (std::string why = tx::whyNoNames("an argument", names); !why.empty())
    return refuse(why);
  Status status;
  for (Node *node : trace.arguments)
    if (!newArguments.contains(node)) {
      Value value = constant(*node, status);
      if (status)
        return status;
      replace(node, value);
    }
  entry.eraseArguments(0, before);
  SmallVector<DictionaryAttr> attributes;
  for (const std::string &name : names)
    attributes.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr(tx::nameAttr, builder.getStringAttr(name))));
  function.setType(builder.getFunctionType(entry.getArgumentTypes(), {}));
  function.setAllArgAttrs(attributes);
  return nullptr;
}

/// Sets the user's results. The trace's outputs are some of them, without
/// duplicates.
Status Exporter::setResults() {
  auto ret = cast<func::ReturnOp>(function.front().getTerminator());
  SmallVector<Value> computed(ret.getOperands()), values;
  SmallVector<Type> types;
  for (const NodeRef &result : recording.samples[0].results) {
    auto it = llvm::find(trace.outputs, result.get());
    Value value = it != trace.outputs.end()
                      ? computed[it - trace.outputs.begin()]
                      : newArguments.lookup(result.get());
    Status status;
    if (!value && !(value = constant(*result.get(), status)))
      return status;
    values.push_back(value);
    types.push_back(value.getType());
  }
  ret->setOperands(values);
  function.setType(
      builder.getFunctionType(function.front().getArgumentTypes(), types));
  for (auto [i, name] : llvm::enumerate(naming.outputs))
    function.setResultAttr(i, tx::nameAttr, builder.getStringAttr(name));
  return nullptr;
}

OwningOpRef<ModuleOp> Exporter::run(Status &status) {
  std::scoped_lock lock(graph::graphMutex());
  if ((status = traceAll()) || (status = fitSizes()) || (status = fitWords()) ||
      (status = checkNames()))
    return nullptr;
  if (std::string why = tx::whyNoNames("a result", naming.outputs);
      !why.empty()) {
    status = refuse(why);
    return nullptr;
  }
  graph::Program program =
      graph::toModule(context, trace, /*symbolic=*/!fit.sizes().empty());
  if (!program.module) {
    status = refuse("the shapes cannot be expressed by the named sizes");
    return nullptr;
  }
  function = *program.module->getOps<func::FuncOp>().begin();
  replaceTypes();
  least.assign(fit.sizes().size(), 0);
  replaceWords();
  setFacts();
  if ((status = replaceArguments()))
    return nullptr;
  if ((status = setResults()))
    return nullptr;
  return std::move(program.module);
}

Status Recording::withModule(const Naming &naming, Use use) const {
  Status status;
  jit::Session::get().compileAlone([&] {
    // Constants in this context share the memory of captured values.
    Context own;
    if (auto module = Exporter(*this, own.get(), naming).run(status))
      status = use(*module);
  });
  return status;
}

} // namespace tensorc::exporting
