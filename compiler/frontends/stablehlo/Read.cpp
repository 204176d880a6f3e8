//===- Read.cpp - Texts of StableHLO --------------------------------------===//

#include "compiler/frontends/stablehlo/Converter.h"
#include "compiler/frontends/stablehlo/StableHlo.h"
#include "compiler/frontends/stablehlo/Syntax.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace tensorc::stablehlo {

bool isStableHlo(StringRef text) {
  return text.contains("stablehlo.") || text.contains("mhlo.num_replicas") ||
         text.contains("\"chlo.") || text.contains(" chlo.");
}

/// The sizes that the user gives, by the names of dims.
static llvm::StringMap<int64_t>
givenSizes(func::FuncOp function, const DimNames &names,
           ArrayRef<frontends::NamedShape> shapes) {
  llvm::StringMap<int64_t> sizes;
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    auto named = dyn_cast<NameLoc>(argument.getLoc());
    for (const frontends::NamedShape &given : shapes) {
      bool isMeant = given.argument == "arg" + std::to_string(i) ||
                     (named && given.argument == plainName(named.getName()));
      if (!isMeant || !type ||
          type.getRank() != static_cast<int64_t>(given.dims.size()))
        continue;
      for (auto [axis, text] : llvm::enumerate(given.dims))
        if (int64_t size; !StringRef(text).getAsInteger(10, size) && size >= 0)
          sizes.try_emplace(names(i, axis), size);
    }
  }
  return sizes;
}

/// Sizes that the user gives are known before the program is converted: what
/// is refused for named ones may be available then.
static void fixSizes(ModuleOp module, func::FuncOp function,
                     ArrayRef<frontends::NamedShape> shapes) {
  DimNames names(module, function);
  llvm::StringMap<int64_t> given = givenSizes(function, names, shapes);
  SmallVector<Type> types(function.getArgumentTypes());
  for (auto [i, type] : llvm::enumerate(types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.hasStaticShape())
      continue;
    SmallVector<int64_t> sizes(tensor.getShape());
    for (auto [axis, size] : llvm::enumerate(sizes))
      if (auto it = given.find(names(i, axis));
          it != given.end() && ShapedType::isDynamic(size))
        size = it->second;
    type = tensor.clone(sizes);
    function.getArgument(i).setType(type);
  }
  function.setType(FunctionType::get(function.getContext(), types,
                                     function.getFunctionType().getResults()));
}

OwningOpRef<ModuleOp> readStableHlo(llvm::SourceMgr &sources,
                                    MLIRContext *context,
                                    ArrayRef<frontends::NamedShape> shapes) {
  // Ops are names with attributes, of dialects that are not registered.
  bool allowed = context->allowsUnregisteredDialects();
  context->allowUnregisteredDialects();
  llvm::scope_exit restore(
      [&] { context->allowUnregisteredDialects(allowed); });
  loadSyntax(context);
  loadSharding(context);
  OwningOpRef<ModuleOp> source = parseSourceFile<ModuleOp>(sources, context);
  if (!source)
    return {};
  for (auto function : source->getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      fixSizes(*source, function, shapes);
  return Converter(*source).convert();
}

} // namespace tensorc::stablehlo
