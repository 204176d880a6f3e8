//===- ExplainCommand.cpp - tensorc explain -------------------------------===//

#include "compiler/frontends/files/InputFile.h"
#include "compiler/frontends/files/OutputFile.h"
#include "compiler/session/report/Collectives.h"
#include "compiler/session/report/Kernels.h"
#include "compiler/session/report/Links.h"
#include "compiler/session/report/Memory.h"
#include "compiler/session/report/Report.h"
#include "ir/tx/Control.h"
#include "ir/tx/Tx.h"
#include "tools/tensorc/Commands.h"
#include "tools/tensorc/Program.h"
#include "tools/tensorc/Timing.h"
#include "tools/tensorc/device/AutoDevice.h"
#include "tools/tensorc/device/Device.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace tensorc::report;

namespace tensorc::tool {

static constexpr Flag explainFlags[] = {
    {"target", Flag::Value, "T", "as in tensorc compile; default cpu"},
    {"device", Flag::Value, "D",
     "the target of a device; auto: of the one with the smallest sum"},
    {"shape", Flag::Value, "x:1,3,n", "specialize an argument's named dims"},
    {"mesh", Flag::Value, "data=2,model=4",
     "as in tensorc compile; print the collectives that it takes, and why"},
    {"links", Flag::Value, "FILE",
     "with --mesh: predict a step's time and bytes on these devices and links"},
    {"entry", Flag::Value, "NAME", "the function; default main"},
    {"schedule", Flag::Value, "KERNEL:rows=64,...", "as in tensorc compile"},
    {"tuning", Flag::Value, "FILE", "as in tensorc compile"},
    {"json", Flag::Switch, "", "print JSON"},
    {"memory", Flag::Switch, "", "print how memory is planned"},
    {"memory-limit", Flag::Value, "BYTES",
     "fit the program into these bytes of the device; print the decisions"},
    {"measure", Flag::Switch, "",
     "run it on the cpu; print what bounds each kernel, and its share of that"},
    {"cpu-time", Flag::Switch, "",
     "with --measure: processor time, of all threads, and not by the clock"},
    {"profile", Flag::Switch, "",
     "print what the GPU of --target would do in each kernel, as a simulator "
     "counts it"},
    {"html", Flag::Value, "FILE",
     "write a page with source, graph, IR, assembly, memory; with --measure "
     "also times"},
};

int writeReport(ModuleOp module, const compiler::CompileOptions &options,
                ReportRequest request, const Arguments &arguments) {
  request.title = arguments.input() == "-" ? "stdin" : arguments.input().str();
  request.source = arguments.input().str();
  FailureOr<std::string> page = makeReport(module, options, request);
  if (failed(page))
    return Refused;
  if (llvm::Error error = files::writeFile(arguments.get("html").str(), *page))
    return refuse(llvm::toString(std::move(error)));
  return Success;
}

int checkPage(const Arguments &arguments) {
  if (arguments.has("html") &&
      files::isSameFile(arguments.get("html").str(), arguments.input()))
    return badUsage("the page " + arguments.get("html") + " is the input");
  return Success;
}

static void printText(ArrayRef<KernelFacts> kernels) {
  llvm::outs() << kernels.size()
               << (kernels.size() == 1 ? " kernel\n" : " kernels\n");
  for (auto [i, k] : llvm::enumerate(kernels)) {
    llvm::outs() << "\n" << i << ": " << k.name << " (" << k.kind << ")\n";
    if (!k.branch.empty())
      llvm::outs() << "  branch   " << k.branch << "\n";
    llvm::outs() << "  ops      " << llvm::join(k.ops, " ") << "\n";
    if (!k.origin.nodes.empty())
      llvm::outs() << "  nodes    " << llvm::join(k.origin.nodes, " ") << "\n";
    llvm::outs() << "  reads    " << llvm::join(k.inputs, " ") << ": "
                 << k.bytesRead << " bytes\n"
                 << "  writes   " << llvm::join(k.outputs, " ") << ": "
                 << k.bytesWritten << " bytes\n"
                 << "  flops    " << k.flops << "\n";
    if (!k.order.empty())
      llvm::outs() << "  order    " << k.order << "\n";
    llvm::outs() << "  schedule " << k.schedule << "\n";
    for (const std::string &note : k.notes)
      llvm::outs() << "  why not  " << note << "\n";
  }
}

static void
printJson(ArrayRef<KernelFacts> kernels, ArrayRef<LoopFacts> loops,
          const std::optional<PlacementFacts> &placed,
          const std::optional<MemoryFacts> &memory,
          const std::optional<std::vector<CollectiveFacts>> &collectives,
          ArrayRef<BucketFacts> buckets,
          const std::optional<LinkFacts> &links) {
  llvm::json::Array array;
  for (const KernelFacts &k : kernels)
    array.push_back(toJson(k));
  llvm::json::Object object{{"kernels", std::move(array)}};
  if (!loops.empty()) {
    llvm::json::Array list;
    for (const LoopFacts &loop : loops)
      list.push_back(llvm::json::Object{
          {"name", loop.name}, {"kernels", llvm::json::Array(loop.kernels)}});
    object["loops"] = std::move(list);
  }
  if (placed)
    object["placement"] =
        placement::sumsToJson(placed->candidates, placed->sums);
  if (memory)
    object["memory"] = toJson(*memory);
  if (collectives) {
    llvm::json::Array list;
    for (const CollectiveFacts &each : *collectives)
      list.push_back(toJson(each));
    object["collectives"] = std::move(list);
  }
  if (!buckets.empty()) {
    llvm::json::Array list;
    for (const BucketFacts &each : buckets)
      list.push_back(toJson(each));
    object["buckets"] = std::move(list);
  }
  if (links)
    object["step"] = toJson(*links);
  llvm::outs() << llvm::formatv("{0:2}\n",
                                llvm::json::Value(std::move(object)));
}

/// Lowers a function of fusions to a program. Returns null after an error.
static txp::FuncOp lower(LoadedModule &module, StringRef entry,
                         const compiler::CompileOptions &options) {
  if (failed(compiler::runStages(module.get(), options, compiler::Stage::Fuse,
                                 compiler::Stage::Lower)))
    return {};
  for (auto program : module.get().getOps<txp::FuncOp>())
    if (program.isEntry() && (entry.empty() || program.getName() == entry))
      return program;
  return {};
}

static bool hasLoops(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa<tx::WhileOp, tx::ScanOp>(op) ? WalkResult::interrupt()
                                                : WalkResult::advance();
      })
      .wasInterrupted();
}

