//===- CompileCommand.cpp - tensorc compile -------------------------------===//

#include "compiler/frontends/files/InputFile.h"
#include "tools/io/Terminal.h"
#include "tools/tensorc/Commands.h"
#include "tools/tensorc/Program.h"
#include "tools/tensorc/Project.h"
#include "tools/tensorc/Timing.h"

#include "compiler/frontends/files/OutputFile.h"
#include "compiler/output/artefacts/Artefacts.h"
#include "compiler/output/pipelines/PlannedSizes.h"
#include "compiler/session/tuning/Tuning.h"

#include "ir/tx/TxDialect.h"

#include "tensorc/runtime.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace tensorc::tool {

using compiler::CompileOptions;
using compiler::Stage;
using files::OutputFiles;

static ArrayRef<StringRef> listStages() {
  static constexpr StringRef stages[] = {"import", "tensor", "fuse",
                                         "emit",   "lower",  "serialize"};
  return stages;
}
/// Returns the values of --emit.
static ArrayRef<StringRef> listKinds() {
  static const auto all = [] {
    auto kinds = llvm::to_vector(compiler::listArtefactKinds());
    kinds.push_back("source");
    return kinds;
  }();
  return all;
}
static ArrayRef<StringRef> listLevels() {
  static constexpr StringRef levels[] = {"0", "1", "2", "3"};
  return levels;
}

static constexpr Flag compileFlags[] = {
    {"o", Flag::Value, "OUT",
     "the output; default: text to stdout, binaries beside IN"},
    {"target", Flag::Value, "T",
     "the processor or GPU; default: cpu, this machine; a wrong one lists all",
     nullptr, codegen::listExamples},
    {"emit", Flag::Value, "KIND",
     "the artefact; default by the suffix of OUT, or package where it has none",
     listKinds},
    {"input", Flag::Value, "[name=]FILE",
     "an argument of the test in a project of --emit=source; default: drawn"},
    {"page", Flag::Value, "FILE",
     "the page that --emit=page puts the program into; default: a form"},
    {"constants", Flag::Value, "NAME",
     "put a package's constants into a file of this name beside it"},
    {"mesh", Flag::Value, "data=2,model=4",
     "names and sizes of the mesh that tx.shard ops split values over"},
    {"entry", Flag::Value, "NAME",
     "the function to compile; default: all of them"},
    {"weights", Flag::Value, "[name=]FILE",
     "make constants of the arguments that are called as its tensors"},
    {"quantize-weights", Flag::Value, "i8|i4[:GROUP]",
     "store what contractions read as narrow integers; prints the errors"},
    {"shape", Flag::Value, "x:1,3,n,n",
     "specialize an argument's named dims: to a size or another name"},
    {"memory-plans", Flag::Value, "n=1024,m=64",
     "add plans to a package that need less memory at these sizes; a run under "
     "a memory limit chooses one"},
    {"layout", Flag::Value, "x:NHWC",
     "the order in which callers have the dims of an argument or result"},
    {"schedule", Flag::Value, "KERNEL:rows=64,...",
     "compute a kernel by another schedule than the usual one"},
    {"tuning", Flag::Value, "FILE",
     "compute kernels by the schedules that tensorc tune found on such a "
     "machine"},
    {"stop-after", Flag::Value, "STAGE", "print the IR after a stage",
     listStages},
    {"start-from", Flag::Value, "STAGE",
     "IN is what --stop-after of this stage printed", listStages},
    {"dump", Flag::Value, "DIR", "write the IR after every stage to DIR"},
    {"O", Flag::Value, "0..3", "how hard to optimize; default 2", listLevels},
    {"fast-math", Flag::Switch, "", "allow reassociation and contraction"},
    {"time", Flag::Switch, "", "print how long each stage took, to stderr"},
    {"verbose", Flag::Switch, "", "say what is done, to stderr"},
};

CompileOptions optionsOf(StringRef target, const Arguments &arguments,
                         Timing &timing) {
  CompileOptions options;
  options.target = target.str();
  arguments.get("O", "2").getAsInteger(10, options.optLevel);
  options.fastMath = arguments.has("fast-math");
  options.schedules = arguments.all("schedule");
  // Errors in the file have been reported by checkSchedules.
  if (arguments.has("tuning")) {
    if (auto tuning = tuning::Tuning::read(arguments.get("tuning")))
      llvm::append_range(options.schedules, tuning->schedules());
    else
      llvm::consumeError(tuning.takeError());
  }
  options.memoryLimit.bytes =
      parseBytes(arguments.get("memory-limit")).value_or(0);
  options.threads = tensorc_rt_num_threads();
  if (arguments.input() != "-")
    options.name = llvm::sys::path::stem(arguments.input()).str();
  const char *dump = secure_getenv("TENSORC_DUMP");
  options.dumpDir = arguments.get("dump", dump ? dump : "").str();
  options.onStage = [&timing](Stage stage, double seconds) {
    timing.print(compiler::stageName(stage), seconds);
  };
  return options;
}

