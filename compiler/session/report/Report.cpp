//===- Report.cpp - The HTML report of a compilation ----------------------===//

#include "compiler/session/report/Report.h"

#include "compiler/output/artefacts/Artefacts.h"
#include "compiler/session/report/Kernels.h"
#include "compiler/session/report/Memory.h"
#include "compiler/session/report/ReportGraph.h"
#include "compiler/session/report/ReportTexts.h"
#include "ir/tx/Structure.h"

#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using tensorc::compiler::Stage;

namespace tensorc::report {

/// The page, with placeholders for the data and for the name of its encoding.
static constexpr StringLiteral page =
#include "compiler/session/report/Page.inc"
    ;

/// Maximum size in bytes of a source file that the page includes. A larger
/// program probably contains its weights as text and is not readable.
static constexpr uint64_t maxSourceBytes = 1 << 20;

namespace {
class Reporter {
public:
  Reporter(ModuleOp module, const compiler::CompileOptions &options,
           const ReportRequest &request)
      : module(module), options(options), request(request) {
    this->options.onStage = [this](Stage stage, double seconds) {
      stages.push_back(llvm::json::Object{{"name", compiler::stageName(stage)},
                                          {"seconds", seconds}});
    };
  }

  FailureOr<std::string> make() {
    if (failed(run(std::nullopt, Stage::Fuse)))
      return failure();
    auto function = module.lookupSymbol<func::FuncOp>(request.entry);
    if (!function)
      return module.emitError("has no function ") << request.entry;
    kernels = explainKernels(function);
    numberBodies();
    findSources(function);
    kernelTexts.resize(kernels.size());
    graph = makeGraph(function);
    addFusions(function);
    if (failed(run(Stage::Fuse, Stage::Emit)))
      return failure();
    addKernelFunctions("emit");
    if (failed(run(Stage::Emit, Stage::Lower)))
      return failure();
    addKernelFunctions("lower");
    addProgram();
    addAssembly();
    shareTexts();
    return fill();
  }

private:
  ModuleOp module;
  compiler::CompileOptions options;
  const ReportRequest &request;
  std::vector<KernelFacts> kernels;
  /// For each kernel: a name and the number of a text.
  std::vector<llvm::json::Array> kernelTexts;
  TextTable texts;
  llvm::json::Object graph;
  /// Kernels with equal bodies. Each body is compiled once.
  struct Bodies {
    // For each kernel, the first kernel with the same body.
    std::vector<size_t> firsts;
    // For each first kernel, the number of kernels with its body.
    std::vector<size_t> counts;
  };
  Bodies bodies;
  struct Loop {
    LoopFacts facts;
    llvm::json::Array texts;
  };
  std::vector<Loop> loops;
  llvm::SetVector<StringRef> sources;
  llvm::json::Value memory = nullptr;
  llvm::json::Array stages;

  LogicalResult run(std::optional<Stage> from, Stage last) {
    return compiler::runStages(module, options, from, last);
  }

  void numberBodies() {
    llvm::StringMap<size_t> known;
    bodies.counts.resize(kernels.size());
    for (size_t i = 0; i < kernels.size(); ++i) {
      bodies.firsts.push_back(
          known.try_emplace(kernels[i].key, i).first->second);
      ++bodies.counts[bodies.firsts[i]];
    }
  }

  void findSources(func::FuncOp function) {
    if (request.source)
      return void(sources.insert(*request.source));
    function.walk([&](Operation *op) {
      op->getLoc()->walk([&](Location part) {
        if (auto line = dyn_cast<FileLineColLoc>(part))
          sources.insert(line.getFilename().getValue());
        return WalkResult::advance();
      });
    });
  }

  void addText(llvm::json::Array &to, StringRef name, StringRef text) {
    if (!text.empty())
      to.push_back(
          llvm::json::Object{{"name", name}, {"text", texts.add(text)}});
  }

  void addFusions(func::FuncOp function) {
    ElidedPrinter printer(function);
    size_t i = 0;
    function.walk<WalkOrder::PreOrder>([&](tx::FusionOp fusion) {
      addText(kernelTexts[i++], "fuse", printer.print(fusion));
    });
  }

  /// Adds the functions of the module's kernels to the fusions of the same
  /// name.
  void addKernelFunctions(StringRef stage) {
    module.walk([&](FunctionOpInterface function) {
      if (function.isExternal() || isa<txp::FuncOp>(*function))
        return;
      if (auto *to = textsOf(function.getName()))
        addText(*to, stage, ElidedPrinter(function).print(function));
    });
  }

