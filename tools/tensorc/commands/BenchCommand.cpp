//===- BenchCommand.cpp - tensorc bench -----------------------------------===//

#include "compiler/frontends/files/InputFile.h"
#include "compiler/frontends/files/OutputFile.h"
#include "tools/tensorc/Commands.h"
#include "tools/tensorc/Inputs.h"
#include "tools/tensorc/KernelTimes.h"
#include "tools/tensorc/Timing.h"
#include "tools/tensorc/device/AutoDevice.h"
#include "tools/tensorc/device/Device.h"

#include "llvm/Support/JSON.h"

using namespace mlir;

namespace tensorc::tool {

static constexpr Flag benchFlags[] = {
    {"device", Flag::Value, "D",
     "where to run, or auto; default cpu or TENSORC_DEVICE"},
    {"iterations", Flag::Value, "N",
     "how often to run; default: for a second, at least 3 times"},
    {"input", Flag::Value, "[name=]FILE", "as in tensorc run"},
    {"random-inputs", Flag::OptionalValue, "SEED",
     "the seed of the inputs that are not given; default 0"},
    {"shape", Flag::Value, "x:1,3,n", "sizes of named dims"},
    {"entry", Flag::Value, "NAME", "the function to run; default main"},
    {"schedule", Flag::Value, "KERNEL:rows=64,...", "as in tensorc compile"},
    {"tuning", Flag::Value, "FILE", "as in tensorc compile"},
    {"memory-limit", Flag::Value, "BYTES",
     "bytes of the device that the run may take: 2G, 500M; fits the program "
     "into them"},
    {"fast-math", Flag::Switch, "", "allow reassociation and contraction"},
    {"cpu-time", Flag::Switch, "",
     "measure processor time, of all threads, and not by the clock"},
    {"json", Flag::Value, "FILE", "write the numbers as JSON; - for stdout"},
};

namespace {
struct Measurement {
  explicit Measurement(TimeKind kind) : kind(kind), kernels(kind) {}

  TimeKind kind;
  double compileSeconds = 0;
  /// Returns the sorted seconds of each iteration, including transfers.
  std::vector<double> seconds;
  KernelTimes kernels;

  double median() const { return seconds[seconds.size() / 2]; }
  double mean() const {
    return std::accumulate(seconds.begin(), seconds.end(), 0.0) /
           seconds.size();
  }
};
} // namespace

using reference::Array;
static LogicalResult measure(Executable &executable, ArrayRef<Array> inputs,
                             int64_t iterations, Measurement &m) {
  // The first run is not measured, because it brings memory and code into the
  // caches.
  if (failed(executable.run(inputs)))
    return failure();
  m.kernels.clear();
  Stopwatch whole(TimeKind::Real);
  auto isDone = [&](int64_t i) {
    return iterations ? i >= iterations : i >= 3 && whole.seconds() > 1;
  };
  LogicalResult result = success();
  for (int64_t i = 0; succeeded(result) && !isDone(i); ++i) {
    Stopwatch one(m.kind);
    result = executable.run(inputs);
    m.seconds.push_back(one.seconds());
  }
  llvm::sort(m.seconds);
  return result;
}

static void printText(const Measurement &m, StringRef device) {
  auto ms = [](double seconds) {
    return llvm::format("%.4f ms", seconds * 1e3);
  };
  llvm::outs() << "device     " << device << "\ntime       " << nameOf(m.kind)
               << "\ncompile    " << ms(m.compileSeconds) << "\niterations "
               << m.seconds.size() << "\nmin        " << ms(m.seconds.front())
               << "\nmedian     " << ms(m.median()) << "\nmean       "
               << ms(m.mean()) << "\n";
  for (const auto &[name, kernel] : m.kernels.get())
    llvm::outs() << "kernel     " << name << ": "
                 << ms(kernel.nanoseconds * 1e-9 / kernel.launches) << " x "
                 << kernel.launches / static_cast<int64_t>(m.seconds.size())
                 << "\n";
}

static std::string jsonText(const Measurement &m, StringRef input,
                            StringRef device) {
  llvm::json::Array kernels;
  for (const auto &[name, kernel] : m.kernels.get())
    kernels.push_back(llvm::json::Object{
        {"name", name},
        {"launches", kernel.launches},
        {"seconds", kernel.nanoseconds * 1e-9 / kernel.launches},
        {"min_seconds", kernel.least * 1e-9}});
  llvm::json::Object object{{"input", llvm::json::fixUTF8(input)},
                            {"device", device},
                            {"time", nameOf(m.kind)},
                            {"compile_seconds", m.compileSeconds},
                            {"iterations", m.seconds.size()},
                            {"min_seconds", m.seconds.front()},
                            {"median_seconds", m.median()},
                            {"mean_seconds", m.mean()},
                            {"kernels", std::move(kernels)}};
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object))).str();
}

static int report(const Measurement &m, StringRef device,
                  const Arguments &arguments) {
  if (arguments.get("json") != "-")
    printText(m, device);
  if (!arguments.has("json"))
    return Success;
  if (llvm::Error error = files::writeFile(
          arguments.get("json"), jsonText(m, arguments.input(), device)))
    return refuse(llvm::toString(std::move(error)));
  return Success;
}

static int runBench(const Arguments &arguments) {
  reportFaults();
  std::optional<std::string> device = chooseDevice(arguments);
  std::optional<InputOptions> inputOptions = InputOptions::parse(arguments);
  if (!device || !inputOptions)
    return BadUsage;
  if (int status =
          refuseForPackage(arguments, {"fast-math", "schedule", "tuning"}))
    return status;
  if (int status = checkSchedules(arguments))
    return status;
  if (arguments.has("memory-limit") && *device == "reference")
    return badUsage("--memory-limit is for devices: reference is none");
  if (files::isSameFile(arguments.get("json", "-"), arguments.input()))
    return badUsage("the output " + arguments.get("json") + " is the input");
  inputOptions->draw = true;
  int64_t iterations = 0;
  StringRef text = arguments.get("iterations");
  if (!text.empty() && (text.getAsInteger(10, iterations) || iterations < 1))
    return badUsage("--iterations: '" + text + "' is not a count above 0");
  Program program;
  if (failed(loadProgram(arguments, program)))
    return Refused;
  FailureOr<std::vector<Array>> inputs =
      gatherInputs(program.function, *inputOptions);
  if (failed(inputs))
    return Refused;
  Timing timing(false);
  TimeKind kind = timeKindOf(arguments);
  Stopwatch compilation(kind);
  std::unique_ptr<Executable> executable =
      prepareFor(program, *device, *inputs, arguments, timing);
  if (!executable)
    return Refused;
  Measurement m(kind);
  m.compileSeconds = compilation.seconds();
  if (failed(measure(*executable, *inputs, iterations, m)))
    return Refused;
  return report(m, *device, arguments);
}

const Command benchCommand = {
    "bench",
    "measure how long a program takes",
    "IN [options]",
    benchFlags,
    "  tensorc bench y.mlir --shape=x:8192,64\n"
    "  tensorc bench y.mlir --iterations=100 --json=y.json\n",
    /*takesInput=*/true,
    runBench};

} // namespace tensorc::tool
