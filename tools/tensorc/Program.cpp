//===- Program.cpp - Input programs of run, bench and explain -------------===//

#include "tools/tensorc/Program.h"
#include "compiler/output/pipelines/Pipelines.h"
#include "compiler/session/tuning/Tuning.h"
#include "compiler/transforms/passes/ScheduleOverride.h"

#include "ir/tx/Names.h"
#include "tools/tensorc/device/RuntimeHandles.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tensorc::tool {

/// Quotes a name as a string of MLIR's textual form.
static std::string quoted(StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '"';
  llvm::printEscapedString(name, os);
  os << '"';
  return text;
}

/// Returns the dtype in MLIR's spelling.
static std::string elementText(tensorc_rt_dtype dtype) {
  switch (dtype) {
  case TENSORC_RT_C64:
    return "complex<f32>";
  case TENSORC_RT_C128:
    return "complex<f64>";
  default:
    return tensorc_rt_dtype_name(dtype);
  }
}

/// Returns `tensor<?x64xf32, #tx.dims<[n, 64]>>`, or `index`.
static std::string typeText(const tensorc_rt_value_info &info) {
  if (info.dtype == TENSORC_RT_INDEX)
    return "index";
  std::string shape, names;
  bool isDynamic = false;
  for (int32_t d = 0; d < info.rank; ++d) {
    isDynamic |= info.dims[d] < 0;
    shape += (info.dims[d] < 0 ? "?" : std::to_string(info.dims[d])) + "x";
    names += std::string(d ? ", " : "") + info.dim_names[d];
  }
  return "tensor<" + shape + elementText(info.dtype) +
         (isDynamic ? ", #tx.dims<[" + names + "]>" : "") + ">";
}

/// Returns the text of a function with the entry's arguments and no body, which
/// suffices for checking inputs.
static std::string signatureText(const tensorc_rt_entry *entry) {
  std::string text = "func.func @" + quoted(tensorc_rt_entry_name(entry)) + "(";
  for (int32_t i = 0; i < tensorc_rt_entry_input_count(entry); ++i) {
    tensorc_rt_value_info info;
    if (!ok(tensorc_rt_entry_input(entry, i, &info)))
      return "";
    StringRef attribute =
        info.dtype == TENSORC_RT_INDEX ? "tx.symbol" : "tx.name";
    text += (i ? ", %x" : "%x") + std::to_string(i) + ": " + typeText(info) +
            " {" + attribute.str() + " = " + quoted(info.name) + "}";
  }
  return text + ") {\n  return\n}\n";
}

static LogicalResult readPackage(const Arguments &arguments, Program &program) {
  program.package = arguments.input().str();
  tensorc_rt_device *device;
  tensorc_rt_module *loaded;
  const tensorc_rt_entry *entry;
  tensorc_rt_load_options options{sizeof options, nullptr, /*is_trusted=*/0,
                                  arguments.has("verify")};
  // The null device accepts every package, because it does not run kernels.
  if (!ok(tensorc_rt_device_find("null", &device)) ||
      !ok(tensorc_rt_load_with(device, program.package.c_str(), &options,
                               &loaded)))
    return failure();
  ModuleHandle module(loaded);
  std::string name = arguments.get("entry").str();
  if (!ok(tensorc_rt_module_find(loaded, name.empty() ? nullptr : name.c_str(),
                                 &entry)))
    return failure();
  for (int32_t i = 0; i < tensorc_rt_entry_output_count(entry); ++i) {
    tensorc_rt_value_info info;
    if (!ok(tensorc_rt_entry_output(entry, i, &info)))
      return failure();
    program.outputs.push_back(info.name);
  }
  if (std::string why = tx::whyNoNames("an output", program.outputs);
      !why.empty())
    return refuse(program.package + ": " + why), failure();
  return program.module.parse(signatureText(entry), arguments.input());
}

bool isPackage(const Arguments &arguments) {
  return arguments.input().ends_with(".tcpkg");
}

int refuseForPackage(const Arguments &arguments, ArrayRef<StringRef> options) {
  const StringRef *given = llvm::find_if(
      options, [&](StringRef option) { return arguments.has(option); });
  if (!isPackage(arguments) || given == options.end())
    return Success;
  StringRef option = *given;
  return badUsage(
      "--" + option + " does not apply to the package " + arguments.input() +
      ", which is compiled already" +
      (option == "compare" ? " and holds nothing to interpret" : ""));
}

int checkSchedules(const Arguments &arguments) {
  for (const std::string &text : arguments.all("schedule"))
    if (StringRef(text).starts_with("@"))
      return badUsage("--schedule: '" + text +
                      "' begins with no kernel's name");
    else if (auto parsed = compiler::ScheduleOverride::parse(text); !parsed)
      return badUsage(llvm::toString(parsed.takeError()));
  auto stage = [&](StringRef option) {
    return compiler::parseStage(arguments.get(option));
  };
  bool isLate = stage("start-from").value_or(compiler::Stage::Import) >=
                compiler::Stage::Fuse;
  bool isEarly = stage("stop-after").value_or(compiler::Stage::Fuse) <
                 compiler::Stage::Fuse;
  for (StringRef option : {"schedule", "tuning"})
    if (arguments.has(option) && (isLate || isEarly))
      return badUsage("--" + option + " is for the stage fuse, which " +
                      Twine(isLate ? "IN has behind it" : "is not reached"));
  if (!arguments.has("tuning"))
    return Success;
  auto tuning = tuning::Tuning::read(arguments.get("tuning"));
  if (!tuning)
    return refuse("--tuning: " + llvm::toString(tuning.takeError()));
  if (std::string why = tuning->whyNone(); !why.empty())
    llvm::errs() << "tensorc: note: " << arguments.get("tuning") << " " << why
                 << "\n";
  return Success;
}

LogicalResult loadProgram(const Arguments &arguments, Program &program) {
  if (failed(isPackage(arguments) ? readPackage(arguments, program)
                                  : program.module.load(arguments)))
    return failure();
  FailureOr<func::FuncOp> function =
      program.module.entry(arguments.get("entry"));
  if (failed(function))
    return failure();
  program.function = *function;
  if (failed(bindWeights(program.function, arguments.all("weights"))) ||
      (arguments.has("quantize-weights") &&
       failed(quantizeWeights(program.function,
                              arguments.get("quantize-weights")))))
    return failure();
  for (unsigned i = 0; i < function->getNumResults(); ++i)
    program.outputs.push_back(tx::resultName(*function, i));
  return success();
}

} // namespace tensorc::tool
