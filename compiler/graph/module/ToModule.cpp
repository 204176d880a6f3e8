//===- ToModule.cpp - Conversion of a trace to a tx module ----------------===//

#include "compiler/graph/module/ToModule.h"

#include "compiler/graph/Split.h"
#include "compiler/graph/TF32Factors.h"
#include "compiler/graph/module/Regions.h"
#include "compiler/graph/module/ShapeSolver.h"
#include "compiler/graph/ops/Builders.h"
#include "ir/library/Library.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Kernel.h"
#include "ir/tx/Tx.h"
#include "ir/tx/ops/Rounding.h"
#include "ir/tx/structure/OpOrdinals.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tensorc::graph {

Type toType(MLIRContext &context, DType dtype) {
  return tx::elementType(&context, dtype);
}

namespace {
/// The types of a program's values.
class NodeTypes {
public:
  /// `inBlocks` has the names in the blocks of a region; null outside of one.
  NodeTypes(MLIRContext &context, SizeNames *inBlocks)
      : context(context), shapes(inBlocks ? &inBlocks->shapes : nullptr),
        inBlocks(inBlocks) {}

  /// Makes the program symbolic. Returns false if it cannot be.
  bool solve(const Trace &trace) {
    solver.emplace(trace, context);
    shapes = &*solver;
    return solver->succeeded();
  }
  /// The shapes of a symbolic program; null for other programs.
  const ShapeSolver *solved() const { return shapes; }
  RankedTensorType of(const Node &node);
  RankedTensorType of(ArrayRef<shape::Dim> dims, Type element) {
    return tx::tensorType(named(dims), element);
  }
  /// Returns the type of a rank's part, or of the value if it is not split.
  RankedTensorType ofPart(const Node &node, const Split *split);
  RankedTensorType ofScalar(const Node &node) {
    return RankedTensorType::get({}, toType(context, node.dtype()));
  }
  /// Returns the dims with the names of the program's types.
  SmallVector<shape::Dim> named(ArrayRef<shape::Dim> dims);

  /// Symbols that occur in the types.
  llvm::SetVector<shape::Dim> names;

private:
  MLIRContext &context;
  std::optional<ShapeSolver> solver;
  const ShapeSolver *shapes;
  SizeNames *inBlocks;
};

/// The arguments of a function that is made.
class Arguments {
public:
  explicit Arguments(OpBuilder &builder) : builder(builder) {}
  void add(Type type, ArrayRef<NamedAttribute> named = {});
  /// The symbol's name is also the argument's name, because packages identify
  /// inputs by name.
  void addIndex(const Twine &name);

  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;

private:
  OpBuilder &builder;
};

class Converter {
public:
  Converter(MLIRContext &context, bool isClosed, SizeNames *inBlocks = nullptr)
      : context(context), builder(&context), types(context, inBlocks),
        isClosed(isClosed), arguments(builder) {}

  Program run(const Trace &trace, bool symbolic);
  OwningOpRef<ModuleOp> runClosed(ArrayRef<Node *> order,
                                  ArrayRef<Node *> inputs,
                                  ArrayRef<Node *> results);

private:
  void begin(OwningOpRef<ModuleOp> &made);
  void beginFunction(ArrayRef<Node *> nodes, ArrayRef<Type> results);
  void end(ArrayRef<Value> results);
  void joinArguments(const Trace &trace);
  SmallVector<Value> storedOutputs(const Trace &trace);
  void nameSizes();
  Location locationOf(const Node &node, unsigned ordinal);
  void addArguments(const Trace &trace, const std::vector<uint32_t> &bound);
  Value constant(const Node &full, Location loc);
  void convert(const Node &node, unsigned ordinal);
  Value convertOp(const Node &node, Location loc);
  Value convertSlice(const Node &node, Location loc);
  Value convertFirstOfSort(const FirstOfSort &first, Location loc);
  void convertCustomCall(const Node &node, Location loc);
  Operation *createCall(const Node &node, const CustomCall &call,
                        TypeRange results, Location loc);
  StringAttr symbolOf(const kernels::Kernel &kernel);
  Operation *createKernelCall(const Node &node, const kernels::Kernel &kernel,
                              TypeRange results, ValueRange inputs,
                              Location loc);