  /// Returns the list for the texts of a function, or null if it is neither a
  /// kernel nor a loop. It belongs to the fusion with the longest name that
  /// fits.
  llvm::json::Array *textsOf(StringRef function) {
    for (Loop &loop : loops)
      if (loop.facts.name == function)
        return &loop.texts;
    std::optional<size_t> best;
    for (size_t i = 0; i < kernels.size(); ++i)
      if (belongsTo(function, kernels[i].name) &&
          (!best || kernels[*best].name.size() < kernels[i].name.size()))
        best = i;
    return best ? &kernelTexts[*best] : nullptr;
  }

  /// Adds facts from the lowered program: its memory use, and loops that are
  /// one function.
  void addProgram() {
    for (auto program : module.getOps<txp::FuncOp>()) {
      if (!program.isEntry() || program.getName() != request.entry)
        continue;
      MemoryFacts facts = explainMemory(program);
      nameSteps(facts);
      memory = toJson(facts);
      for (LoopFacts &facts : explainLoops(program))
        loops.push_back({std::move(facts), {}});
    }
    if (!loops.empty())
      addLoopFunctions();
  }

  void addLoopFunctions() {
    module.walk([&](FunctionOpInterface function) {
      for (Loop &loop : loops)
        if (loop.facts.name == function.getName() && !function.isExternal())
          addText(loop.texts, "lower", ElidedPrinter(function).print(function));
    });
  }

  /// Kernels with equal bodies are launched under the name of the first one.
  /// Names each launch after its own kernel, which is known because launches
  /// and kernels have the same order.
  void nameSteps(MemoryFacts &facts) const {
    llvm::StringMap<size_t> nexts; // keyed by the name of the first kernel
    std::vector<std::string> launched = facts.steps;
    for (std::string &step : facts.steps) {
      auto [next, isNew] = nexts.try_emplace(step, 0);
      std::optional<size_t> kernel = nextKernel(step, next->second);
      if (!kernel)
        continue;
      next->second = *kernel + 1;
      step = kernels[*kernel].name;
    }
    for (auto *slots : {&facts.slots, &facts.results})
      for (MemoryFacts::Slot &slot : *slots)
        if (slot.first < launched.size() && slot.kernel == launched[slot.first])
          slot.kernel = facts.steps[slot.first];
  }

  /// Returns the first kernel from `begin` on that a launch of this name runs.
  std::optional<size_t> nextKernel(StringRef launch, size_t begin) const {
    for (size_t i = begin; i < kernels.size(); ++i)
      if (kernels[bodies.firsts[i]].name == launch)
        return i;
    return std::nullopt;
  }

  /// Adds the assembly of a target that prints one.
  void addAssembly() {
    StringRef kind;
    for (StringRef candidate : compiler::listArtefactKinds())
      if (!compiler::isBinaryKind(candidate) &&
          !compiler::isObjectKind(candidate) &&
          compiler::canEmit(options.target, candidate))
        kind = candidate;
    if (kind.empty())
      return;
    SmallVector<std::string> functions;
    module.walk([&](FunctionOpInterface function) {
      if (!function.isExternal() && textsOf(function.getName()))
        functions.push_back(function.getName().str());
    });
    // This makes the assembly name its source lines.
    PassManager passes(module.getContext());
    passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
    if (failed(passes.run(module)))
      return;
    compiler::ArtefactRequest artefact;
    artefact.kind = kind;
    artefact.targets = options.target;
    artefact.from = Stage::Lower;
    std::string refusal;
    FailureOr<compiler::Artefact> made =
        compiler::makeArtefact(module, options, artefact, refusal);
    if (failed(made))
      return;
    llvm::StringMap<std::string> assembly =
        splitAssembly(made->bytes, functions);
    for (const std::string &function : functions)
      addText(*textsOf(function), kind, assembly[function]);
  }

  /// Gives each kernel the texts of the first kernel with an equal body.
  void shareTexts() {
    for (size_t i = 0; i < kernels.size(); ++i)
      if (bodies.firsts[i] != i)
        for (const llvm::json::Value &text :
             llvm::drop_begin(kernelTexts[bodies.firsts[i]]))
          kernelTexts[i].push_back(text);
  }

  llvm::json::Array kernelsToJson() {
    llvm::json::Array array;
    for (size_t i = 0; i < kernels.size(); ++i) {
      llvm::json::Object object = toJson(kernels[i]);
      object["texts"] = std::move(kernelTexts[i]);
      llvm::json::Array lines;
      for (const auto &[file, line] : kernels[i].origin.lines)
        lines.push_back(llvm::json::Array{llvm::json::fixUTF8(file), line});
      object["lines"] = std::move(lines);
      size_t first = bodies.firsts[i];
      if (first != i)
        object["compiled_as"] = kernels[first].name;
      addMeasurement(object, kernels[first].name, bodies.counts[first]);
      if (llvm::json::Array tried = triedOf(kernels[i].key); !tried.empty())
        object["tried"] = std::move(tried);
      array.push_back(std::move(object));
    }
    return array;
  }

