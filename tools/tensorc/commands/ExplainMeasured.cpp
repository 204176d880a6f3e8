//===- ExplainMeasured.cpp - tensorc explain --measure --------------------===//
//
// Runs the program on the CPU with random inputs. The table has a row for each
// kernel: the bytes that it moves, the operations that it computes, which of
// the two bounds it on this machine, and the fraction of this bound that its
// fastest launch reaches.
//
//===----------------------------------------------------------------------===//

#include "compiler/session/jit/Session.h"
#include "compiler/session/report/Kernels.h"
#include "tools/tensorc/Commands.h"
#include "tools/tensorc/Inputs.h"
#include "tools/tensorc/KernelTimes.h"
#include "tools/tensorc/Timing.h"
#include "tools/tensorc/device/AutoDevice.h"
#include "tools/tensorc/device/Device.h"
#include "tools/tensorc/device/RuntimeHandles.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace tensorc::report;

namespace tensorc::tool {

namespace {
/// A fusion, which may consist of several kernels, or a kernel that belongs to
/// no fusion.
struct Row {
  std::string name;
  int64_t launches = 0; // number of launches in a run
  double seconds = 0;   // time of a launch, like the bound
  double boundSeconds = 0;
  /// True for a fusion, whose work and minimum time on this machine are known.
  bool isKnown = false;
  placement::Sum work;