  MLIRContext &context;
  OpBuilder builder;
  NodeTypes types;
  // Numbers and starts of slices are constants.
  bool isClosed;
  Arguments arguments;
  func::FuncOp function;
  Block *entry = nullptr;
  unsigned nextWord = 0;
  DenseMap<const Node *, Value> values;
  DenseMap<const Node *, Operation *> customCalls;
  DenseMap<const kernels::Kernel *, StringAttr> kernelSymbols;
  ModuleOp module;
};
} // namespace

static std::string sizeName(unsigned id) { return "d" + std::to_string(id); }

std::optional<unsigned> sizeOfName(StringRef name) {
  unsigned id = 0;
  if (!name.consume_front("d") || name.getAsInteger(10, id))
    return std::nullopt;
  return id;
}

Location Converter::locationOf(const Node &node, unsigned ordinal) {
  SourceLocation where = node.location();
  Location loc = UnknownLoc::get(&context);
  if (where.file)
    loc = FileLineColLoc::get(&context, where.file, where.line, 0);
  // Names the location after the op's ordinal, because file and line differ
  // between call sites that share a kernel.
  return tx::nameByOrdinal(loc, ordinal);
}

RankedTensorType NodeTypes::of(const Node &node) {
  if (!shapes)
    return RankedTensorType::get(node.shape(), toType(context, node.dtype()));
  return of(shapes->dims(node), toType(context, node.dtype()));
}

SmallVector<shape::Dim> SizeNames::named(ArrayRef<shape::Dim> dims) {
  return llvm::map_to_vector(dims, [&](shape::Dim dim) {
    return shape::substitute(dim, [&](shape::Dim symbol) {
      met.insert(symbol);
      unsigned number = llvm::find(met, symbol) - met.begin();
      return tx::dimContext(&context).symbol(nameInRegion(number));
    });
  });
}

SmallVector<shape::Dim> NodeTypes::named(ArrayRef<shape::Dim> dims) {
  if (inBlocks)
    return inBlocks->named(dims);
  for (shape::Dim dim : dims)
    shape::forEachSymbol(dim, [&](shape::Dim symbol) { names.insert(symbol); });
  return SmallVector<shape::Dim>(dims);
}

RankedTensorType NodeTypes::ofPart(const Node &node, const Split *split) {
  split = partsOf(split);
  if (!split)
    return of(node);
  return RankedTensorType::get(split->part, toType(context, node.dtype()));
}

void Arguments::add(Type type, ArrayRef<NamedAttribute> named) {
  types.push_back(type);
  attributes.push_back(builder.getDictionaryAttr(named));
}

void Arguments::addIndex(const Twine &name) {
  auto text = builder.getStringAttr(name);
  add(builder.getIndexType(), {builder.getNamedAttr(tx::nameAttr, text),
                               builder.getNamedAttr(tx::symbolAttr, text)});
}

/// Adds arguments in the order that is documented at Program.
void Converter::addArguments(const Trace &trace,
                             const std::vector<uint32_t> &bound) {
  for (Node *argument : trace.arguments)
    arguments.add(types.ofPart(*argument, argument->split()));
  nextWord = trace.arguments.size();
  unsigned starts = 0;
  for (Node *node : trace.order) {
    if (isArgument(*node))
      continue;
    if (node->op() == OpKind::Full)
      arguments.add(
          types.ofScalar(*node),
          builder.getNamedAttr(tx::scalarAttr, builder.getUnitAttr()));
    if (node->op() != OpKind::Slice)
      continue;
    for (auto [i, size] : llvm::enumerate(node->inputs()[0]->shape()))
      if (!hasFixedStart(*node, i, size))
        arguments.addIndex("s" + Twine(starts++));
  }
  for (uint32_t id : bound)
    arguments.addIndex(sizeName(id));
}

Value Converter::convertSlice(const Node &node, Location loc) {
  auto [starts, strides] = node.attributes<tx::SliceAttributes>();
  SmallVector<Value> offsets;
  SmallVector<int64_t> positions;
  for (auto [i, size] : llvm::enumerate(node.inputs()[0]->shape())) {
    bool known = isClosed || hasFixedStart(node, i, size);
    positions.push_back(known ? starts[i] : ShapedType::kDynamic);
    if (!known)
      offsets.push_back(entry->getArgument(nextWord++));
  }
  return tx::SliceOp::create(builder, loc, types.of(node),
                             values[node.inputs()[0]], offsets, positions,
                             strides);
}

