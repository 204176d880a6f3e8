//===- GraphSignature.cpp - Inputs and outputs of an ONNX model -----------===//

#include "compiler/frontends/onnx/GraphImport.h"
#include "ir/tx/Names.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tensorc::onnx {

/// Converts a name to an identifier, because names of sizes must be
/// identifiers.
static std::string wordOf(StringRef name) {
  std::string word;
  for (char c : name)
    word += llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' ? c : '_';
  if (word.empty() || !(llvm::isAlpha(word[0]) || word[0] == '_'))
    word = "_" + word;
  return word;
}

static Dim dimOf(StringRef text, MLIRContext *context) {
  int64_t size;
  if (!text.getAsInteger(10, size) && size >= 0)
    return size;
  return tx::dimContext(context).symbol(text);
}

/// Returns the name to use for each symbolic dim of the model: the name that
/// --shape sets, or a name that is derived from the model's name.
static llvm::StringMap<std::string>
namesOfDims(const Graph &graph, ArrayRef<frontends::NamedShape> shapes) {
  llvm::StringMap<std::string> names;
  for (const frontends::NamedShape &shape : shapes)
    for (const ValueInfo &input : graph.inputs)
      if (input.name == shape.argument &&
          input.type.dims.size() == shape.dims.size())
        for (auto [dim, text] : llvm::zip(input.type.dims, shape.dims))
          if (!dim.value && !dim.name.empty())
            names.try_emplace(dim.name, text);
  return names;
}

FailureOr<Type> GraphImport::argumentType(const ValueInfo &input) {
  auto refuse = [&](const Twine &why) {
    error("the input '" + input.name + "' " + why);
    return failure();
  };
  static constexpr StringLiteral kinds[] = {
      "has no type",   "",
      "is a sequence", "is a map",
      "is optional",   "is a sparse tensor",
      "is opaque"};
  if (input.type.kind != TypeInfo::TensorKind)
    return refuse(kinds[input.type.kind] +
                  ", and tensorc has dense tensors only");
  std::optional<DType> dtype = dtypeFrom(input.type.element);
  if (!dtype)
    return refuse("has the dtype " + dtypeText(input.type.element) +
                  ", which tensorc does not have");
  const frontends::NamedShape *given = nullptr;
  for (const frontends::NamedShape &shape : shapes)
    if (shape.argument == input.name)
      given = &shape;
  SmallVector<Dim> dims;
  if (!input.type.hasShape) {
    if (!given)
      return refuse("has no shape; give it one by --shape=" + input.name +
                    ":...");
    for (const std::string &text : given->dims)
      dims.push_back(dimOf(text, context));
  }
  llvm::StringMap<std::string> names = namesOfDims(*model.graph, shapes);
  for (auto [i, dim] : llvm::enumerate(input.type.dims)) {
    // Exporters write -1 for a dim of any size.
    if (dim.value && *dim.value >= 0) {
      dims.push_back(*dim.value);
    } else if (!dim.name.empty()) {
      auto it = names.find(dim.name);
      dims.push_back(
          dimOf(it == names.end() ? wordOf(dim.name) : it->second, context));
    } else if (given && given->dims.size() == input.type.dims.size()) {
      dims.push_back(dimOf(given->dims[i], context));
    } else {
      dims.push_back(
          dimOf(wordOf(input.name) + "_" + std::to_string(i), context));
    }
  }
  return Type(tx::tensorType(dims, tx::elementType(context, *dtype)));
}

LogicalResult GraphImport::importSignature(func::FuncOp function) {
  Block *entry = function.addEntryBlock();
  current->block = entry;
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  for (const ValueInfo &input : model.graph->inputs) {
    // Until IR version 4 initializers were listed as inputs, too.
    if (current->initializers.count(input.name))
      continue;
    FailureOr<Type> type = argumentType(input);
    if (mlir::failed(type))
      continue;
    auto name = StringAttr::get(context, input.name);
    Value argument = entry->addArgument(*type, NameLoc::get(name));
    if (!current->values.try_emplace(input.name, argument).second)
      error("two inputs are called '" + input.name + "'");
    types.push_back(*type);
    attributes.push_back(
        b.getDictionaryAttr(b.getNamedAttr(tx::nameAttr, name)));
  }
  function.setType(b.getFunctionType(types, {}));
  function.setAllArgAttrs(attributes);
  return failure(failed);
}

LogicalResult GraphImport::importResults(func::FuncOp function) {
  SmallVector<Value> values;
  SmallVector<mlir::Attribute> attributes;
  for (const ValueInfo &output : model.graph->outputs) {
    std::string why;
    Value value = lookup(output.name, why);
    if (!value) {
      if (!current->lost.count(output.name))
        error("the output " + why);
      continue;
    }
    values.push_back(value);
    attributes.push_back(b.getDictionaryAttr(
        b.getNamedAttr(tx::nameAttr, b.getStringAttr(output.name))));
  }
  if (failed)
    return failure();
  func::ReturnOp::create(b, UnknownLoc::get(context), values);
  function.setType(b.getFunctionType(function.getArgumentTypes(),
                                     ValueRange(values).getTypes()));
  function.setResAttrsAttr(b.getArrayAttr(attributes));
  return success();
}

} // namespace tensorc::onnx