  /// Adds what was measured of a function, which `sharers` kernels share.
  void addMeasurement(llvm::json::Object &to, StringRef function,
                      size_t sharers) const {
    for (const Measurement &m : request.measurements)
      if (m.kernel == function)
        to["measured"] =
            llvm::json::Object{{"launches", double(m.launches) / sharers},
                               {"seconds", m.seconds},
                               {"bound", m.bound},
                               {"bound_seconds", m.boundSeconds}};
  }

  /// Returns the schedules that tuning measured, fastest first.
  llvm::json::Array triedOf(StringRef key) const {
    SmallVector<const TriedSchedule *> order;
    for (const TriedSchedule &tried : request.tried)
      if (tried.key == key)
        order.push_back(&tried);
    llvm::sort(order, [](const auto *a, const auto *b) {
      return std::tie(a->seconds, a->schedule) <
             std::tie(b->seconds, b->schedule);
    });
    llvm::json::Array array;
    for (const TriedSchedule *tried : order)
      array.push_back(llvm::json::Object{{"schedule", tried->schedule},
                                         {"seconds", tried->seconds}});
    return array;
  }

  llvm::json::Array compilationsToJson() const {
    llvm::json::Array array;
    for (const CompilationFacts &facts : request.compilations)
      array.push_back(llvm::json::Object{{"number", facts.number},
                                         {"reason", facts.reason},
                                         {"arguments", facts.arguments},
                                         {"seconds", facts.seconds}});
    return array;
  }

  llvm::json::Array loopsToJson() {
    llvm::json::Array array;
    for (Loop &loop : loops) {
      llvm::json::Object object{
          {"name", loop.facts.name},
          {"kernels", llvm::json::Array(loop.facts.kernels)},
          {"texts", std::move(loop.texts)}};
      addMeasurement(object, loop.facts.name, /*sharers=*/1);
      array.push_back(std::move(object));
    }
    return array;
  }

  /// Returns the texts of the source files that can be read.
  llvm::json::Array readSources() const {
    llvm::json::Array array;
    for (StringRef file : sources) {
      uint64_t bytes = 0;
      if (!llvm::sys::fs::is_regular_file(file) ||
          llvm::sys::fs::file_size(file, bytes) || bytes > maxSourceBytes)
        continue;
      auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true,
                                                /*RequiresNullTerminator=*/
                                                false);
      StringRef text = buffer ? (*buffer)->getBuffer() : "";
      if (!text.empty() && !text.contains('\0') && llvm::json::isUTF8(text))
        array.push_back(llvm::json::Object{{"name", llvm::json::fixUTF8(file)},
                                           {"text", text.str()}});
    }
    return array;
  }

  std::string fill() {
    llvm::json::Object data{{"format", 1},
                            {"compiler", "tensorc " TENSORC_VERSION},
                            {"program", llvm::json::fixUTF8(request.title)},
                            {"entry", request.entry},
                            {"target", options.target},
                            {"machine", request.machine},
                            {"kernels", kernelsToJson()},
                            {"loops", loopsToJson()},
                            {"graph", std::move(graph)},
                            {"memory", std::move(memory)},
                            {"stages", std::move(stages)},
                            {"compilations", compilationsToJson()},
                            {"sources", readSources()},
                            {"texts", texts.take()}};
    return fillPage(llvm::formatv("{0}", llvm::json::Value(std::move(data))));
  }

  /// Compressed data is encoded as base64. In uncompressed data `<` is escaped.
  /// Therefore no data can close the page's element.
  std::string fillPage(const std::string &json) const {
    std::string encoding = "deflate", data;
    if (llvm::compression::zlib::isAvailable()) {
      SmallVector<uint8_t> compressed;
      llvm::compression::zlib::compress(
          llvm::arrayRefFromStringRef(json), compressed,
          llvm::compression::zlib::BestSizeCompression);
      data = llvm::encodeBase64(compressed);
    } else {
      encoding = "none";
      for (char c : json)
        data += c == '<' ? "\\u003c" : std::string(1, c);
    }
    auto [head, rest] = page.split("@encoding@");
    auto [middle, tail] = rest.split("@data@");
    return (head + encoding + middle + data + tail).str();
  }
};
} // namespace

std::string escapeHtml(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::printHTMLEscaped(text, os);
  return result;
}

FailureOr<std::string> makeReport(ModuleOp module,
                                  const compiler::CompileOptions &options,
                                  const ReportRequest &request) {
  return Reporter(module, options, request).make();
}

} // namespace tensorc::report