static void printText(ArrayRef<LoopFacts> loops) {
  if (!loops.empty())
    llvm::outs() << "\nloops, each one function\n";
  for (const LoopFacts &loop : loops)
    llvm::outs() << "  " << loop.name << ": " << llvm::join(loop.kernels, " ")
                 << "\n";
}

/// Predicts a step of the function on the devices and links of --links. Leaves
/// `out` empty without that option.
static int predict(func::FuncOp function, const Arguments &arguments,
                   std::optional<LinkFacts> &out) {
  std::string file = arguments.get("links").str();
  if (file.empty())
    return Success;
  auto fail = [&](const Twine &why) {
    return refuse("--links=" + file + ": " + why.str());
  };
  auto text = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!text)
    return fail(text.getError().message());
  llvm::Expected<LinkModel> model = parseLinks((*text)->getBuffer());
  if (!model)
    return fail(llvm::toString(model.takeError()));
  std::optional<MeshSpec> mesh = parseMesh(arguments);
  if (!mesh)
    return BadUsage;
  int64_t ranks = 1;
  for (int64_t size : mesh->sizes)
    ranks *= size;
  llvm::Expected<LinkFacts> facts = predictLinks(function, ranks, *model);
  if (!facts)
    return fail(llvm::toString(facts.takeError()));
  out = std::move(*facts);
  return Success;
}

/// Explains the kernels and the other requested parts of a program.
static int explain(LoadedModule &module,
                   const compiler::CompileOptions &options,
                   const std::optional<PlacementFacts> &placed,
                   const Arguments &arguments) {
  if (arguments.has("html")) {
    FailureOr<func::FuncOp> entry = module.entry(arguments.get("entry"));
    if (failed(entry))
      return Refused;
    ReportRequest request;
    request.entry = entry->getName().str();
    return writeReport(module.get(), options, request, arguments);
  }
  if (failed(compiler::runStages(module.get(), options, std::nullopt,
                                 compiler::Stage::Tensor)))
    return Refused;
  // The stages may have replaced the function.
  FailureOr<func::FuncOp> function = module.entry(arguments.get("entry"));
  if (failed(function))
    return Refused;
  std::optional<std::vector<CollectiveFacts>> collectives;
  if (arguments.has("mesh"))
    collectives = explainCollectives(*function);
  if (failed(compiler::runStages(module.get(), options, compiler::Stage::Tensor,
                                 compiler::Stage::Fuse)))
    return Refused;
  function = module.entry(arguments.get("entry"));
  std::vector<KernelFacts> kernels = explainKernels(*function);
  std::vector<BucketFacts> buckets;
  if (collectives)
    buckets = explainBuckets(*function);
  std::optional<LinkFacts> links;
  if (int status = predict(*function, arguments, links))
    return status;
  std::optional<MemoryFacts> memory;
  std::vector<LoopFacts> loops;
  bool showsLoops =
      hasLoops(*function) && StringRef(options.target).starts_with("cpu");
  // Memory is planned when the program is lowered.
  bool showsMemory = arguments.has("memory") || arguments.has("memory-limit");
  if (showsMemory || showsLoops || links) {
    txp::FuncOp program = lower(module, function->getName().str(), options);
    if (!program)
      return Refused;
    loops = explainLoops(program);
    if (showsMemory || links)
      memory = explainMemory(program);
  }
  if (arguments.has("json")) {
    printJson(kernels, loops, placed, memory, collectives, buckets, links);
    return Success;
  }
  if (placed) {
    placement::printSums(llvm::outs(), placed->candidates, placed->sums);
    llvm::outs() << "\n";
  }
  if (collectives) {
    print(llvm::outs(), *collectives);
    llvm::outs() << "\n";
    print(llvm::outs(), buckets);
    llvm::outs() << (buckets.empty() ? "" : "\n");
  }
  if (links) {
    print(llvm::outs(), *links, memory->peak);
    llvm::outs() << "\n";
  }
  printText(kernels);
  printText(loops);
  if (showsMemory) {
    llvm::outs() << "\nmemory\n";
    print(llvm::outs(), *memory);
  }
  return Success;
}

