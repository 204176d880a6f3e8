//===- Shapes.cpp - Parses --shape and finds its functions ----------------===//

#include "tools/tensorc/Module.h"

#include "ir/tx/Names.h"

using namespace mlir;

namespace tensorc::tool {

/// Parses a size, or a name of #tx.dims. Leading zeros of sizes are dropped, so
/// that equal sizes have equal texts.
static std::optional<std::string> parseDim(StringRef text) {
  int64_t size;
  if (llvm::all_of(text, llvm::isDigit) && !text.getAsInteger(10, size))
    return std::to_string(size);
  auto isWord = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
  };
  bool isName = !text.empty() && (llvm::isAlpha(text[0]) || text[0] == '_') &&
                llvm::all_of(text, isWord);
  return isName ? std::optional(text.str()) : std::nullopt;
}

static std::optional<ShapeSpec> parseShape(StringRef text) {
  size_t colon = text.find(':');
  if (colon == 0 || colon == StringRef::npos)
    return std::nullopt;
  ShapeSpec spec{text.take_front(colon).str(), {}};
  SmallVector<StringRef> dims;
  if (StringRef list = text.drop_front(colon + 1); !list.empty())
    list.split(dims, ',');
  for (StringRef word : dims) {
    std::optional<std::string> dim = parseDim(word);
    if (!dim)
      return std::nullopt;
    spec.dims.push_back(std::move(*dim));
  }
  return spec;
}

std::optional<std::vector<ShapeSpec>> parseShapes(const Arguments &arguments) {
  std::vector<ShapeSpec> shapes;
  for (StringRef text : arguments.all("shape")) {
    std::optional<ShapeSpec> spec = parseShape(text);
    if (!spec)
      return badUsage("'" + text +
                      "' is not of the form --shape=x:1,3,n,n: a dimension is "
                      "a size or a name"),
             std::nullopt;
    shapes.push_back(std::move(*spec));
  }
  return shapes;
}

std::optional<unsigned> findArgument(func::FuncOp function, StringRef name) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (tx::argumentName(function, i) == name)
      return i;
  return std::nullopt;
}

LogicalResult specializeAll(ArrayRef<func::FuncOp> functions,
                            ArrayRef<ShapeSpec> shapes) {
  if (functions.size() == 1)
    return specialize(functions[0], shapes);
  for (const ShapeSpec &spec : shapes)
    if (llvm::none_of(functions, [&](func::FuncOp function) {
          return findArgument(function, spec.argument).has_value();
        }))
      return refuse("--shape: no function has an argument '" + spec.argument +
                    "'"),
             failure();
  for (func::FuncOp function : functions) {
    SmallVector<ShapeSpec> own;
    for (const ShapeSpec &spec : shapes)
      if (findArgument(function, spec.argument))
        own.push_back(spec);
    if (failed(specialize(function, own)))
      return failure();
  }
  return success();
}

} // namespace tensorc::tool
