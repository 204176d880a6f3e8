//===- PlannedSizes.cpp - Sizes for which a program gets memory plans -----===//

#include "compiler/output/pipelines/PlannedSizes.h"

#include "ir/program/LaunchAttributes.h"
#include "ir/tx/Dims.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tensorc::compiler {

std::string setPlannedSizes(ModuleOp module, StringRef list) {
  Builder b(module.getContext());
  NamedAttrList sizes;
  SmallVector<StringRef> parts;
  list.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef each : parts) {
    auto [name, text] = each.split('=');
    int64_t size = 0;
    if (name.empty() || text.getAsInteger(10, size) || size < 1)
      return ("'" + each + "' is not of the form n=1024,m=64").str();
    if (sizes.get(name))
      return ("the size " + name + " has two values").str();
    sizes.set(name, b.getI64IntegerAttr(size));
  }
  if (!sizes.empty())
    module->setAttr(txp::plannedSizesAttr,
                    sizes.getDictionary(module.getContext()));
  return "";
}

std::string whyNotPlanned(ModuleOp module) {
  auto sizes = module->getAttrOfType<DictionaryAttr>(txp::plannedSizesAttr);
  if (!sizes)
    return "";
  llvm::StringSet<> names;
  for (auto function : module.getOps<func::FuncOp>())
    for (Type type : function.getArgumentTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        for (shape::Dim symbol : shape::symbolsOf(tx::dimsOf(tensor))) {
          names.insert(symbol.name());
          if (!sizes.contains(symbol.name()))
            return ("there is no value for the size " + symbol.name()).str();
        }
  for (NamedAttribute size : sizes)
    if (!names.contains(size.getName()))
      return "no argument has a size " + size.getName().str();
  return "";
}

} // namespace tensorc::compiler
