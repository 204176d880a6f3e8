//===- Exporter.cpp - From a recording to a program by itself -------------===//
//
// toModule() makes a function for all sizes whose arguments are in the trace's
// order, and whose numbers and starts of slices are arguments too. Here sizes
// become numbers or the names that the user gave them, numbers and captured
// values constants, and arguments those that the user knows.
//
//===----------------------------------------------------------------------===//

#include "compiler/aot/Recording.h"
#include "compiler/graph/ToModule.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/APFloat.h"

using namespace mlir;
using tensorc::shape::Dim;

namespace tensorc::aot {

using graph::DType;
using graph::Node;
using graph::NodeRef;
using graph::OpKind;
using jit::Status;

/// Numbers of no more elements are text; others are shared with the module.
static constexpr int64_t maxInline = 64;

class Exporter {
public:
  Exporter(const Recording &recording, MLIRContext &context,
           const Naming &naming)
      : recording(recording), fit(recording.fit), context(context),
        dims(tx::dimContext(&context)), naming(naming), builder(&context) {}

  OwningOpRef<ModuleOp> run(Status &status);

private:
  struct Traced {
    std::vector<uint64_t> key;
    std::vector<int64_t> sizes;
    std::vector<uint64_t> words;
    std::vector<Node *> arguments;
  };

  Status traceAll();
  Status compare(const Traced &other, unsigned sample);
  Status fitSizes();
  Status fitWord(unsigned word, const Node &node);
  Status fitWords();
  Status checkNames();
  Status refuse(const Twine &message) { return refusal(recording.at, message); }
  Status refuse(const Node &node, const Twine &message) {
    return refusal(node.location(), message);
  }

  void replaceTypes();
  void replaceWords();
  void replaceSlice(tx::SliceOp slice, ArrayRef<Polynomial> starts);
  Status replaceArguments();
  void requireNotNegative(const Polynomial &start);
  void setFacts();
  Status setResults();
  Value scalar(DType dtype, uint64_t bits);
  Value number(int64_t value);
  Value sizeOf(Dim dim);
  Value valueOf(const Polynomial &value);
  Value gather(Location loc, Value x, unsigned dim, Value start, int64_t stride,
               Dim size);
  Value constant(Node &node, Status &status);
  Attribute denseOf(RankedTensorType type, Node &node, ArrayRef<char> bytes);
  /// Where the function begins.
  OpBuilder begin() {
    OpBuilder result(&context);
    result.setInsertionPointToStart(&function.front());
    if (lastBegun)
      result.setInsertionPointAfter(lastBegun);
    return result;
  }
  template <typename Op, typename... Args> Value atBegin(Args &&...args) {
    OpBuilder b = begin();
    auto op = Op::create(b, b.getUnknownLoc(), std::forward<Args>(args)...);
    lastBegun = op;
    return op;
  }

  const Recording &recording;
  const SizeFit &fit;
  MLIRContext &context;
  shape::DimContext &dims;
  const Naming &naming;
  OpBuilder builder;

  graph::Trace trace;         // of the first sample
  std::vector<int64_t> least; // that a named size is
  std::vector<Traced> traced;
  std::vector<Polynomial> sizes, words;
  func::FuncOp function;
  std::vector<uint32_t> boundSizes;
  Operation *lastBegun = nullptr;
  DenseMap<int64_t, Value> sizeValues;
  DenseMap<const Node *, Value> newArguments;
};

//===----------------------------------------------------------------------===//
// What the samples have in common
//===----------------------------------------------------------------------===//

static SmallVector<Node *> pointers(ArrayRef<NodeRef> nodes) {
  SmallVector<Node *> result;
  for (const NodeRef &node : nodes)
    result.push_back(node.get());
  return result;
}

/// The first sample comes last: its trace is the one that lives on.
Status Exporter::traceAll() {
  traced.resize(recording.samples.size());
  for (size_t i = traced.size(); i-- > 0;) {
    trace.record(pointers(recording.samples[i].results), graph::Stored::Roots);
    traced[i] = {trace.key, trace.sizes, trace.words, trace.arguments};
  }
  for (size_t i = 1; i < traced.size(); ++i)
    if (Status status = compare(traced[i], i))
      return status;
  const auto &given = recording.samples[0].arguments;
  for (Node *node : trace.arguments)
    if (!node->isEvaluated() && !llvm::is_contained(pointers(given), node))
      return refuse("a result depends on an argument of another function that "
                    "is being traced");
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
                    ": sizes may be sums of products of named ones");
    sizes.push_back(std::move(*found));
  }
  return nullptr;
}

/// The number that the bits of a scalar are, if it is an integer.
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

/// A word that no size changes is a constant polynomial with its bits.
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
    return refuse(node, "a number depends on a named size and is no sum of "
                        "products of such");
  words.push_back(std::move(*found));
  return nullptr;
}

