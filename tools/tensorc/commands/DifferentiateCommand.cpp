//===- DifferentiateCommand.cpp - tensorc differentiate -------------------===//

#include "tools/tensorc/Commands.h"
#include "tools/tensorc/Module.h"
#include "tools/tensorc/Program.h"

#include "compiler/frontends/files/OutputFile.h"
#include "compiler/transforms/autodiff/Gradients.h"
#include "ir/tx/Names.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tensorc::tool {

static constexpr Flag differentiateFlags[] = {
    {"o", Flag::Value, "OUT", "the output, text; default: stdout"},
    {"of", Flag::Value, "NAME",
     "the result to differentiate; default: the only one"},
    {"wrt", Flag::Value, "x,y",
     "the arguments to differentiate by; default: all that are floats"},
    {"entry", Flag::Value, "NAME", "the function; default main"},
};

/// Returns the number of the result; nullopt after reporting an error.
static std::optional<unsigned> findResult(func::FuncOp function,
                                          StringRef name) {
  unsigned count = function.getNumResults();
  if (name.empty()) {
    if (count == 1)
      return 0;
    function.emitError("has ") << count << " results; --of says of which";
    return std::nullopt;
  }
  for (unsigned i : llvm::seq(0u, count))
    if (tx::resultName(function, i) == name)
      return i;
  function.emitError("has no result ") << name << " for --of";
  return std::nullopt;
}

/// Returns the numbers of the arguments; nullopt after reporting an error.
static std::optional<SmallVector<unsigned>>
findArguments(func::FuncOp function, const Arguments &arguments) {
  SmallVector<unsigned> result;
  StringRef names = arguments.get("wrt");
  if (!arguments.has("wrt")) {
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      if (compiler::isDifferentiable(type))
        result.push_back(i);
    return result;
  }
  SmallVector<StringRef> words;
  names.split(words, ',');
  for (StringRef name : words) {
    std::optional<unsigned> found = findArgument(function, name);
    if (!found) {
      function.emitError("has no argument '") << name << "' for --wrt";
      return std::nullopt;
    }
    result.push_back(*found);
  }
  return result;
}

static int runDifferentiate(const Arguments &arguments) {
  LoadedModule module;
  if (failed(module.load(arguments)))
    return Refused;
  FailureOr<func::FuncOp> function = module.entry(arguments.get("entry"));
  if (failed(function))
    return Refused;
  compiler::GradientOptions options;
  auto of = findResult(*function, arguments.get("of"));
  if (!of)
    return Refused;
  auto wrt = findArguments(*function, arguments);
  if (!wrt)
    return Refused;
  options.of = *of;
  options.wrt = *wrt;
  options.name = (function->getName() + "_gradient").str();
  keepOnly(*function);
  FailureOr<func::FuncOp> gradient =
      compiler::differentiate(*function, options);
  if (failed(gradient))
    return Refused;
  keepOnly(*gradient);
  PassManager pm(&module.getContext());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (failed(pm.run(module.get())))
    return Refused;
  std::string text;
  llvm::raw_string_ostream os(text);
  module.get().print(os);
  os << "\n";
  if (llvm::Error error = files::writeFile(arguments.get("o", "-"), text))
    return refuse(llvm::toString(std::move(error)));
  return Success;
}

const Command differentiateCommand = {
    "differentiate",
    "make the function that also returns gradients",
    "IN [options]",
    differentiateFlags,
    "  tensorc differentiate loss.mlir\n"
    "  tensorc differentiate loss.mlir --of=loss --wrt=w,b -o step.mlir\n",
    /*takesInput=*/true,
    runDifferentiate};

} // namespace tensorc::tool
