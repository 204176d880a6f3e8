//===- Inputs.cpp - Program arguments from files or random numbers --------===//

#include "tools/tensorc/Inputs.h"

#include "compiler/frontends/files/Npy.h"
#include "ir/tx/Dims.h"
#include "ir/tx/Names.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir;

namespace tensorc::tool {

using reference::Array;
using reference::DType;

using Slots = std::vector<std::optional<Array>>;

static std::optional<DType> argumentDType(func::FuncOp function,
                                          unsigned index) {
  Type type = function.getArgumentTypes()[index];
  return type.isIndex() ? DType::I64
                        : reference::dtypeOf(getElementTypeOrSelf(type));
}

static LogicalResult place(func::FuncOp function, unsigned index, Array array,
                           Slots &slots) {
  if (slots[index])
    return refuse("argument '" + tx::argumentName(function, index) +
                  "' is given twice"),
           failure();
  // NumPy has no bf16, f8 and i4, so other dtypes represent them.
  std::optional<DType> dtype = argumentDType(function, index);
  if (dtype && *dtype != array.dtype && files::stored(*dtype) == array.dtype)
    if (llvm::Error error = files::reinterpret(array, *dtype))
      return refuse("argument '" + tx::argumentName(function, index) +
                    "': " + llvm::toString(std::move(error))),
             failure();
  slots[index] = std::move(array);
  return success();
}

/// Parses `--input=[name=]file`. A prefix is a name only if an argument has it,
/// because a path may contain '='.
static LogicalResult readInput(func::FuncOp function, StringRef text,
                               Slots &slots) {
  auto [name, path] = text.split('=');
  std::optional<unsigned> named;
  if (!path.empty())
    named = findArgument(function, name);
  if (!path.empty() && !named && !llvm::sys::fs::exists(text))
    return refuse("--input: the program has no argument '" + name + "'"),
           failure();
  if (!named)
    path = text;
  llvm::Expected<std::vector<files::NamedArray>> arrays = files::readArrays(
      path, [&](StringRef tensor) { return !named || tensor == name; });
  if (!arrays)
    return refuse(llvm::toString(arrays.takeError())), failure();
  for (files::NamedArray &entry : *arrays) {
    std::optional<unsigned> index = named;
    if (named && !entry.name.empty() && arrays->size() > 1 &&
        entry.name != name)
      continue;
    if (!named && !entry.name.empty() &&
        !(index = findArgument(function, entry.name)))
      return refuse(path + ": the program has no argument '" + entry.name +
                    "'"),
             failure();
    if (!index) {
      auto free = llvm::find(slots, std::nullopt);
      if (free == slots.end())
        return refuse(path + ": the program takes " + Twine(slots.size()) +
                      " inputs only"),
               failure();
      index = free - slots.begin();
    }
    if (failed(place(function, *index, std::move(entry.array), slots)))
      return failure();
  }
  return success();
}

/// Returns a function that has only the arguments, with the dims given by
/// `--shape`. Inputs must match it.
static OwningOpRef<func::FuncOp>
specializedSignature(func::FuncOp function, ArrayRef<ShapeSpec> shapes) {
  OpBuilder builder(function.getContext());
  OwningOpRef<func::FuncOp> signature(func::FuncOp::create(
      builder, function.getLoc(), function.getName(),
      builder.getFunctionType(function.getArgumentTypes(), {})));
  if (ArrayAttr attributes = function.getArgAttrsAttr())
    signature->setAllArgAttrs(attributes);
  if (Attribute facts = function->getAttr(tx::symbolsAttr))
    (*signature)->setAttr(tx::symbolsAttr, facts);
  Block *block = &signature->getBody().emplaceBlock();
  for (BlockArgument argument : function.getArguments())
    block->addArgument(argument.getType(), argument.getLoc());
  builder.setInsertionPointToEnd(block);
  func::ReturnOp::create(builder, function.getLoc());
  if (failed(specialize(*signature, shapes)))
    return nullptr;
  return signature;
}

/// Applies `--shape=k:5` for an index argument, whose value it defines.
static void defineFixed(func::FuncOp signature, reference::Symbols &symbols) {
  auto facts = signature->getAttrOfType<ArrayAttr>(tx::symbolsAttr);
  if (!facts)
    return;
  for (auto fact : facts.getAsRange<tx::SymbolAttr>())
    if (fact.getMin() == fact.getMax() && !symbols.has(fact.getName()))
      symbols.define(fact.getName(), fact.getMin());
}

/// Fills the index arguments whose names already have a size.
static void fillIndices(func::FuncOp function,
                        const reference::Symbols &symbols, Slots &slots) {
  for (auto [i, slot] : llvm::enumerate(slots)) {
    auto name = function.getArgAttrOfType<StringAttr>(i, tx::symbolAttr);
    if (slot || !name || !symbols.has(name))
      continue;
    slot = Array::create(DType::I64, {});
    reference::write<int64_t>(*slot, symbols.get(name));
  }
}

static LogicalResult reportMissing(func::FuncOp function, const Slots &slots) {
  for (auto [i, slot] : llvm::enumerate(slots)) {
    if (slot)
      continue;
    std::string name = tx::argumentName(function, i);
    return emitError(function.getArgument(i).getLoc())
           << "no input for argument " << name << ": give --input=" << name
           << "=FILE.npy or --random-inputs";
  }
  return success();
}

std::optional<InputOptions> InputOptions::parse(const Arguments &arguments) {
  std::optional<std::vector<ShapeSpec>> shapes = parseShapes(arguments);
  if (!shapes)
    return std::nullopt;
  InputOptions options{arguments.all("input"), std::move(*shapes)};
  options.draw = arguments.has("random-inputs");
  StringRef seed = arguments.get("random-inputs");
  if (!seed.empty() && seed.getAsInteger(10, options.seed))
    return badUsage("--random-inputs: '" + seed + "' is not a seed"),
           std::nullopt;
  return options;
}

FailureOr<std::vector<Array>> gatherInputs(func::FuncOp program,
                                           const InputOptions &options) {
  OwningOpRef<func::FuncOp> signature =
      specializedSignature(program, options.shapes);
  if (!signature)
    return failure();
  func::FuncOp function = *signature;
  Slots slots(function.getNumArguments());
  for (StringRef text : options.files)
    if (failed(readInput(function, text, slots)))
      return failure();
  reference::Symbols symbols;
  for (auto [i, slot] : llvm::enumerate(slots))
    if (slot && failed(symbols.bindArgument(function, i, *slot)))
      return failure();
  defineFixed(function, symbols);
  fillIndices(function, symbols, slots);
  if (failed(options.draw ? drawInputs(function, options.seed, symbols, slots)
                          : reportMissing(function, slots)))
    return failure();
  std::vector<Array> arrays;
  for (std::optional<Array> &slot : slots)
    arrays.push_back(std::move(*slot));
  // Detects mismatched sizes here, for all devices and with a location.
  if (failed(reference::Symbols().bind(function, arrays)))
    return failure();
  return arrays;
}

} // namespace tensorc::tool