/// Returns the values of a top-k whose indices the program computes. One kernel
/// then computes both.
Value Converter::convertFirstOfSort(const FirstOfSort &first, Location loc) {
  auto order = values[first.order].getDefiningOp<tx::ArgsortOp>();
  auto x = cast<TypedValue<RankedTensorType>>(order.getX());
  Value sorted = tx::SortOp::create(builder, loc, x, order.getDim(),
                                    order.getDescending());
  if (!first.slice)
    return sorted;
  IRMapping map;
  auto slice = values[first.slice].getDefiningOp<tx::SliceOp>();
  map.map(slice.getX(), sorted);
  auto made = cast<tx::SliceOp>(builder.clone(*slice, map));
  made->setLoc(loc);
  made.getResult().setType(cast<RankedTensorType>(slice.getType())
                               .clone(x.getType().getElementType()));
  return made;
}

/// Returns the number that a Full repeats, as a constant.
Value Converter::constant(const Node &full, Location loc) {
  auto type = types.ofScalar(full);
  Type element = type.getElementType();
  auto bits = full.attributes<FullAttributes>().bits;
  unsigned width = full.dtype() == DType::I1 ? 1 : tx::bitWidth(full.dtype());
  APInt value(width, bits, /*isSigned=*/false, /*implicitTrunc=*/true);
  TypedAttr attribute;
  if (auto format = dyn_cast<FloatType>(element))
    attribute = builder.getFloatAttr(
        format, APFloat(format.getFloatSemantics(), value));
  else
    attribute = builder.getIntegerAttr(element, value);
  return tx::ConstantOp::create(
      builder, loc, type, DenseElementsAttr::get(type, Attribute(attribute)));
}

Value Converter::convertOp(const Node &node, Location loc) {
  if (node.op() == OpKind::Slice)
    return convertSlice(node, loc);
  if (std::optional<FirstOfSort> first = firstOfSort(node))
    return convertFirstOfSort(*first, loc);
  auto type = types.of(node);
  if (node.op() == OpKind::Full) {
    Value scalar =
        isClosed ? constant(node, loc) : entry->getArgument(nextWord++);
    if (node.rank() == 0)
      return scalar;
    return tx::BroadcastOp::create(builder, loc, type, scalar,
                                   ArrayRef<int64_t>());
  }
  OperationState state(loc, ("tx." + StringRef(traits(node.op()).name)).str());
  for (Node *input : node.inputs())
    state.addOperands(values[input]);
  state.addTypes(type);
  addAttributes(node.op(), node.words(), state);
  if (isTF32Product(node))
    state.addAttribute(tx::tf32Attr, builder.getUnitAttr());
  return builder.create(state)->getResult(0);
}

/// The types come from the call's attributes, because the trace may not contain
/// nodes for all results.
void Converter::convertCustomCall(const Node &node, Location loc) {
  auto call = node.attributes<CustomCall>();
  SmallVector<Type> results;
  ShapeSolver::Dims dims;
  const ShapeSolver *shapes = types.solved();
  if (shapes)
    dims = shapes->dims(node);
  size_t first = 0;
  for (const CustomCall::Output &output : call.outputs) {
    Type element = toType(context, output.dtype);
    size_t rank = output.shape.size();
    results.push_back(shapes
                          ? types.of(ArrayRef(dims).slice(first, rank), element)
                          : RankedTensorType::get(output.shape, element));
    first += rank;
  }
  customCalls[&node] = createCall(node, call, results, loc);
}

