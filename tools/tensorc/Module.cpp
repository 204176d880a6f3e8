//===- Module.cpp - Programs read from files ------------------------------===//

#include "tools/tensorc/Module.h"

#include "compiler/pipelines/Register.h"
#include "ir/reference/Symbols.h"
#include "ir/tx/Dims.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace tensorc::tool {

static DialectRegistry allDialects() {
  DialectRegistry registry;
  compiler::registerAllTensorcDialects(registry);
  return registry;
}

LoadedModule::LoadedModule()
    : context(allDialects(), MLIRContext::Threading::DISABLED),
      diagnostics(
          std::make_unique<SourceMgrDiagnosticHandler>(sources, &context)) {
  // An operation's text after each message would drown the message.
  context.printOpOnDiagnostic(false);
}

LoadedModule::~LoadedModule() = default;

LogicalResult LoadedModule::load(StringRef path) {
  for (StringRef suffix : {".onnx", ".tcpkg"})
    if (path.ends_with(suffix))
      return refuse(path + ": input of kind " + suffix +
                    " is not available yet"),
             failure();
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return refuse(path + ": " + buffer.getError().message()), failure();
  return parse(std::move(*buffer));
}

LogicalResult LoadedModule::parse(StringRef text, StringRef name) {
  return parse(llvm::MemoryBuffer::getMemBufferCopy(text, name));
}

LogicalResult LoadedModule::parse(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  module = parseSourceFile<ModuleOp>(sources, &context);
  return success(!!module);
}

static FailureOr<func::FuncOp> findEntry(ModuleOp module, StringRef name) {
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  if (functions.empty())
    return module.emitError("contains no func.func to run");
  StringRef wanted = name.empty() ? "main" : name;
  for (func::FuncOp function : functions)
    if (function.getName() == wanted)
      return function;
  if (name.empty() && functions.size() == 1)
    return functions[0];
  if (name.empty())
    return module.emitError("has several functions and none is called main; "
                            "choose one by --entry=NAME");
  return module.emitError("has no function ") << name;
}

FailureOr<func::FuncOp> LoadedModule::entry(StringRef name) {
  FailureOr<func::FuncOp> function = findEntry(module.get(), name);
  if (succeeded(function) && function->isExternal())
    return function->emitError("has no body to run");
  return function;
}

void keepOnly(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  for (func::FuncOp other :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (other != function)
      other.erase();
}

//===----------------------------------------------------------------------===//
// --shape
//===----------------------------------------------------------------------===//

std::optional<std::vector<ShapeSpec>> parseShapes(const Arguments &arguments) {
  std::vector<ShapeSpec> shapes;
  for (StringRef text : arguments.all("shape")) {
    auto [name, list] = text.split(':');
    SmallVector<StringRef> dims;
    if (!list.empty())
      list.split(dims, ',');
    auto isDim = [](StringRef dim) {
      int64_t size;
      if (!dim.getAsInteger(10, size))
        return size >= 0;
      return !dim.empty() && !llvm::isDigit(dim[0]) && dim[0] != '-';
    };
    if (name.empty() || !text.contains(':') || !llvm::all_of(dims, isDim))
      return badUsage("'" + text + "' is not of the form --shape=x:1,3,n,n"),
             std::nullopt;
    ShapeSpec spec{name.str(), {}};
    for (StringRef dim : dims)
      spec.dims.push_back(dim.str());
    shapes.push_back(std::move(spec));
  }
  return shapes;
}

namespace {
/// New meanings of dim names: a size or another name.
using Renaming = llvm::StringMap<std::string>;
} // namespace

/// The dim as an expression of `space`: a number or a name.
static AffineExpr exprOf(StringRef dim, tx::DimSpace &space) {
  int64_t size;
  return dim.getAsInteger(10, size) ? space.symbol(dim) : space.constant(size);
}

static Type rename(RankedTensorType type, const Renaming &renaming) {
  auto dims = dyn_cast_or_null<tx::DimsAttr>(type.getEncoding());
  if (!dims)
    return type;
  tx::DimSpace space(type.getContext());
  SmallVector<AffineExpr> replacement, result;
  for (StringAttr name : dims.getNames()) {
    auto it = renaming.find(name.getValue());
    replacement.push_back(exprOf(
        it == renaming.end() ? name.getValue() : StringRef(it->second), space));
  }
  for (AffineExpr expr : dims.getDims().getResults())
    result.push_back(expr.replaceSymbols(replacement));
  return space.type(result, type.getElementType());
}

/// What one specification says about the names of its argument's dims.
static LogicalResult collect(func::FuncOp function, unsigned index,
                             const ShapeSpec &spec, Renaming &renaming) {
  BlockArgument argument = function.getArgument(index);
  auto error = [&] {
    return emitError(argument.getLoc())
           << "--shape of " << spec.argument << " does not fit its type "
           << argument.getType() << ": ";
  };
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type || type.getRank() != static_cast<int64_t>(spec.dims.size()))
    return error() << "ranks differ";
  tx::DimSpace space(function.getContext());
  for (auto [dim, expr] : llvm::zip(spec.dims, space.dims(type))) {
    auto symbol = dyn_cast<AffineSymbolExpr>(expr);
    if (!symbol) {
      if (exprOf(dim, space) != expr && isa<AffineConstantExpr>(expr))
        return error() << "a dimension is " << tx::toString(expr, space.names())
                       << ", not " << dim;
      continue;
    }
    StringRef name = space.names()[symbol.getPosition()];
    auto [it, isNew] = renaming.try_emplace(name, dim);
    if (!isNew && it->second != dim)
      return error() << "dimension " << name << " is both " << it->second
                     << " and " << dim;
  }
  return success();
}

LogicalResult specialize(func::FuncOp function, ArrayRef<ShapeSpec> shapes) {
  Renaming renaming;
  for (const ShapeSpec &spec : shapes) {
    unsigned index = 0, count = function.getNumArguments();
    while (index < count &&
           reference::argumentName(function, index) != spec.argument)
      ++index;
    if (index == count)
      return function.emitError("has no argument ")
             << spec.argument << " for --shape";
    if (failed(collect(function, index, spec, renaming)))
      return failure();
  }
  if (renaming.empty())
    return success();
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<std::pair<Type, WalkResult>> {
        return std::pair(rename(type, renaming), WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return verify(function);
}

} // namespace tensorc::tool
