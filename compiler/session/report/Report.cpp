//===- Report.cpp - A compilation as a page to look at --------------------===//

#include "compiler/session/report/Report.h"

#include "compiler/output/artefacts/Artefacts.h"
#include "compiler/session/report/Kernels.h"
#include "compiler/session/report/Memory.h"
#include "compiler/session/report/ReportGraph.h"
#include "compiler/session/report/ReportTexts.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using tensorc::compiler::Stage;

namespace tensorc::report {

/// The page, with marks where its title and data go.
static constexpr StringLiteral page =
#include "compiler/session/report/Page.inc"
    ;

/// Maximum size of a source file that the page includes, in bytes. A program
/// with its weights as text is larger, and no text to read.
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
    kernelTexts.resize(kernels.size());
    graph = makeGraph(function);
    addFusions(function);
    if (failed(run(Stage::Fuse, Stage::Emit)))
      return failure();
    addKernelFunctions("emit");
    if (failed(run(Stage::Emit, Stage::Lower)))
      return failure();
    addKernelFunctions("lower");
    addMemory();
    addAssembly();
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
  llvm::json::Value memory = nullptr;
  llvm::json::Array stages;

  LogicalResult run(std::optional<Stage> from, Stage last) {
    return compiler::runStages(module, options, from, last);
  }

  void addText(size_t kernel, StringRef name, StringRef text) {
    if (!text.empty())
      kernelTexts[kernel].push_back(
          llvm::json::Object{{"name", name}, {"text", texts.add(text)}});
  }

  void addFusions(func::FuncOp function) {
    size_t i = 0;
    function.walk<WalkOrder::PreOrder>([&](tx::FusionOp fusion) {
      addText(i++, "fuse", printElided(fusion, function));
    });
  }

  /// Adds the functions of the module's kernels to the fusions of their names.
  /// A function belongs to the fusion with the longest name that fits.
  void addKernelFunctions(StringRef stage) {
    module.walk([&](FunctionOpInterface function) {
      if (function.isExternal() || isa<txp::FuncOp>(*function))
        return;
      if (std::optional<size_t> kernel = kernelOf(function.getName()))
        addText(*kernel, stage, printElided(function, function));
    });
  }

  std::optional<size_t> kernelOf(StringRef function) const {
    std::optional<size_t> best;
    for (size_t i = 0; i < kernels.size(); ++i)
      if (belongsTo(function, kernels[i].name) &&
          (!best || kernels[*best].name.size() < kernels[i].name.size()))
        best = i;
    return best;
  }

  void addMemory() {
    for (auto program : module.getOps<txp::FuncOp>())
      if (program.isEntry() && program.getName() == request.entry)
        memory = toJson(explainMemory(program));
  }

  /// Adds the assembly of a target that prints one.
  void addAssembly() {
    auto target = codegen::findTarget(options.target);
    if (!target)
      return llvm::consumeError(target.takeError());
    StringRef kind;
    for (StringRef candidate : compiler::listArtefactKinds())
      if (!compiler::isBinaryKind(candidate) &&
          !compiler::isObjectKind(candidate) &&
          compiler::canEmit(*target, candidate))
        kind = candidate;
    if (kind.empty())
      return;
    SmallVector<std::string> names;
    for (const KernelFacts &kernel : kernels)
      names.push_back(kernel.name);
    SmallVector<std::string> functions;
    module.walk([&](FunctionOpInterface function) {
      if (!function.isExternal() && kernelOf(function.getName()))
        functions.push_back(function.getName().str());
    });
    compiler::ArtefactRequest artefact;
    artefact.kind = kind;
    artefact.targets = options.target;
    artefact.from = Stage::Lower;
    std::string refusal;
    FailureOr<compiler::Artefact> made =
        compiler::makeArtefact(module, options, artefact, refusal);
    if (failed(made))
      return;
    for (const std::string &function : functions)
      addText(*kernelOf(function), kind, assemblyOf(made->bytes, function));
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
      for (const Measurement &m : request.measurements)
        if (m.kernel == kernels[i].name)
          object["measured"] =
              llvm::json::Object{{"launches", m.launches},
                                 {"seconds", m.seconds},
                                 {"bound", m.bound},
                                 {"bound_seconds", m.boundSeconds}};
      array.push_back(std::move(object));
    }
    return array;
  }

  /// Returns the texts of the files that the kernels' lines are in, if they can
  /// be read.
  llvm::json::Array readSources() const {
    llvm::SetVector<StringRef> files;
    for (const KernelFacts &kernel : kernels)
      for (const auto &[file, line] : kernel.origin.lines)
        files.insert(file);
    llvm::json::Array sources;
    for (StringRef file : files) {
      uint64_t bytes = 0;
      if (!llvm::sys::fs::is_regular_file(file) ||
          llvm::sys::fs::file_size(file, bytes) || bytes > maxSourceBytes)
        continue;
      auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true,
                                                /*RequiresNullTerminator=*/
                                                false);
      if (buffer && !(*buffer)->getBuffer().contains('\0'))
        sources.push_back(llvm::json::Object{
            {"name", llvm::json::fixUTF8(file)},
            {"text", llvm::json::fixUTF8((*buffer)->getBuffer())}});
    }
    return sources;
  }

  std::string fill() {
    llvm::json::Object data{{"format", 1},
                            {"compiler", "tensorc " TENSORC_VERSION},
                            {"program", llvm::json::fixUTF8(request.title)},
                            {"entry", request.entry},
                            {"target", options.target},
                            {"machine", request.machine},
                            {"kernels", kernelsToJson()},
                            {"graph", std::move(graph)},
                            {"memory", std::move(memory)},
                            {"stages", std::move(stages)},
                            {"sources", readSources()},
                            {"texts", texts.take()}};
    return fillPage(llvm::formatv("{0}", llvm::json::Value(std::move(data))));
  }

  /// Compressed data is base64, and what is not compressed escapes `<`, so that
  /// nothing in it ends the page's element.
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

FailureOr<std::string> makeReport(ModuleOp module,
                                  const compiler::CompileOptions &options,
                                  const ReportRequest &request) {
  return Reporter(module, options, request).make();
}

} // namespace tensorc::report