/// Returns the kind of artefact that follows from the suffix of OUT, or an
/// empty string.
static StringRef kindOfOutput(const Arguments &arguments) {
  return compiler::kindOfFile(arguments.get("o"));
}

/// Returns the value of --emit, or the kind that follows from the suffix of
/// OUT.
static StringRef kindOf(const Arguments &arguments) {
  StringRef kind = kindOfOutput(arguments);
  return arguments.get("emit", kind.empty() ? "package" : kind);
}

/// True if the artefact is not text that may be printed on a terminal.
static bool isBinary(StringRef kind) {
  return kind == "source" || compiler::isBinaryKind(kind);
}

/// Returns OUT. The default is stdout for text and a file next to IN for
/// binaries.
static std::string outputOf(const Arguments &arguments) {
  StringRef kind = kindOf(arguments);
  if (arguments.has("o") || arguments.has("stop-after") || !isBinary(kind))
    return arguments.get("o", "-").str();
  SmallString<128> path(arguments.input());
  llvm::sys::path::replace_extension(
      path, kind == "source" ? "" : compiler::suffixOfKind(kind));
  return path.str().str();
}

/// Returns the path of the constants file, next to the package.
static std::string constantsPath(const Arguments &arguments) {
  SmallString<128> path(llvm::sys::path::parent_path(outputOf(arguments)));
  llvm::sys::path::append(path, arguments.get("constants"));
  return path.str().str();
}

static int writeOutput(const Arguments &arguments, StringRef content) {
  if (llvm::Error error = files::writeFile(outputOf(arguments), content))
    return refuse(llvm::toString(std::move(error)));
  return Success;
}

/// Returns the prefix of an object's functions: the input's name.
static std::string stemOf(const Arguments &arguments) {
  if (arguments.input() == "-")
    return "model";
  return llvm::sys::path::stem(arguments.input()).str();
}

static int emit(Program &program, std::optional<Stage> from,
                const CompileOptions &options, ArrayRef<std::string> targets,
                const Arguments &arguments) {
  std::string out = outputOf(arguments);
  compiler::ConstantsFile constants{arguments.get("constants").str(), ""};
  bool hasFile = arguments.has("constants");
  compiler::ArtefactRequest request{kindOf(arguments), targets, from};
  request.stem = stemOf(arguments);
  request.input = arguments.input().str();
  request.fileName = out == "-" ? "" : llvm::sys::path::filename(out).str();
  request.constants = hasFile ? &constants : nullptr;
  if (kindOf(arguments) == "source")
    return emitProject(program, options, request, out, arguments);
  if (arguments.has("page")) {
    auto page = llvm::MemoryBuffer::getFile(arguments.get("page"));
    if (!page)
      return refuse("cannot read " + arguments.get("page") + ": " +
                    page.getError().message());
    request.page = (*page)->getBuffer().str();
  }
  std::string refusal;
  FailureOr<compiler::Artefact> artefact =
      compiler::makeArtefact(program.module.get(), options, request, refusal);
  if (failed(artefact))
    return refusal.empty() ? Refused : refuse(refusal);
  // Adds the constants file first, so that no package exists without its
  // constants.
  OutputFiles files;
  llvm::Error error = llvm::Error::success();
  if (hasFile)
    error = files.add(constantsPath(arguments), constants.bytes);
  for (auto [suffix, bytes] :
       llvm::zip(compiler::listSuffixesBeside(request.kind), artefact->beside))
    if (!error)
      error = files.add(compiler::pathBeside(out, suffix), bytes);
  if (!error)
    error = files.add(out, artefact->bytes);
  if (!error)
    error = files.keep();
  return error ? refuse(llvm::toString(std::move(error))) : Success;
}

