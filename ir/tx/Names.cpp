//===- Names.cpp - Valid names of functions, arguments and results --------===//

#include "ir/tx/Names.h"
#include "ir/text/Characters.h"
#include "ir/tx/Tx.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tensorc::tx {

std::string whyNoName(StringRef what, StringRef name) {
  if (name.empty())
    return (what + "'s name is empty").str();
  if (name.size() > maxNameBytes)
    return (what + "'s name has more than " + Twine(maxNameBytes) + " bytes")
        .str();
  std::optional<BadCharacter> bad = findBadCharacter(name, /*isText=*/false);
  if (!bad)
    return "";
  return (what + "'s name '" + printable(name, /*isText=*/false) +
          "': " + bad->what + "; a name is UTF-8 without control characters")
      .str();
}

std::string whyNoNames(StringRef what, ArrayRef<std::string> names) {
  llvm::StringSet<> seen;
  for (const std::string &name : names) {
    if (std::string why = whyNoName(what, name); !why.empty())
      return why;
    if (!seen.insert(name).second)
      return (what + " is called '" + name + "', and so is another").str();
  }
  return "";
}

std::string argumentName(func::FuncOp function, unsigned index) {
  for (StringRef attribute : {nameAttr, symbolAttr})
    if (auto name = function.getArgAttrOfType<StringAttr>(index, attribute))
      return name.str();
  return "arg" + std::to_string(index);
}

std::string resultName(func::FuncOp function, unsigned index) {
  if (auto name = function.getResultAttrOfType<StringAttr>(index, nameAttr))
    return name.str();
  return "out" + std::to_string(index);
}

static std::string whyNoFunction(func::FuncOp function) {
  std::vector<std::string> arguments, results;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    arguments.push_back(argumentName(function, i));
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    results.push_back(resultName(function, i));
  std::string why = whyNoNames("an argument", arguments);
  return why.empty() ? whyNoNames("a result", results) : why;
}

/// If an attribute of an op is a name or refers to something outside the file,
/// and is invalid, returns the reason; otherwise returns an empty text.
static std::string whyNoOp(Operation *op) {
  for (StringRef attribute :
       {"sym_name", "name", "kind", "callee", "kernel", "tx.name"})
    if (auto name = op->getAttrOfType<StringAttr>(attribute))
      if (std::string why =
              whyNoName(op->getName().getStringRef(), name.getValue());
          !why.empty())
        return why;
  for (auto [attribute, what] :
       {std::pair("input_names", "an argument"), {"output_names", "a result"}})
    if (auto list = op->getAttrOfType<ArrayAttr>(attribute)) {
      std::vector<std::string> names;
      for (auto name : list.getAsRange<StringAttr>())
        names.push_back(name.str());
      if (std::string why = whyNoNames(what, names); !why.empty())
        return why;
    }
  if (auto facts = op->getAttrOfType<ArrayAttr>(symbolsAttr))
    for (auto fact : facts.getAsRange<SymbolAttr>())
      if (std::string why = whyNoName("a size", fact.getName()); !why.empty())
        return why;
  return "";
}

LogicalResult verifyNames(ModuleOp module) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    std::string why = whyNoOp(op);
    if (auto function = dyn_cast<func::FuncOp>(op); function && why.empty())
      why = whyNoFunction(function);
    if (why.empty())
      return WalkResult::advance();
    emitError(op->getLoc()) << why;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

} // namespace tensorc::tx