Operation *Converter::createCall(const Node &node, const CustomCall &call,
                                 TypeRange results, Location loc) {
  SmallVector<Value> inputs;
  for (Node *input : node.inputs())
    inputs.push_back(values[input]);
  if (call.kernel)
    return createKernelCall(node, *call.kernel, results, inputs, loc);
  if (isRegionCall(node))
    return cloneRegion(
        builder, loc, *call.region, inputs,
        types.solved() ? types.named(types.solved()->names(node))
                       : SmallVector<shape::Dim>(shape::dimsOf(call.sizes)),
        [&](const kernels::Kernel &kernel) { return symbolOf(kernel); });
  auto text = [&](const char *text) {
    return *text ? builder.getStringAttr(text) : StringAttr();
  };
  return tx::CustomCallOp::create(builder, loc, results,
                                  builder.getStringAttr(call.name), inputs,
                                  text(call.config), text(call.derivative));
}

StringAttr Converter::symbolOf(const kernels::Kernel &kernel) {
  StringAttr &symbol = kernelSymbols[&kernel];
  if (!symbol)
    symbol = kernels::addToModule(module, kernel);
  return symbol;
}

/// Replaces the kernel's names by the sizes of its inputs.
Operation *Converter::createKernelCall(const Node &node,
                                       const kernels::Kernel &kernel,
                                       TypeRange results, ValueRange inputs,
                                       Location loc) {
  llvm::StringMap<shape::Dim> bound;
  for (auto [input, value] : llvm::zip(inputs, kernel.inputs))
    for (auto [declared, dim] :
         llvm::zip(value.dims.dims(),
                   tx::dimsOf(cast<RankedTensorType>(input.getType()))))
      if (declared.isSymbol())
        bound.try_emplace(declared.name(), dim);
  auto here = [&](const kernels::Exprs &exprs) {
    return kernels::substitute(
        context, exprs, [&](StringRef name) { return bound.lookup(name); });
  };
  DenseI32ArrayAttr block;
  if (!kernel.block.empty())
    block = builder.getDenseI32ArrayAttr(kernel.block);
  return tx::KernelCallOp::create(
      builder, loc, results, FlatSymbolRefAttr::get(symbolOf(kernel)), inputs,
      here(kernel.grid), block, here(kernel.shared), here(kernel.scalars),
      kernel.zeroed ? builder.getUnitAttr() : UnitAttr());
}

void Converter::convert(const Node &node, unsigned ordinal) {
  Location loc = locationOf(node, ordinal);
  if (node.op() == OpKind::CustomCall)
    return convertCustomCall(node, loc);
  if (node.op() == OpKind::CustomResult) {
    values[&node] = customCalls[node.inputs()[0]]->getResult(
        node.attributes<CustomResultAttributes>().index);
    return;
  }
  values[&node] = convertOp(node, loc);
}

void Converter::begin(OwningOpRef<ModuleOp> &made) {
  made = ModuleOp::create(UnknownLoc::get(&context));
  module = *made;
  builder.setInsertionPointToEnd(module.getBody());
}

void Converter::beginFunction(ArrayRef<Node *> nodes, ArrayRef<Type> results) {
  function =
      func::FuncOp::create(builder, UnknownLoc::get(&context), "main",
                           builder.getFunctionType(arguments.types, results));
  function.setAllArgAttrs(arguments.attributes);
  entry = function.addEntryBlock();
  for (auto [argument, value] : llvm::zip_first(nodes, entry->getArguments()))
    values[argument] = value;
  builder.setInsertionPointToEnd(entry);
}

void Converter::end(ArrayRef<Value> results) {
  func::ReturnOp::create(builder, UnknownLoc::get(&context), results);
}

/// Returns the mesh over which values of the trace are split, or an empty list.
static ArrayRef<int64_t> meshOf(const Trace &trace) {
  for (const Node *node : trace.order) {
    if (const Split *split = partsOf(node->split()))
      return split->mesh;
    if (isArgument(*node))
      continue;
    if (node->op() == OpKind::Shard)
      return node->attributes<tx::ShardAttributes>().mesh;
    if (node->op() == OpKind::JoinParts)
      return node->attributes<tx::JoinPartsAttributes>().mesh;
  }
  return {};
}