/// Applies --entry, --weights, --quantize-weights, --shape and --layout, which
/// require functions of tx.
static LogicalResult applyEntry(LoadedModule &module,
                                const Arguments &arguments,
                                ArrayRef<ShapeSpec> shapes,
                                ArrayRef<LayoutSpec> layouts) {
  bool quantizes = arguments.has("quantize-weights");
  if (!arguments.has("entry") && shapes.empty() && layouts.empty() &&
      !arguments.has("weights") && !quantizes)
    return success();
  SmallVector<func::FuncOp> functions = module.entries();
  if (arguments.has("entry") || functions.empty()) {
    FailureOr<func::FuncOp> function = module.entry(arguments.get("entry"));
    if (failed(function))
      return failure();
    keepOnly(*function);
    functions = {*function};
  }
  if (failed(bindWeights(functions, arguments.all("weights"))))
    return failure();
  if (quantizes &&
      failed(quantizeWeights(functions, arguments.get("quantize-weights"))))
    return failure();
  if (failed(specializeAll(functions, shapes)))
    return failure();
  // Layouts are applied last, because --shape refers to the order of dims in
  // the file.
  return applyLayouts(functions, layouts);
}

static int finish(Program &program, std::optional<Stage> from,
                  const CompileOptions &options, ArrayRef<std::string> targets,
                  const Arguments &arguments) {
  std::optional<Stage> stop = compiler::parseStage(arguments.get("stop-after"));
  if (!stop)
    return emit(program, from, options, targets, arguments);
  if (from && *stop < *from)
    return badUsage("--stop-after comes before --start-from");
  ModuleOp module = program.module.get();
  if (failed(compiler::runStages(module, options, from, *stop)))
    return Refused;
  return writeOutput(arguments, compiler::textOf(module));
}

/// Checks that no file is both read and written, or written twice.
static int checkPaths(const Arguments &arguments) {
  if (isPackage(arguments))
    return Success; // the error is reported when the file is read
  std::string out = outputOf(arguments);
  if (files::isSameFile(out, arguments.input()))
    return badUsage("the output " + out + " is the input");
  if (arguments.has("page") && files::isSameFile(out, arguments.get("page")))
    return badUsage("the output " + out + " is the page of --page");
  for (StringRef suffix : compiler::listSuffixesBeside(kindOf(arguments))) {
    std::string beside = compiler::pathBeside(out, suffix);
    if (files::isSameFile(beside, arguments.input()))
      return badUsage("the file " + beside + ", which comes with " + out +
                      ", is the input");
  }
  if (!arguments.has("constants"))
    return Success;
  std::string constants = constantsPath(arguments);
  if (files::isSameFile(constants, arguments.input()))
    return badUsage("the file of constants " + constants + " is the input");
  if (files::isSameFile(constants, out))
    return badUsage("the file of constants " + constants + " is the output");
  return Success;
}

/// Rejects a suffix that contradicts the kind of artefact.
static int checkSuffix(const Arguments &arguments) {
  StringRef kind = kindOfOutput(arguments), out = arguments.get("o");
  if (arguments.has("stop-after"))
    return kind.empty() ? Success
                        : badUsage("--stop-after prints MLIR text, and " + out +
                                   " is the name of a file of kind " + kind);
  if (out.ends_with(".mlir"))
    return badUsage(out + " is the name of MLIR text, which --stop-after=STAGE "
                          "prints");
  if (StringRef suffix = llvm::sys::path::extension(out);
      kind.empty() && !suffix.empty() && !arguments.has("emit"))
    return badUsage("the suffix of " + out + " says nothing of its kind: " +
                    compiler::knownSuffixes() + "; or give --emit=KIND");
  if (kind.empty() || kind == kindOf(arguments))
    return Success;
  return badUsage("--emit=" + arguments.get("emit") + ", but " + out +
                  " is the name of a file of kind " + kind);
}

/// Checks kinds that consist of several files.
static int checkSeveralFiles(const Arguments &arguments) {
  StringRef kind = kindOf(arguments);
  bool isSource = kind == "source" && !arguments.has("stop-after");
  if (arguments.get("o") == "-" &&
      (isSource || !compiler::listSuffixesBeside(kind).empty()))
    return badUsage("--emit=" + kind + " writes several files: not to stdout");
  if (isSource && arguments.has("start-from"))
    return badUsage("--emit=source runs the program for its test, which a "
                    "later stage's text does not allow");
  if (arguments.has("input") && !isSource)
    return badUsage("--input is for the test of --emit=source");
  if (arguments.has("page") && kind != "page")
    return badUsage("--page is for --emit=page");
  return Success;
}