/// Rejects options that cannot be combined with --html.
static int checkHtml(const Arguments &arguments) {
  if (!arguments.has("html"))
    return Success;
  for (StringRef option : {"json", "links", "memory"})
    if (arguments.has(option))
      return badUsage("--html does not go with --" + option +
                      ": the page has it");
  if (arguments.has("memory-limit"))
    return badUsage("--html does not go with --memory-limit: the page shows "
                    "the plan without a limit");
  if (isPackage(arguments))
    return badUsage("--html is for programs: a package holds no IR");
  return checkPage(arguments);
}

/// Explains the profile, or rejects options that cannot be combined with
/// --profile.
static int profile(const Arguments &arguments) {
  for (StringRef option :
       {"device", "links", "mesh", "memory", "measure", "html"})
    if (arguments.has(option))
      return badUsage("--profile does not go with --" + option);
  if (int status = refuseForPackage(arguments, {"shape", "schedule", "tuning"}))
    return status;
  if (int status = checkSchedules(arguments))
    return status;
  return explainProfile(arguments);
}

static int runExplain(const Arguments &arguments) {
  if (arguments.has("links") && !arguments.has("mesh"))
    return badUsage("--links goes with --mesh");
  if (arguments.has("profile"))
    return profile(arguments);
  if (int status =
          refuseForPackage(arguments, {"target", "device", "mesh", "shape",
                                       "schedule", "tuning", "memory-limit"}))
    return status;
  if (int status = checkSchedules(arguments))
    return status;
  if (int status = checkHtml(arguments))
    return status;
  if (arguments.has("measure")) {
    for (StringRef option : {"target", "device", "memory", "memory-limit"})
      if (arguments.has(option))
        return badUsage("--measure runs on the cpu, and does not go with --" +
                        option);
    return explainMeasured(arguments);
  }
  if (arguments.has("cpu-time"))
    return badUsage("--cpu-time goes with --measure");
  if (isPackage(arguments))
    return explainPackageFile(arguments);
  std::optional<std::vector<ShapeSpec>> shapes = parseShapes(arguments);
  if (!shapes || !parseMesh(arguments))
    return BadUsage;
  if (arguments.has("target") && arguments.has("device"))
    return badUsage("--device says the target already");
  std::string target = arguments.get("target", "cpu").str();
  std::optional<std::string> device;
  if (arguments.has("device")) {
    if (!(device = chooseDevice(arguments)))
      return BadUsage;
    target = targetOf(*device);
  }
  if (auto found = codegen::findTarget(target); !found)
    return refuse(llvm::toString(found.takeError()));
  LoadedModule module;
  if (failed(module.load(arguments)))
    return Refused;
  FailureOr<func::FuncOp> function = module.entry(arguments.get("entry"));
  if (failed(function) || failed(specialize(*function, *shapes)))
    return Refused;
  keepOnly(*function);
  Timing timing(false);
  compiler::CompileOptions options = optionsOf(target, arguments, timing);
  if (options.memoryLimit.bytes && device &&
      failed(setFigures((*function)->getParentOfType<ModuleOp>(), options,
                        *device)))
    return Refused;
  std::optional<PlacementFacts> placed;
  if (device == placement::autoName.str()) {
    if (!(placed = placeFunction(*function, options)))
      return Refused;
    options.target = targetOf(placed->chosen().name);
  }
  return explain(module, options, placed, arguments);
}

const Command explainCommand = {
    "explain",
    "say which ops land in which kernel, and why others do not",
    "IN [options]",
    explainFlags,
    "  tensorc explain y.mlir\n"
    "  tensorc explain y.mlir --memory\n"
    "  tensorc explain y.mlir --memory-limit=500M --shape=x:8192,64\n"
    "  tensorc explain y.mlir --measure --cpu-time --shape=x:8192,64\n"
    "  tensorc explain y.mlir --device=auto --shape=x:8192,64\n"
    "  tensorc explain y.mlir --shape=x:8192,64 --json\n"
    "  tensorc explain y.mlir --profile --target=sim:sm_90a --shape=x:64,64\n"
    "  tensorc explain y.mlir --measure --html=y.html\n"
    "  tensorc explain y.tcpkg\n",
    /*takesInput=*/true,
    runExplain};

} // namespace tensorc::tool