/// Joins the arguments that are parts to whole values. Marks the arguments of
/// which each rank has its own value, by a tx.local_part that takes all of it.
void Converter::joinArguments(const Trace &trace) {
  ArrayRef<int64_t> mesh = meshOf(trace);
  if (mesh.empty())
    return;
  SmallVector<int64_t> whole(mesh.size(), -1);
  for (Node *argument : trace.arguments) {
    const Split *split = argument->split();
    if (!split)
      continue;
    Location at = locationOf(*argument, argument->ordinal);
    Value &value = values[argument];
    if (partsOf(split))
      value = tx::JoinPartsOp::create(builder, at, types.of(*argument), value,
                                      split->mesh, split->dims);
    else
      value = tx::LocalPartOp::create(builder, at, types.of(*argument), value,
                                      mesh, whole);
  }
}

/// Returns the outputs; for outputs that are split, this rank's parts.
SmallVector<Value> Converter::storedOutputs(const Trace &trace) {
  SmallVector<Value> outputs;
  for (auto [i, output] : llvm::enumerate(trace.outputs)) {
    outputs.push_back(values[output]);
    if (const Split *split = partsOf(trace.splitOfOutput(i)))
      outputs.back() =
          tx::LocalPartOp::create(builder, locationOf(*output, output->ordinal),
                                  types.ofPart(*output, split), outputs.back(),
                                  split->mesh, split->dims);
  }
  return outputs;
}

Program Converter::run(const Trace &trace, bool symbolic) {
  bool hasParts = (!trace.outputSplits.empty() && !meshOf(trace).empty()) ||
                  llvm::any_of(trace.arguments, [](const Node *argument) {
                    return partsOf(argument->split()) != nullptr;
                  });
  if (symbolic) {
    // The sizes of split values must be numbers.
    if (hasParts)
      return {};
    if (!types.solve(trace))
      return {};
  }
  Program program;
  if (const ShapeSolver *shapes = types.solved())
    llvm::append_range(program.boundSizes, shapes->unbound());
  begin(program.module);
  addArguments(trace, program.boundSizes);
  SmallVector<Type> results;
  for (auto [i, output] : llvm::enumerate(trace.outputs))
    results.push_back(types.ofPart(*output, trace.splitOfOutput(i)));
  beginFunction(trace.arguments, results);
  joinArguments(trace);
  for (auto [ordinal, node] : llvm::enumerate(trace.order))
    if (!isArgument(*node))
      convert(*node, ordinal);
  end(storedOutputs(trace));
  nameSizes();
  return program;
}

OwningOpRef<ModuleOp> Converter::runClosed(ArrayRef<Node *> order,
                                           ArrayRef<Node *> inputs,
                                           ArrayRef<Node *> results) {
  OwningOpRef<ModuleOp> made;
  begin(made);
  for (Node *input : inputs)
    arguments.add(types.of(*input));
  beginFunction(inputs, llvm::map_to_vector(results, [&](Node *node) -> Type {
                  return types.of(*node);
                }));
  for (auto [ordinal, node] : llvm::enumerate(order))
    convert(*node, ordinal);
  end(llvm::map_to_vector(results, [&](Node *node) { return values[node]; }));
  return made;
}

/// Annotates the function with the minimum of each named size: 1 for the size
/// of joined values, and 2 for all others.
void Converter::nameSizes() {
  SmallVector<Attribute> facts;
  const ShapeSolver *shapes = types.solved();
  for (shape::Dim symbol : types.names)
    facts.push_back(tx::SymbolAttr::get(
        &context, builder.getStringAttr(symbol.name()),
        shapes ? shapes->minimumOf(symbol) : 2, INT64_MAX, 1));
  if (!facts.empty())
    function->setAttr(tx::symbolsAttr, builder.getArrayAttr(facts));
}

Program toModule(MLIRContext &context, const Trace &trace, bool symbolic) {
  return Converter(context, /*isClosed=*/false).run(trace, symbolic);
}

OwningOpRef<ModuleOp> toModule(MLIRContext &context, ArrayRef<Node *> order,
                               ArrayRef<Node *> arguments,
                               ArrayRef<Node *> results) {
  return Converter(context, /*isClosed=*/true)
      .runClosed(order, arguments, results);
}

OwningOpRef<ModuleOp> toModule(MLIRContext &context, ArrayRef<Node *> order,
                               ArrayRef<Node *> arguments,
                               ArrayRef<Node *> results, SizeNames &names) {
  return Converter(context, /*isClosed=*/true, &names)
      .runClosed(order, arguments, results);
}

} // namespace tensorc::graph