/// Checks the combination of options before anything is read.
static int checkOptions(const Arguments &arguments,
                        ArrayRef<std::string> targets) {
  StringRef kind = kindOf(arguments);
  bool stops = arguments.has("stop-after"), packs = kind == "package";
  for (const std::string &name : targets) {
    auto target = codegen::findTarget(name);
    if (!target)
      return refuse(llvm::toString(target.takeError()));
    // A project is a library for the host's C compiler.
    if (!compiler::canEmit(name, kind == "source" ? "shared" : kind))
      return refuse("--emit=" + kind + " is not available for the target " +
                    name);
    if (llvm::count(targets, name) > 1)
      return badUsage("--target names " + name + " twice");
  }
  if (targets.size() > 1 && (stops || !packs))
    return badUsage("only a package is for several targets");
  StringRef constants = arguments.get("constants");
  if (arguments.has("constants") && (stops || !packs))
    return badUsage("--constants is for packages");
  if (arguments.has("memory-plans") && !stops && !packs)
    return badUsage("--memory-plans is for packages");
  if (arguments.has("constants") &&
      (constants.empty() || constants == "." || constants == ".." ||
       constants.contains('/') || arguments.get("o") == "-"))
    return badUsage("--constants is a file's name, without a folder: it lies "
                    "beside the package");
  if (arguments.input() == "-" && !arguments.has("o") && !stops &&
      isBinary(kind))
    return badUsage("IN is stdin, so --emit=" + kind + " needs -o OUT");
  if (int status = checkSeveralFiles(arguments))
    return status;
  if (arguments.get("stop-after") == "serialize" ||
      arguments.get("start-from") == "serialize")
    return refuse("the stage serialize makes a package: use --emit=package");
  for (int status : {checkSchedules(arguments), checkPaths(arguments)})
    if (status)
      return status;
  return checkSuffix(arguments);
}

/// Returns the targets of --target. If the option is not given, returns the
/// target for which the module was compiled up to an earlier stage.
static std::vector<std::string> targetsOf(const Arguments &arguments,
                                          ModuleOp module) {
  auto last =
      module ? module->getAttrOfType<StringAttr>(tx::targetAttr) : StringAttr();
  bool isLater = arguments.has("start-from") && last;
  StringRef list = arguments.get(
      "target",
      isLater ? last.getValue() : compiler::defaultTarget(kindOf(arguments)));
  std::vector<std::string> targets;
  for (StringRef name : llvm::split(list, ','))
    llvm::append_range(targets, codegen::expandTarget(name));
  return targets;
}

static int runCompile(const Arguments &arguments) {
  std::optional<std::vector<ShapeSpec>> shapes = parseShapes(arguments);
  std::optional<std::vector<LayoutSpec>> layouts = parseLayouts(arguments);
  if (!shapes || !layouts || !parseMesh(arguments))
    return BadUsage;
  if (int status = checkOptions(arguments, targetsOf(arguments, ModuleOp())))
    return status;
  Timing timing(arguments.has("time"));
  Program program;
  LoadedModule &module = program.module;
  if (failed(module.load(arguments)) ||
      failed(applyEntry(module, arguments, *shapes, *layouts)))
    return Refused;
  timing.step("parse");
  std::vector<std::string> targets = targetsOf(arguments, module.get());
  if (arguments.has("memory-plans") && targets.size() > 1)
    return badUsage("--memory-plans is for one target");
  std::string wrong =
      compiler::setPlannedSizes(module.get(), arguments.get("memory-plans"));
  if (!wrong.empty())
    return badUsage("--memory-plans: " + wrong);
  CompileOptions options = optionsOf(targets.front(), arguments, timing);
  if (arguments.has("verbose"))
    Terminal(llvm::errs()) << "compiling " << arguments.input() << " for "
                           << llvm::join(targets, ", ") << " at -O"
                           << options.optLevel << "\n";
  return finish(program, compiler::parseStage(arguments.get("start-from")),
                options, targets, arguments);
}

const Command compileCommand = {
    "compile",
    "compile a program to an artefact, or up to a stage",
    "IN [options]",
    compileFlags,
    "  tensorc compile y.mlir -O3 -o y.tcpkg\n"
    "  tensorc compile y.mlir --stop-after=fuse\n"
    "  tensorc compile y.mlir --emit=asm --target=cpu:x86-64-v3 "
    "--shape=x:256,64 -o y.s\n"
    "  tensorc compile y.mlir --emit=header -o y.h\n"
    "  tensorc compile y.mlir --emit=object --target=cpu:aarch64 -o y.o\n"
    "  tensorc compile y.mlir --emit=source -o y\n"
    "  tensorc compile y.mlir -o y.js\n",
    /*takesInput=*/true,
    runCompile};

} // namespace tensorc::tool
