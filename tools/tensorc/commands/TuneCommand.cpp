//===- TuneCommand.cpp - tensorc tune -------------------------------------===//

#include "codegen/kernel/CpuModel.h"
#include "compiler/frontends/files/InputFile.h"
#include "compiler/frontends/files/OutputFile.h"
#include "compiler/log/Progress.h"
#include "compiler/session/tuning/Tuner.h"
#include "tools/tensorc/Commands.h"
#include "tools/tensorc/Program.h"
#include "tools/tensorc/Timing.h"
#include "tools/tensorc/device/Device.h"
#include "tools/tensorc/device/RuntimeHandles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <csignal>

using namespace mlir;

namespace tensorc::tool {

static constexpr Flag tuneFlags[] = {
    {"o", Flag::Value, "OUT",
     "the tuning file; default: beside IN. One that is there is added to"},
    {"time", Flag::Value, "60s",
     "how long to search: seconds, or minutes as 5m; default 60s"},
    {"device", Flag::Value, "D",
     "where kernels are measured; see tensorc devices; default cpu"},
    {"target", Flag::Value, "T",
     "cpu (this machine), or a cpu that this machine can stand for"},
    {"shape", Flag::Value, "x:1,3,n", "sizes of named dims: all need one"},
    {"entry", Flag::Value, "NAME", "the function; default main"},
    {"weights", Flag::Value, "[name=]FILE", "as in tensorc compile"},
    {"quantize-weights", Flag::Value, "i8|i4[:GROUP]", "as in tensorc compile"},
    {"fast-math", Flag::Switch, "", "allow reassociation and contraction"},
    {"html", Flag::Value, "FILE",
     "write a page as tensorc explain does, with all schedules that were "
     "tried"},
};

/// Parses "60", "60s" or "1.5m".
static std::optional<double> parseSeconds(StringRef text) {
  double factor = text.consume_back("m") ? 60 : 1, number = 0;
  if (factor == 1)
    text.consume_back("s");
  if (text.getAsDouble(number) || !std::isfinite(number) || number <= 0)
    return std::nullopt;
  return number * factor;
}

static std::string tuningFileOf(const Arguments &arguments) {
  if (arguments.has("o"))
    return arguments.get("o").str();
  SmallString<128> path(arguments.input());
  llvm::sys::path::replace_extension(path, tuningSuffix);
  return path.str().str();
}

//===----------------------------------------------------------------------===//
// Ctrl-C
//===----------------------------------------------------------------------===//

static volatile std::sig_atomic_t wasInterrupted = 0;

/// Handles interrupts: the first one ends the search, the second one ends the
/// process.
static void watchInterrupts() {
  struct sigaction action{};
  action.sa_handler = [](int) { wasInterrupted = 1; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

//===----------------------------------------------------------------------===//
// What it says
//===----------------------------------------------------------------------===//

static void printTable(ArrayRef<tuning::TunedKernel> kernels) {
  size_t width = 6;
  for (const tuning::TunedKernel &each : kernels)
    width = std::max(width, each.kernel.size());
  auto row = [&](StringRef kernel, auto... cells) {
    llvm::outs() << llvm::left_justify(kernel, width)
                 << llvm::formatv(" {0,8} {1,7} {2,11} {3,11} {4,6}  {5}\n",
                                  cells...);
  };
  row("kernel", "launches", "tried", "usual ms", "ms", "gain", "schedule");
  for (const tuning::TunedKernel &each : kernels) {
    if (!each.whyNot.empty()) {
      row(each.kernel, each.launches, "-", "-", "-", "-",
          "not measured alone: " + each.whyNot);
      continue;
    }
    row(each.kernel, each.launches,
        std::to_string(each.tried) + "/" + std::to_string(each.offered),
        llvm::formatv("{0:F4}", each.usualSeconds * 1e3).str(),
        llvm::formatv("{0:F4}", each.seconds * 1e3).str(),
        llvm::formatv("{0:F2}", each.gain()).str(),
        each.isFaster() ? each.schedule : "the usual one");
  }
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// Checks that all sizes are known, because the search runs the kernels.
static int checkSizes(func::FuncOp function) {
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.hasStaticShape())
      continue;
    auto name = function.getArgAttrOfType<StringAttr>(
        i, tensor ? tx::nameAttr : tx::symbolAttr);
    std::string text = name ? name.str() : "arg" + std::to_string(i);
    return refuse("tuning needs sizes, and the argument '" + text +
                  "' has names for some: give them with --shape=" + text +
                  ":...");
  }
  return Success;
}

/// Reads an existing file OUT. Returns an empty tuning if it does not exist.
static llvm::Expected<tuning::Tuning> readOutput(StringRef path) {
  if (path == "-" || !llvm::sys::fs::exists(path))
    return tuning::Tuning();
  return tuning::Tuning::read(path);
}

/// Chooses the device on which to measure and the target to compile for.
/// Returns the exit status after an error message, else Success.
static int choosePlace(const Arguments &arguments, std::string &device,
                       std::string &target) {
  target = arguments.get("target", "cpu").str();
  if (arguments.has("target") && arguments.has("device"))
    return badUsage("--target is for the cpu; --device has its own");
  if (auto found = codegen::findTarget(target); !found)
    return refuse(llvm::toString(found.takeError()));
  if (!llvm::is_contained(codegen::getCpuNames(), target))
    return badUsage("--target: kernels are measured on the cpu, not for " +
                    target + ": give --device");
  device = "cpu";
  if (!arguments.has("device"))
    return Success;
  std::optional<std::string> chosen = chooseDevice(arguments);
  if (!chosen)
    return BadUsage;
  tensorc_rt_device *found = nullptr;
  tensorc_rt_status *status = tensorc_rt_device_find(chosen->c_str(), &found);
  if (status) {
    tensorc_rt_status_free(status);
    return badUsage("--device: kernels are measured on one device, not by '" +
                    *chosen + "'");
  }
  device = *chosen;
  if (!StringRef(device).starts_with("cpu"))
    target = targetOf(device);
  return Success;
}

/// Writes the page of --html: the program with the schedules that were found,
/// and all schedules that were tried.
static int writeTried(ModuleOp module, StringRef entry,
                      compiler::CompileOptions options,
                      ArrayRef<tuning::TunedKernel> kernels,
                      const tuning::Tuning &tuning,
                      const Arguments &arguments) {
  report::ReportRequest request;
  request.entry = entry.str();
  for (const tuning::TunedKernel &kernel : kernels)
    for (const auto &[schedule, seconds] : kernel.trials)
      request.tried.push_back({kernel.key, schedule, seconds});
  llvm::append_range(options.schedules, tuning.schedules());
  return writeReport(module, options, std::move(request), arguments);
}

static int tune(Program &program, const Arguments &arguments, double seconds,
                StringRef device, const std::string &target,
                tuning::Tuning &tuning) {
  Timing timing(false);
  tuning::TunerOptions options;
  options.compile = optionsOf(target, arguments, timing);
  options.seconds = seconds;
  options.isStopped = [] { return wasInterrupted != 0; };
  if (!ok(tensorc_rt_device_find(device.str().c_str(), &options.device)))
    return Refused;
  std::string name = program.function.getName().str();
  auto module = program.function->getParentOfType<ModuleOp>();
  keepOnly(program.function);
  OwningOpRef<ModuleOp> copy;
  if (arguments.has("html"))
    copy = module.clone();
  if (failed(compiler::runStages(module, options.compile, std::nullopt,
                                 compiler::Stage::Fuse)))
    return Refused;
  watchInterrupts();
  std::optional<Progress> progress;
  progress.emplace("tune", "measuring", "kernels");
  options.onKernel = [&](StringRef, unsigned number, unsigned count) {
    progress->begin(count, seconds);
    progress->advanceTo(number - 1);
  };
  auto kernels = tuning::tune(module.lookupSymbol<func::FuncOp>(name), options);
  progress.reset(); // clears its line
  if (!kernels)
    return refuse(llvm::toString(kernels.takeError()));
  tuning::keep(tuning, *kernels, tuning::Machine::here(target));
  if (llvm::Error error =
          files::writeFile(tuningFileOf(arguments), tuning.text()))
    return refuse(llvm::toString(std::move(error)));
  if (tuningFileOf(arguments) != "-")
    printTable(*kernels);
  if (copy)
    if (int status = writeTried(*copy, name, options.compile, *kernels, tuning,
                                arguments))
      return status;
  if (wasInterrupted)
    llvm::errs() << "tensorc: interrupted: " << tuningFileOf(arguments)
                 << " has what was found\n";
  return Success;
}

static int runTune(const Arguments &arguments) {
  reportFaults();
  if (isPackage(arguments))
    return badUsage("a package is compiled already: tune the program, and "
                    "compile it with --tuning=FILE");
  std::optional<double> seconds = parseSeconds(arguments.get("time", "60s"));
  if (!seconds)
    return badUsage("--time: '" + arguments.get("time") +
                    "' is not a time above 0, as 60s or 5m");
  std::string device, target;
  if (int status = choosePlace(arguments, device, target))
    return status;
  if (arguments.input() == "-" && !arguments.has("o"))
    return badUsage("IN is stdin, so tune needs -o OUT");
  std::string out = tuningFileOf(arguments);
  if (files::isSameFile(out, arguments.input()))
    return badUsage("the output " + out + " is the input");
  if (int status = checkPage(arguments))
    return status;
  std::optional<std::vector<ShapeSpec>> shapes = parseShapes(arguments);
  if (!shapes)
    return BadUsage;
  auto tuning = readOutput(out);
  if (!tuning)
    return refuse(llvm::toString(tuning.takeError()));
  Program program;
  if (failed(loadProgram(arguments, program)) ||
      failed(specialize(program.function, *shapes)))
    return Refused;
  if (int status = checkSizes(program.function))
    return status;
  return tune(program, arguments, *seconds, device, target, *tuning);
}

const Command tuneCommand = {
    "tune",
    "measure the schedules of each kernel, and keep the fastest in a file",
    "IN [options]",
    tuneFlags,
    "  tensorc tune y.mlir --shape=x:8192,64 --time=1s\n"
    "  tensorc compile y.mlir --shape=x:8192,64 --tuning=y.tctune\n",
    /*takesInput=*/true,
    runTune};

} // namespace tensorc::tool