/// In the order that Trace has them in.
Status Exporter::fitWords() {
  unsigned word = 0;
  for (Node *node : trace.order) {
    if (graph::isArgument(*node))
      continue;
    unsigned count = node->op() == OpKind::Full;
    if (node->op() == OpKind::Slice)
      for (auto [i, size] : llvm::enumerate(node->inputs()[0]->shape()))
        count += !graph::isWholeDim(*node, i, size);
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
  for (auto &[name, node] : naming.weights)
    if (!node || !llvm::is_contained(trace.arguments, node))
      return refuse("'" + name + "' is no value that the function captures");
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Sizes and numbers
//===----------------------------------------------------------------------===//

void Exporter::replaceTypes() {
  AttrTypeReplacer replacer;
  auto meaning = [&](Dim symbol) {
    std::optional<unsigned> id = graph::sizeOfName(symbol.name());
    return id ? fit.dim(sizes[*id], dims) : symbol;
  };
  auto replaced = [&](ArrayRef<Dim> all) {
    return llvm::map_to_vector(
        all, [&](Dim dim) { return shape::substitute(dim, meaning); });
  };
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<std::pair<Type, WalkResult>> {
        if (!type.getEncoding())
          return std::pair(Type(type), WalkResult::skip());
        return std::pair(Type(tx::tensorType(replaced(tx::dimsOf(type)),
                                             type.getElementType())),
                         WalkResult::skip());
      });
  // The length of a scan.
  replacer.addReplacement(
      [&](tx::DimsAttr sizes)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        return std::pair(
            Attribute(tx::DimsAttr::get(&context, replaced(sizes.getDims()))),
            WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// A start of n - 3 asks for n of 3 at least: a gather would move it inside.
void Exporter::requireNotNegative(const Polynomial &start) {
  if (start.constant >= 0 || start.products.size() != 1)
    return;
  const Polynomial::Product &product = start.products.front();
  if (product.coefficient <= 0 || product.sizes.size() != 1)
    return;
  unsigned size = product.sizes.front();
  int64_t units = llvm::divideCeil(-start.constant, product.coefficient);
  least[size] = std::max(least[size], units * fit.sizes()[size].divisor);
}

/// What a run checks of the named sizes.
void Exporter::setFacts() {
  SmallVector<Attribute> facts;
  for (auto [i, size] : llvm::enumerate(fit.sizes()))
    if (size.divisor > 1 || least[i] > 0)
      facts.push_back(tx::SymbolAttr::get(&context,
                                          builder.getStringAttr(size.name),
                                          least[i], INT64_MAX, size.divisor));
  function->removeAttr(tx::symbolsAttr);
  if (!facts.empty())
    function->setAttr(tx::symbolsAttr, builder.getArrayAttr(facts));
}

Value Exporter::scalar(DType dtype, uint64_t bits) {
  auto type = RankedTensorType::get({}, graph::toType(context, dtype));
  unsigned width = dtype == DType::I1 ? 1 : tx::bitWidth(dtype);
  APInt value(width, bits, /*isSigned=*/false, /*implicitTrunc=*/true);
  Attribute attribute;
  if (auto floating = dyn_cast<FloatType>(type.getElementType()))
    attribute = builder.getFloatAttr(
        floating, APFloat(floating.getFloatSemantics(), value));
  else
    attribute = builder.getIntegerAttr(type.getElementType(), value);
  return atBegin<tx::ConstantOp>(type, DenseElementsAttr::get(type, attribute));
}

Value Exporter::number(int64_t value) {
  return scalar(DType::I64, static_cast<uint64_t>(value));
}

/// There is no op that gives a size: as many ones are added up.
Value Exporter::sizeOf(Dim dim) {
  Value &known = sizeValues[dim.opaque()];
  if (known)
    return known;
  Type element = graph::toType(context, DType::I64);
  Value ones = atBegin<tx::BroadcastOp>(tx::tensorType(dim, element), number(1),
                                        ArrayRef<int64_t>());
  return known = atBegin<tx::SumOp>(RankedTensorType::get({}, element), ones,
                                    ArrayRef<int64_t>{0});
}

/// As an i64 of rank 0.
Value Exporter::valueOf(const Polynomial &value) {
  Value sum = number(value.constant);
  for (const Polynomial::Product &product : value.products) {
    int64_t coefficient = product.coefficient;
    Value one;
    for (unsigned size : product.sizes) {
      int64_t divisor = fit.sizes()[size].divisor;
      bool whole = coefficient % divisor == 0;
      if (whole)
        coefficient /= divisor;
      Value factor = sizeOf(whole ? dims.symbol(fit.sizes()[size].name)
                                  : fit.unit(size, dims));
      one = one ? atBegin<tx::MulOp>(one, factor) : factor;
    }
    one = atBegin<tx::MulOp>(one, number(coefficient));
    sum = atBegin<tx::AddOp>(sum, one);
  }
  return sum;
}

void Exporter::replaceWords() {
  unsigned word = 0, argument = trace.arguments.size();
  Block &entry = function.front();
  // Slices by the argument that is their first start.
  for (Node *node : trace.order) {
    if (graph::isArgument(*node))
      continue;
    if (node->op() == OpKind::Full) {
      Value from = entry.getArgument(argument++), to;
      const Polynomial &value = words[word++];
      if (value.isConstant())
        to = scalar(node->dtype(), value.constant);
      else if (node->dtype() == DType::I64)
        to = valueOf(value);
      else
        to = atBegin<tx::ConvertOp>(from.getType(), valueOf(value));
      from.replaceAllUsesWith(to);
    } else if (node->op() == OpKind::Slice) {
      SmallVector<Polynomial> starts;
      Value first;
      for (auto [i, size] : llvm::enumerate(node->inputs()[0]->shape())) {
        if (graph::isWholeDim(*node, i, size))
          continue;
        if (!first)
          first = entry.getArgument(argument);
        ++argument;
        starts.push_back(words[word++]);
      }
      if (first)
        replaceSlice(cast<tx::SliceOp>(*first.getUsers().begin()), starts);
    }
  }
}

/// Starts that are numbers are the slice's own; others index.
void Exporter::replaceSlice(tx::SliceOp slice, ArrayRef<Polynomial> starts) {
  OpBuilder b(slice);
  Location loc = slice.getLoc();
  Value x = slice.getX();
  SmallVector<int64_t> offsets(slice.getStaticOffsets()),
      strides(slice.getStrides());
  SmallVector<Dim> from(tx::dimsOf(cast<RankedTensorType>(x.getType()))),
      to(tx::dimsOf(slice.getType()));
  SmallVector<std::pair<unsigned, Polynomial>> indexed;
  SmallVector<Dim> sliced(to);
  for (unsigned d = 0; d < offsets.size(); ++d) {
    if (!ShapedType::isDynamic(offsets[d]))
      continue;
    offsets[d] = starts.front().constant;
    if (!starts.front().isConstant()) {
      requireNotNegative(starts.front());
      indexed.push_back({d, starts.front()});
      offsets[d] = 0;
      sliced[d] = from[d];
    }
    starts = starts.drop_front();
  }
  SmallVector<int64_t> own(strides);
  for (auto &[d, start] : indexed)
    own[d] = 1;
  Value result = tx::SliceOp::create(
      b, loc, tx::tensorType(sliced, slice.getType().getElementType()), x,
      ValueRange(), offsets, own);
  for (auto &[d, start] : indexed) {
    Value at = valueOf(start);
    builder.setInsertionPoint(slice);
    result = gather(loc, result, d, at, strides[d], to[d]);
  }
  slice.replaceAllUsesWith(result);
  slice.erase();
}

/// One element more along a dim, which nothing reads: a gather needs one where
/// the size may be 0.
static Value padded(OpBuilder &b, Location loc, Value x, unsigned dim) {
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<Dim> dims(tx::dimsOf(type));
  SmallVector<int64_t> none(dims.size(), 0), high(none);
  dims[dim] = dims[dim] + 1;
  high[dim] = 1;
  auto element = RankedTensorType::get({}, type.getElementType());
  Value zero = tx::ConstantOp::create(
      b, loc, element,
      DenseElementsAttr::get(element, b.getZeroAttr(type.getElementType())));
  return tx::PadOp::create(b, loc, tx::tensorType(dims, type.getElementType()),
                           x, zero, none, high, none);
}

/// x at start, start + stride, ... along a dim.
Value Exporter::gather(Location loc, Value x, unsigned dim, Value start,
                       int64_t stride, Dim size) {
  x = padded(builder, loc, x, dim);
  auto type = cast<RankedTensorType>(x.getType());
  Type index = graph::toType(context, DType::I64);
  auto list = tx::tensorType(size, index);
  Value step = number(stride);
  OpBuilder &b = builder;
  auto wide = [&](Value value) -> Value {
    return tx::BroadcastOp::create(b, loc, list, value, ArrayRef<int64_t>());
  };
  Value places = tx::MulOp::create(b, loc, tx::IotaOp::create(b, loc, list, 0),
                                   wide(step));
  places = tx::AddOp::create(b, loc, places, wide(start));
  SmallVector<Dim> result(tx::dimsOf(type));
  result[dim] = size;
  SmallVector<int64_t> kept, extents(type.getRank(), -1);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (d != dim)
      kept.push_back(d);
  extents[dim] = 1;
  int64_t axis = dim;
  return tx::GatherOp::create(
      b, loc, tx::tensorType(result, type.getElementType()), x, places, kept,
      ArrayRef(axis), ArrayRef(axis), /*index_vector_dim=*/1, extents);
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

/// The user's arguments, then the weights, instead of those of the trace.
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

/// Those of the user, of which the trace has computed some, each once.
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

OwningOpRef<ModuleOp> Recording::module(MLIRContext &context,
                                        const Naming &naming,
                                        Status &status) const {
  return Exporter(*this, context, naming).run(status);
}

} // namespace tensorc::aot