  double share() const { return seconds > 0 ? boundSeconds / seconds : 0; }
  StringRef bound() const {
    if (boundSeconds == 0)
      return "-";
    return work.memory >= work.arithmetic ? "memory" : "arithmetic";
  }
};
} // namespace

static constexpr int64_t minRuns = 3, maxRuns = 1000;
static constexpr double longEnough = 0.5; // seconds

/// Runs the program for some time. Returns the number of runs.
static std::optional<int64_t> runLong(Executable &executable,
                                      ArrayRef<reference::Array> inputs,
                                      KernelTimes &times) {
  if (failed(executable.run(inputs)))
    return std::nullopt;
  times.clear(); // drops launches that ran with cold caches
  Stopwatch whole(TimeKind::Real);
  int64_t runs = 0;
  auto isDone = [&] {
    return runs >= maxRuns || (runs >= minRuns && whole.seconds() > longEnough);
  };
  for (; !isDone(); ++runs)
    if (failed(executable.run(inputs)))
      return std::nullopt;
  return runs;
}

/// Finds the fusion of a kernel. The name of the kernel is that of the fusion,
/// possibly with a suffix.
static const KernelFacts *fusionOf(StringRef kernel,
                                   ArrayRef<KernelFacts> fusions) {
  const KernelFacts *best = nullptr;
  for (const KernelFacts &fusion : fusions) {
    StringRef rest = kernel;
    bool isIts = rest.consume_front(fusion.name) &&
                 (rest.empty() || rest.front() == '_');
    if (isIts && (!best || best->name.size() < fusion.name.size()))
      best = &fusion;
  }
  return best;
}

static std::vector<Row> rowsOf(const KernelTimes &times, int64_t runs,
                               ArrayRef<KernelFacts> fusions,
                               const placement::Candidate &cpu) {
  // The cost model's bound is the wall-clock time with all threads working. CPU
  // time is the sum over all threads, so the bound is multiplied by their
  // number.
  int processors = times.isOf() == TimeKind::Cpu ? tensorc_rt_num_threads() : 1;
  llvm::MapVector<StringRef, Row> rows;
  for (const auto &[name, time] : times.get()) {
    const KernelFacts *fusion = fusionOf(name, fusions);
    Row &row = rows[fusion ? fusion->name : name];
    row.name = fusion ? fusion->name : name;
    row.launches = std::max(row.launches, time.launches / runs);
    row.seconds += time.least * 1e-9;
    row.isKnown = fusion;
    if (fusion) {
      row.work = placement::sumOfKernels(cpu, fusion->work);
      row.boundSeconds = row.work.kernels * processors;
    }
  }
  std::vector<Row> list;
  for (auto &[name, row] : rows)
    list.push_back(std::move(row));
  return list;
}

static void printText(ArrayRef<Row> rows, const placement::Candidate &cpu,
                      int64_t runs, TimeKind kind) {
  constexpr const char *columns = " {0,8} {1,10} {2,13} {3,13} {4,10} {5,6}\n";
  size_t width = 6;
  for (const Row &row : rows)
    width = std::max(width, row.name.size());
  auto line = [&](StringRef name) -> llvm::raw_ostream & {
    return llvm::outs() << llvm::left_justify(name, width);
  };
  auto number = [](bool isThere, const char *format, double value) {
    std::string text;
    if (isThere)
      llvm::raw_string_ostream(text) << llvm::format(format, value);
    return isThere ? text : "-";
  };
  double rate = cpu.figures.rates[unsigned(placement::RateClass::F32)];
  llvm::outs() << llvm::formatv(
      "measured on {0}, {1} runs{2}: {3:F1} GB/s, {4:F1} G f32 operations/s\n",
      cpu.name, runs, kind == TimeKind::Cpu ? ", cpu time" : "",
      cpu.figures.memory * 1e-9, rate * 1e-9);
  line("kernel") << llvm::formatv(columns, "launches", "ms", "bytes", "flops",
                                  "bound", "share");
  for (const Row &row : rows)
    line(row.name) << llvm::formatv(
        columns, row.launches, number(true, "%.4f", row.seconds * 1e3),
        number(row.isKnown, "%.0f", row.work.kernelBytes),
        number(row.isKnown, "%.0f", row.work.operations), row.bound(),
        number(row.boundSeconds > 0, "%.2f", row.share()));
}

static void printJson(ArrayRef<Row> rows, const placement::Candidate &cpu,
                      int64_t runs, TimeKind kind) {
  llvm::json::Array array;
  for (const Row &row : rows) {
    llvm::json::Object object{{"name", row.name},
                              {"launches", row.launches},
                              {"seconds", row.seconds}};
    if (row.isKnown) {
      object["bytes"] = row.work.kernelBytes;
      object["flops"] = row.work.operations;
    }
    if (row.boundSeconds > 0) {
      object["bound"] = row.bound();
      object["bound_seconds"] = row.boundSeconds;
      object["share"] = row.share();
    }
    array.push_back(std::move(object));
  }
  llvm::outs() << llvm::formatv("{0:2}\n",
                                llvm::json::Value(llvm::json::Object{
                                    {"device", cpu.name},
                                    {"runs", runs},
                                    {"time", nameOf(kind)},
                                    {"figures", placement::toJson(cpu.figures)},
                                    {"kernels", std::move(array)}}));
}

/// Converts the rows to the data shown on the page of --html.
static ReportRequest toRequest(ArrayRef<Row> rows,
                               const placement::Candidate &cpu,
                               StringRef entry) {
  ReportRequest request;
  request.entry = entry.str();
  request.machine = cpu.name;
  for (const Row &row : rows)
    request.measurements.push_back({row.name, row.launches, row.seconds,
                                    row.boundSeconds, row.bound().str()});
  return request;
}

/// Returns the CPU's figures, measured if necessary; nullopt after an error
/// message.
static std::optional<placement::Candidate> findCpu() {
  placement::Candidate cpu;
  cpu.name = "cpu";
  cpu.isHost = true;
  if (!ok(tensorc_rt_device_find(cpu.name.c_str(), &cpu.device)))
    return std::nullopt;
  jit::Status status;
  auto figures = jit::Session::get().figuresOf(cpu.device, status);
  if (!figures)
    return refuse(tensorc_rt_status_message(status.get())), std::nullopt;
  cpu.figures = *figures;
  return cpu;
}

int explainMeasured(const Arguments &arguments) {
  reportFaults();
  std::optional<InputOptions> options = InputOptions::parse(arguments);
  if (!options)
    return BadUsage;
  options->draw = true;
  Program program;
  if (failed(loadProgram(arguments, program)))
    return Refused;
  FailureOr<std::vector<reference::Array>> inputs =
      gatherInputs(program.function, *options);
  std::optional<placement::Candidate> cpu;
  if (failed(inputs) || !(cpu = findCpu()))
    return Refused;
  Timing timing(false);
  compiler::CompileOptions compile =
      optionsOf(targetOf(cpu->name), arguments, timing);
  if (!program.isPackage() && failed(specializeFor(program.function, *inputs)))
    return Refused;
  std::unique_ptr<Executable> executable = prepare(program, cpu->name, compile);
  TimeKind kind = timeKindOf(arguments);
  KernelTimes times(kind);
  std::optional<int64_t> runs;
  if (!executable || !(runs = runLong(*executable, *inputs, times)))
    return Refused;
  // Packages contain no fusions, so this applies only to modules.
  std::vector<KernelFacts> fusions;
  OwningOpRef<ModuleOp> untouched; // of --html
  if (!program.isPackage()) {
    std::string name = program.function.getName().str();
    auto module = program.function->getParentOfType<ModuleOp>();
    keepOnly(program.function);
    if (arguments.has("html"))
      untouched = module.clone();
    if (failed(compiler::runStages(module, compile, std::nullopt,
                                   compiler::Stage::Fuse)))
      return Refused;
    fusions = explainKernels(module.lookupSymbol<func::FuncOp>(name));
  }
  std::vector<Row> rows = rowsOf(times, *runs, fusions, *cpu);
  if (untouched)
    return writeReport(*untouched, compile,
                       toRequest(rows, *cpu, program.function.getName()),
                       arguments);
  if (arguments.has("json"))
    printJson(rows, *cpu, *runs, kind);
  else
    printText(rows, *cpu, *runs, kind);
  return Success;
}

} // namespace tensorc::tool
